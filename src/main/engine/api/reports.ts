import type { AppContract } from '../../../shared/contract/index.ts';
import type { ExportFormat } from '../../../shared/contract/reports.ts';
import { evaluateCost } from '../../../shared/costs/index.ts';
import { definedIn } from '../../../shared/measures/index.ts';
import type { CaptureContent } from '../../../shared/model/capture.ts';
import type { AssumedWork, CostGoal, CostSpec, ValueScale } from '../../../shared/model/cost.ts';
import { distinctDamage } from '../../../shared/model/damage.ts';
import type { Levels } from '../../../shared/model/experiment.ts';
import { headlineStep } from '../../../shared/model/plan.ts';
import { KneepointError, problemOf } from '../../../shared/model/problem.ts';
import type {
  Comparison,
  GeneratorSeries,
  SeriesData,
  SessionResult,
  StepResult,
  StepsTable,
} from '../../../shared/model/result.ts';
import { targetsOf } from '../../../shared/model/session-snapshot.ts';
import { TOOK } from '../../../shared/model/step.ts';
import type { CallContext, Implementation } from '../../../shared/rpc/define.ts';
import { compareSessions } from '../comparing/index.ts';
import { comparedCaptures, runDifferences, runSeconds, seriesOfRun } from '../figures/index.ts';
import { momentComparisons, monitoredLimits } from '../judging/index.ts';
import { monitoredSeries, monitoredSources, runWindows } from '../monitored/index.ts';
import { stepsByLevels, workloadWords } from '../plans/index.ts';
import {
  type CostGoalData,
  makeCostGoalReport,
  makeReport,
  type ReportData,
  type ReportMonitors,
} from '../reports/index.ts';
import type { SessionRow } from '../store/store.ts';
import { GENERATOR_KIND } from '../targets/index.ts';
import { toolById } from '../tools/index.ts';
import { comparedSession } from './compared.ts';
import { type ApiContext, requireSession } from './context.ts';
import { pricedConfigurations, priceOfCell, valueForMoney } from './costs.ts';
import { factsFor, isOffered } from './evidence-facts.ts';
import { judgementsOf } from './judging.ts';
import { rulesOf } from './monitors.ts';
import { presentDetail, presentRun } from './present.ts';
import { type AskedResult, answerMetric, placesOf, resultFor, stepsOf } from './result-of.ts';

export function reportsApi(context: ApiContext): Implementation<AppContract['reports']> {
  return {
    make: async ({ sessionId, format, monitored, ...asked }, call) => {
      const { progress } = call;
      const monitors = WITH_MONITORS.includes(format)
        ? await monitorsOf(context, { sessionId, format, warmup: asked.warmup }, call)
        : undefined;
      return makeReport(format, {
        ...(await reportData(context, sessionId, asked, progress)),
        progress,
        ...(monitors && { monitors: { ...monitors, ...(monitored && { chosen: monitored }) } }),
      });
    },
    costGoal: async (asked, { progress }) => makeCostGoalReport(await costGoalData(context, asked, progress), progress),
  };
}

/** Undefined if the session is not in this library, or has no figures for this metric. */
function comparedOver(
  context: ApiContext,
  {
    sessionId,
    session,
    metric,
    warmup,
  }: { sessionId: number; session: number; metric: string; warmup?: number | undefined },
): Comparison | undefined {
  try {
    const lent = definedIn(presentDetail(context, requireSession(context, sessionId)));
    const other = comparedSession(context, sessionId, { metric, warmup });
    return compareSessions(comparedSession(context, session, { metric, warmup, lent }), other);
  } catch (error) {
    if (error instanceof KneepointError) return undefined;
    throw error;
  }
}

/** Formats with data of hosts and servers; for the others, their sources need not be read. */
const WITH_MONITORS: readonly ExportFormat[] = ['csv-monitors', 'json', 'pdf'];
/** Formats with the bottleneck of each run. */
const WITH_JUDGEMENTS: readonly ExportFormat[] = ['json', 'pdf'];

/** Undefined if nothing was monitored. */
async function monitorsOf(
  { store, prices }: ApiContext,
  { sessionId, format, warmup }: { sessionId: number; format: ExportFormat; warmup: number | undefined },
  call: CallContext,
): Promise<ReportMonitors | undefined> {
  const sources = monitoredSources(store, sessionId, rulesOf);
  if (sources.length === 0) return undefined;
  const known = { store, catalogue: () => prices.catalogue() };
  return {
    sources,
    windows: runWindows(store, sessionId),
    judgements: WITH_JUDGEMENTS.includes(format)
      ? await judgementsOf(known, store.runs.ofSession(sessionId), warmup, call)
      : [],
    moments: () => momentComparisons(store, sessionId, rulesOf, (run) => isOffered({ store }, run)),
    limits: () => monitoredLimits(store, sessionId, (run) => factsFor(known, run), rulesOf),
    series: (query) => store.reading(() => monitoredSeries(store, { sessionId, ...query }, rulesOf)),
  };
}

/** Options of a file that override the document. */
interface Asked {
  compareWith?: number | undefined;
  warmup?: number | undefined;
  baselines?: Levels | undefined;
}

/** Figures per operation of all steps for which a report has tables. */
const COSTS_IN_REPORT: readonly string[] = ['cpu_us_server', 'reads', 'writes', 'read_bytes', 'written_bytes'];

/** All data of a report, from the same queries as the screens, after the same cut. */
async function reportData(
  context: ApiContext,
  sessionId: number,
  { compareWith, warmup, baselines }: Asked,
  progress: CallContext['progress'],
): Promise<ReportData> {
  const row = requireSession(context, sessionId);
  const headline = headlineStep(row.steps);
  const answering = { metric: answerMetric(context, sessionId), warmup, baselines };
  const primary = await resultFor(context, sessionId, answering, progress);
  const metric = (primary.metric !== null && primary.overTime) || (primary.metric ?? undefined);
  const results = await everyMetric(context, primary, { warmup, baselines }, progress);
  const ofOtherSteps: SessionResult[] = [];
  for (const step of row.steps.keys()) {
    if (step === headline) continue;
    const first = await resultFor(context, sessionId, { step, warmup, baselines }, progress);
    ofOtherSteps.push(...(await everyMetric(context, first, { step, warmup, baselines }, progress)));
  }
  const detail = presentDetail(context, row);
  const places = placesOf(context, sessionId, { warmup });
  const comparison =
    compareWith === undefined
      ? undefined
      : compareSessions(
          comparedSession(context, compareWith, { metric, warmup, lent: definedIn(detail) }),
          comparedSession(context, sessionId, { metric, warmup }),
        );
  const seriesOf = (runId: number, metric: string): SeriesData[] => {
    const run = context.store.runs.get(runId);
    return run ? [...seriesOfRun(context.store, run, metric, rulesOf)] : [];
  };
  const steps =
    row.steps.filter(({ measured }) => measured !== false).length > 1
      ? await stepsOf(context, sessionId, { baselines }, progress)
      : undefined;
  const stepCosts: StepsTable[] = [];
  for (const { id } of (steps?.costs ?? []).filter((cost) => COSTS_IN_REPORT.includes(cost.id)))
    stepCosts.push(await stepsOf(context, sessionId, { baselines, per: id }, progress));
  const workload = workloadOf(context, row);
  return {
    detail,
    ...(workload.length > 0 && { workload }),
    runs: context.store.runs.ofSession(sessionId).map((run) => presentRun(context, run)),
    results,
    ...(ofOtherSteps.length > 0 && { ofOtherSteps }),
    ...(places.rows.length > 0 && { places }),
    ...(steps && { steps }),
    ...(stepCosts.length > 0 && { stepCosts }),
    costs: (runId) => context.store.judgements.get(runId)?.operations ?? [],
    damage: distinctDamage([...results, ...ofOtherSteps].flatMap((result) => result.damage ?? [])),
    series: (runId, metric) => seriesOf(runId, metric).filter(isOfGenerator),
    seriesAndWhole: seriesOf,
    seconds: (query) => runSeconds(context.store, query, rulesOf),
    over: (session, metric) => comparedOver(context, { sessionId, session, metric, warmup }),
    kept: (runId) => context.store.captures.ofRun(runId),
    captures: (runId) =>
      context.store.captures.ofRun(runId).map((kept) => ({ ...kept, ...contentOf(context, kept.id) })),
    differences: (runId) => {
      const run = context.store.runs.get(runId);
      return run ? runDifferences(context.store, run) : [];
    },
    profiles: (...sides) => {
      const [one, other] = sides.map((ids) => ids.flatMap((id) => context.store.runs.get(id) ?? []));
      return comparedCaptures(context.store, one ?? [], other ?? []);
    },
    ...(warmup !== undefined && { cut: warmup }),
    madeAt: context.now(),
    assetsDir: context.outside.assetsDir,
    ...(row.cost && { cost: await costOf(context, row, row.cost, { metric, warmup, progress }) }),
    ...(comparison && { comparison }),
  };
}

/** The load of each measured step, as far as this version knows its tool. */
function workloadOf({ store }: ApiContext, { id, steps }: SessionRow): string[] {
  const snapshot = store.sessions.snapshot(id);
  const [cell] = snapshot.plan.cells;
  const stepAt = stepsByLevels(snapshot, toolById);
  return steps.flatMap(({ measured, metric, name }, place) => {
    const known = cell === undefined || measured === false ? undefined : stepAt(cell.levels, place);
    if (!known || metric === null || metric === TOOK) return [];
    const target = targetsOf(snapshot).find((each) => each.name === known.step.target);
    const words = workloadWords(known, snapshot.experiment.factors, target?.kind ?? GENERATOR_KIND);
    return words === undefined ? [] : [name === undefined ? words : `${name}, ${words}`];
  });
}

/** A damaged capture does not prevent the export of a session. */
function contentOf({ store }: ApiContext, id: number): CaptureContent & { problem?: string } {
  try {
    return store.captures.content(id);
  } catch (error) {
    return { problem: problemOf(error).message };
  }
}
/** Excludes series that several generators have together. */
const isOfGenerator = (series: SeriesData): series is GeneratorSeries => series.generator !== null;

/** Figures of a step for all its metrics, beginning with these. */
async function everyMetric(
  context: ApiContext,
  first: StepResult,
  asked: AskedResult,
  progress: CallContext['progress'],
): Promise<SessionResult[]> {
  if (first.metric === null) return [];
  const metrics = new Set([first.metric, ...first.metrics, ...(first.runFigures ?? [])]);
  const results: SessionResult[] = [];
  for (const metric of metrics)
    results.push(
      metric === first.metric ? first : await resultFor(context, first.sessionId, { ...asked, metric }, progress),
    );
  return results;
}

/** One session has at most one scale for a metric. */
async function costOf(
  context: ApiContext,
  { id }: SessionRow,
  spec: CostSpec,
  {
    metric,
    warmup,
    progress,
  }: { metric: string | undefined; warmup: number | undefined; progress: CallContext['progress'] },
): Promise<NonNullable<ReportData['cost']>> {
  const result = evaluateCost(spec, context.prices.catalogue(), context.now());
  const { scales, left } = await valueForMoney(context, [id], { warmup, perCell: true }, progress);
  return {
    spec,
    result,
    value: { ...(scales[0] ?? { metric: metric ?? null, currency: result.currency, rows: [] }), left },
  };
}

/** The limit of the contract. */
const MOST_SESSIONS = 100;

interface AskedGoal {
  readonly goal: CostGoal;
  readonly metric?: string | undefined;
  readonly currency?: string | undefined;
  readonly sessionIds?: readonly number[] | undefined;
  readonly assumed?: readonly AssumedWork[] | undefined;
}

/** The data of a cost-goal report, from the same queries as the screen. Throws bad-request if nothing was measured at a price. */
async function costGoalData(
  context: ApiContext,
  { goal, metric, currency, sessionIds, assumed }: AskedGoal,
  progress: CallContext['progress'],
): Promise<CostGoalData> {
  const { store, prices } = context;
  const priced = store.sessions.list(false).sessions.filter(({ cost }) => cost !== null);
  const ids = sessionIds ?? (assumed ? [] : priced.slice(0, MOST_SESSIONS).map(({ id }) => id));
  const latency = goal.latency?.metric;
  const { scales, left } = await valueForMoney(context, ids, { metric, perCell: true, latency, assumed }, progress);
  const scale = scales.find(
    (each) => (metric ?? each.metric) === each.metric && (currency ?? each.currency) === each.currency,
  );
  if (!scale) throw unpriced();
  const configurations = pricedConfigurations(context);
  const sessions: CostGoalData['sessions'][number][] = [];
  for (const id of new Set(scale.rows.map(({ sessionId }) => sessionId)))
    sessions.push(await examined(context, id, scale, progress));
  return {
    ...{ goal, scale, sessions, left },
    configurations,
    priceOf: ({ sessionId, levels, assumed: isAssumed, configuration }) =>
      isAssumed
        ? configurations.find(({ spec }) => spec.label === configuration)?.total
        : priceOfCell(context, sessionId, levels),
    disclaimer: prices.catalogue().disclaimer,
    appVersion: context.outside.version,
    madeAt: context.now(),
  };
}

async function examined(
  context: ApiContext,
  id: number,
  { metric }: ValueScale,
  progress: CallContext['progress'],
): Promise<CostGoalData['sessions'][number]> {
  const result = await resultFor(context, id, { metric }, progress);
  return {
    detail: presentDetail(context, requireSession(context, id)),
    runs: context.store.runs.ofSession(id).map((run) => presentRun(context, run)),
    results: [result],
    damage: distinctDamage(result.damage ?? []),
  };
}

const unpriced = (): KneepointError =>
  new KneepointError({
    code: 'bad-request',
    message: 'No session has a price, so no configuration can be ranked.',
    next: 'Assign a price to a session.',
  });
