import { metricOf, VARIATION } from '../../../shared/metrics/index.ts';
import type { OperationCost } from '../../../shared/model/analysis.ts';
import type { DerivedMeasure } from '../../../shared/model/derived.ts';
import { asksSteadiness, type Experiment, type Levels } from '../../../shared/model/experiment.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import type { PlaceFigures, SessionResult, StepCost, StepResult, StepsTable } from '../../../shared/model/result.ts';
import { type FactsSnapshot, targetsOf } from '../../../shared/model/session-snapshot.ts';
import { wholeSteps } from '../../../shared/model/step.ts';
import type { CallContext } from '../../../shared/rpc/define.ts';
import { judgesSteadiness } from '../../../shared/stats/index.ts';
import { rulesOf } from '../factors/index.ts';
import { sessionMeasures } from '../figures/index.ts';
import { dataOf, type Step, stepsByLevels } from '../plans/index.ts';
import {
  calculateCell,
  calculateSession,
  costsOfSteps,
  type MeasuredStep,
  sessionPlaces,
  sessionResult,
  stepsByCost,
  stepsTable,
  type ToolFigures,
  watchedResult,
} from '../results/index.ts';
import type { Store } from '../store/store.ts';
import { TARGETS, targetByKind } from '../targets/index.ts';
import { loadKind, readerById, toolById } from '../tools/index.ts';
import type { Tool } from '../tools/tool.ts';
import { type ApiContext, requireSession, requireStep } from './context.ts';
import { rulesOf as seriesRules } from './monitors.ts';

/** A question about a session. Without `step`, its first measured one; without `metric`, the one that the step's tool shows first. */
export interface AskedResult {
  step?: number | undefined;
  metric?: string | undefined;
  warmup?: number | undefined;
  baselines?: Levels | undefined;
  /** Measures of sessions that it is compared with. */
  lent?: readonly DerivedMeasure[] | undefined;
}

type OfMetric = AskedResult & Required<Pick<AskedResult, 'metric'>>;

/** The metric that answers a step: the variation of its throughput if the document asks for steadiness, else that of its tool. */
export function answerMetric(context: ApiContext, sessionId: number, step?: number): string | undefined {
  const { place, metric } = requireStep(requireSession(context, sessionId), step);
  if (metric === null || !judgesSteadiness(metric)) return undefined;
  return asksSteadiness(context.store.sessions.snapshot(sessionId).experiment, place) ? VARIATION : undefined;
}

/** A session's figures for one step and metric. */
export function resultOf(context: ApiContext, sessionId: number, asked: OfMetric): SessionResult;
export function resultOf(context: ApiContext, sessionId: number, asked?: AskedResult): StepResult;
export function resultOf(context: ApiContext, sessionId: number, asked: AskedResult = {}): StepResult {
  const cells = cellByCell(context, sessionId, asked);
  for (;;) {
    const step = cells.next();
    if (step.done) return step.value;
  }
}

/** Like `resultOf`, with progress reports. */
export function resultFor(
  context: ApiContext,
  sessionId: number,
  asked: OfMetric,
  progress: CallContext['progress'],
): Promise<SessionResult>;
export function resultFor(
  context: ApiContext,
  sessionId: number,
  asked: AskedResult,
  progress: CallContext['progress'],
): Promise<StepResult>;
export async function resultFor(
  context: ApiContext,
  sessionId: number,
  asked: AskedResult,
  progress: CallContext['progress'],
): Promise<StepResult> {
  const cells = cellByCell(context, sessionId, asked);
  const what = asked.metric ? `Calculating “${metricOf(asked.metric).label}”` : 'Calculating figures';
  for (;;) {
    const step = cells.next();
    if (step.done) return step.value;
    await progress({ what, unit: 'cell', ...step.value });
  }
}

function* cellByCell(
  context: ApiContext,
  sessionId: number,
  { step, metric: asked, warmup, baselines, lent }: AskedResult,
): Generator<{ done: number; of: number }, StepResult> {
  const { facts, figures: known, tested } = knownOf(context, sessionId, step);
  const figures = { ...known, ...(lent && { lent }) };
  const metric =
    (asked === undefined ? undefined : metricNamed(context.store, sessionId, asked, lent)) ?? figures.primary;
  const query = {
    ...{ sessionId, step: figures.step, tested },
    ...(warmup !== undefined && { warmup }),
    ...(baselines && { baselines }),
  };
  if (metric === null) return watchedResult(context.store, facts, figures, query);
  return yield* calculateSession(context.store, facts, figures, { ...query, metric });
}

/** A metric by its id; a measure of the session also by its name. */
const metricNamed = (store: Store, sessionId: number, asked: string, lent?: readonly DerivedMeasure[]): string =>
  [...sessionMeasures(store, sessionId, lent).values()].findLast(({ name }) => name === asked)?.id ?? asked;

/**
 * The figures of all measured steps side by side, each for its tool's first metric, or for a cost per operation (`per`). Throws `not-found` if no
 * step has that.
 */
export async function stepsOf(
  context: ApiContext,
  sessionId: number,
  { per: id, ...asked }: Pick<AskedResult, 'baselines'> & { per?: string | undefined },
  progress: CallContext['progress'],
): Promise<StepsTable> {
  const { steps } = requireSession(context, sessionId);
  const { experiment, later = [] } = context.store.sessions.snapshot(sessionId);
  const whole = wholeSteps(experiment.steps ?? []);
  const measured: MeasuredStep[] = [];
  for (const [step, { name, metric, measured: isMeasured }] of steps.entries()) {
    if (isMeasured === false || metric === null) continue;
    const what = `Calculating step ${step + 1} of ${steps.length}`;
    measured.push({
      step,
      name: name ?? `step ${step + 1}`,
      same: whole[step]?.same,
      group: whole[step]?.group,
      ...(whole[step]?.parallel !== undefined && { isParallel: true as const }),
      result: await resultFor(context, sessionId, { ...asked, step, metric }, (at) => progress({ ...at, what })),
    });
  }
  const from = later.map((part) => part.from);
  const known = new Map<number, readonly OperationCost[]>();
  const costsOf = (runId: number): readonly OperationCost[] => {
    const costs = known.get(runId) ?? context.store.judgements.get(runId)?.operations ?? [];
    known.set(runId, costs);
    return costs;
  };
  const costs = costsOfSteps(measured, costsOf);
  const per = costs.find((cost) => cost.id === id);
  if (id !== undefined && !per) throw noSuchCost(sessionId, id, costs);
  const table = stepsTable(per ? stepsByCost(measured, per.id, costsOf, from) : measured, from);
  return { ...table, ...(per && { per }), ...(costs.length > 0 && { costs }) };
}

/** Figures of each place of a step; without rows if it has none. */
export function placesOf(
  context: ApiContext,
  sessionId: number,
  { step, warmup }: Pick<AskedResult, 'step' | 'warmup'>,
): PlaceFigures {
  const { facts, figures } = knownOf(context, sessionId, step);
  const query = { sessionId, step: figures.step, ...(warmup !== undefined && { warmup }) };
  return sessionPlaces(context.store, facts, figures, query) ?? { metrics: [], rows: [] };
}

const noSuchCost = (session: number, id: string, costs: readonly StepCost[]): KneepointError =>
  new KneepointError({
    code: 'not-found',
    session,
    message:
      costs.length === 0
        ? `Session ${session} has no figures per operation: no host or server was monitored during its loads.`
        : `Session ${session} has no figure per operation named “${id}”. It has: ${costs.map((cost) => cost.id).join(', ')}.`,
  });

/** `resultOf` in steps: each calculates one cell, and the last one returns the result. */
export function resultSteps(
  context: ApiContext,
  sessionId: number,
  metric: string,
): (() => SessionResult | undefined)[] {
  const { facts, figures, tested } = knownOf(context, sessionId);
  const query = { tested, sessionId, step: figures.step, metric };
  const cells = facts.plan.cells.map((cell) => () => {
    calculateCell(context.store, facts, figures, query, cell);
    return undefined;
  });
  return [...cells, () => sessionResult(context.store, facts, figures, query)];
}

function knownOf(context: ApiContext, sessionId: number, step?: number) {
  const row = requireSession(context, sessionId);
  const snapshot = context.store.sessions.snapshot(row.id);
  const { experiment, plan, later } = snapshot;
  const { place, metric, tool: id } = requireStep(row, step);
  const reader = readerById(id);
  const tool = toolById(id);
  const known = stepsByLevels(snapshot, toolById);
  const stepAt = (levels: Levels): Step | undefined => known(levels, place)?.step;
  const figures: ToolFigures & { step: number } = {
    step: place,
    primary: metric,
    ...knownFigures(id, experiment),
    ...(reader?.metrics.settings && { settings: reader.metrics.settings }),
    ...(tool && {
      ...clientsOf(experiment, tool, stepAt),
      ...memoryOf(tool, snapshot, stepAt),
      ...syncsOf(tool, stepAt),
    }),
  };
  const tested = row.tested ?? undefined;
  return { facts: { experiment, plan, ...(later && { later }) }, figures, tested };
}

/** A tool's knowledge about the figures of a document, without the steps of its cells. */
export function knownFigures(
  id: string,
  experiment: Experiment,
): Pick<ToolFigures, 'failures' | 'longest' | 'loads' | 'heldRate' | 'rulesOf'> {
  const tool = toolById(id);
  const { failures = [], longest } = readerById(id)?.metrics ?? {};
  return { failures, longest, rulesOf: seriesRules, ...(tool && loadsOf(experiment, tool)) };
}

type StepAt = (levels: Levels) => Step | undefined;

/** Clients of a cell, if the tool's options define them; none if a rate is varied, as clients wait for it then. */
function clientsOf(experiment: Experiment, tool: Tool, stepAt: StepAt): Pick<ToolFigures, 'clientsOf'> {
  const isPaced = Object.values(loadsOf(experiment, tool).loads).includes('rate');
  const workers = isPaced ? undefined : tool.load?.workers;
  if (!workers) return {};
  return {
    clientsOf: (levels) => {
      const step = stepAt(levels);
      return step && workers.count(step.options);
    },
  };
}

/** Data size of the workload, else of the target at the start; cache size set by the levels of the cell, else at the start. */
function memoryOf(
  tool: Tool,
  facts: Pick<FactsSnapshot, 'target' | 'targets'>,
  stepAt: StepAt,
): Pick<ToolFigures, 'memoryOf'> {
  const targets = targetsOf(facts).filter(({ kind }) => TARGETS.some((type) => type.kind === kind && type.cacheBytes));
  if (targets.length === 0) return {};
  return {
    memoryOf: (levels) => {
      const step = stepAt(levels);
      const met = targets.find(({ name }) => name === step?.target);
      if (!step || !met) return undefined;
      const { options, settings } = step;
      const { kind, name, description } = met;
      const setting = (wanted: string): string | undefined =>
        settings.find(({ what, place }) => what === wanted && place.kind === 'server' && place.name === name)?.value ??
        description?.settings.find((each) => each.name === wanted)?.value;
      const made = dataOf(step, { tool, kindOf: () => kind });
      const data = made ? made.bytes : description?.dataBytes;
      const cache = targetByKind(kind).cacheBytes?.(setting, tool.storage?.(options, kind));
      return data && cache ? { data, cache } : undefined;
    },
  };
}

function syncsOf({ load }: Tool, stepAt: StepAt): Pick<ToolFigures, 'syncsIn'> {
  if (!load?.syncs) return {};
  return {
    syncsIn: (levels) => {
      const step = stepAt(levels);
      return step !== undefined && load.syncs?.(step.options) === true;
    },
  };
}

/** Factors of a document that raise the load, and the held rate if none of them varies it. */
function loadsOf({ factors, workload }: Experiment, tool: Tool) {
  const loads = factors.flatMap((factor) => {
    const { load } = rulesOf(factor, tool);
    return load ? [[factor.name, load] as const] : [];
  });
  const varied = loads.some(([, load]) => load === 'rate');
  const [held = 0] = Object.entries(workload.options).flatMap(([name, value]) =>
    loadKind(tool, name) === 'rate' && Number(value) > 0 ? [Number(value)] : [],
  );
  return { loads: Object.fromEntries(loads), ...(held > 0 && !varied && { heldRate: held }) };
}
