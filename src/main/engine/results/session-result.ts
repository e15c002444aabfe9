import { byLevels, distinctLevels, inOrder } from '../../../shared/chart-models/index.ts';
import { builtInFor } from '../../../shared/measures/index.ts';
import {
  eventRate,
  isMeasureId,
  LITTLE,
  metricOf,
  RECOVERY,
  STALLS,
  VARIATION,
} from '../../../shared/metrics/index.ts';
import type { SampleDamage } from '../../../shared/model/damage.ts';
import type { DerivedMeasure } from '../../../shared/model/derived.ts';
import { LEAST_VARYING, type Levels, stepLengths } from '../../../shared/model/experiment.ts';
import { namedLevels } from '../../../shared/model/factor.ts';
import { caveatsOf } from '../../../shared/model/figure.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import { type ChosenPick, pickFor } from '../../../shared/model/measure.ts';
import { canariesOf, isCounted, replacementOf } from '../../../shared/model/repeats.ts';
import type {
  CellResult,
  ExcludedRun,
  FactorRatios,
  SessionResult,
  WatchedResult,
} from '../../../shared/model/result.ts';
import { excludedSentence } from '../../../shared/model/result-words.ts';
import type { SessionDetail } from '../../../shared/model/session.ts';
import type { LaterPart } from '../../../shared/model/session-snapshot.ts';
import { foundIn } from '../../../shared/model/session-words.ts';
import { wholeSteps } from '../../../shared/model/step.ts';
import type { LoadKind } from '../../../shared/model/tool.ts';
import { bestCell, crossingsOf, loadLines, trendOf } from '../../../shared/stats/index.ts';
import { type Asked, answerOf, askedOf, foundInCell, ratiosOf, warningFindings } from '../comparing/index.ts';
import {
  errorsOf,
  figureFrom,
  figuresOfRun,
  groupFacts,
  measuredCell,
  type RunFigures,
  type Source,
  type SteadyRuns,
  sourceOf,
  stallsTogether,
  steadinessOf,
  Workings,
} from '../figures/index.ts';
import { boundOfCell } from '../judging/index.ts';
import type { RulesOf } from '../monitored/index.ts';
import type { RunRow, Store } from '../store/store.ts';
import { canaryResult } from './canary.ts';
import { type DataInMemory, hardlyMeasured, memoryWords, surprisingFindings } from './remarks.ts';

export interface ResultQuery {
  sessionId: number;
  /** Place of the step in the trial. Default: 0. */
  step?: number;
  metric: string;
  /** Seconds left out at the start of each run. Default: the run's own warm-up. */
  warmup?: number;
  /** The factor under test, instead of the document's. */
  tested?: string | undefined;
  /** Baseline levels of ratios by factor, instead of the document's; `''` for none. */
  baselines?: Levels;
}

/** A step's figures according to its tool: the primary metric, and the final figures that add up to the failures. */
export interface ToolFigures {
  primary: string | null;
  failures: readonly string[];
  /** Upper end of the tool's latency scale, ms. Undefined if it has none. */
  longest?: number | undefined;
  /** Final figures that repeat the run's settings. */
  settings?: RegExp;
  /** Factors that raise the load, by name. */
  loads?: Readonly<Record<string, LoadKind>>;
  /** Rate to which the document limits the load of every cell; undefined or 0 if unlimited. */
  heldRate?: number;
  /** Defines how counters of hosts and servers are read, for measures of these. */
  rulesOf?: RulesOf;
  /** Measures of sessions that this one is compared with. */
  lent?: readonly DerivedMeasure[];
  /** Number of a cell's clients that always have an event in progress. Undefined if options do not define it. */
  clientsOf?(levels: CellResult['levels']): number | undefined;
  /** Bytes of a cell's data, and of the server's own cache for it. Undefined if either is unknown. */
  memoryOf?(levels: CellResult['levels']): DataInMemory | undefined;
  /** Whether writes of a cell end before the sync that makes them durable. */
  syncsIn?(levels: CellResult['levels']): boolean;
}

type Context = Pick<SessionDetail, 'experiment' | 'plan'> & { later?: readonly LaterPart[] };

/**
 * The only query behind every number of a session: screens, PDF, CSV and the command line all use it. A cell's figures come from its
 * complete runs; if it has none, from its partial ones, and are marked as such.
 */
export function sessionResult(...asked: Parameters<typeof calculateSession>): SessionResult {
  const steps = calculateSession(...asked);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Like `sessionResult`, cell by cell, so other work can run in between. */
export function* calculateSession(
  store: Store,
  context: Context,
  figures: ToolFigures,
  query: ResultQuery,
): Generator<{ done: number; of: number }, SessionResult> {
  const workings = new Workings(store, figures.rulesOf, figures.lent);
  const { sessionId, step = 0 } = query;
  const runs = runsOfStep(store, query);
  const isCanary = canariesOf(context.plan);
  const repeats = runs.filter((run) => !isCanary(run));
  const pick = pickFor(context.experiment.measure.pick, metricOf(query.metric));
  const damage: SampleDamage[] = [];
  const hardly: Finding[] = [];
  const overTime = overTimeOf(workings, query.metric, repeats);
  const steadiness = steadinessOf(workings, steadyMetric(workings, query.metric, repeats), repeats);
  const factors = withLoads(context.experiment, figures);
  const byCell = Map.groupBy(repeats, (run) => run.cell);
  const bounds = store.judgements.bounds(query.sessionId);
  const measured: CellResult[] = [];
  for (const cell of context.plan.cells) {
    const ofCell = byCell.get(cell.index) ?? [];
    const bound = boundOfCell(
      bounds,
      ofCell.filter(isCounted).map(({ id }) => id),
    );
    measured.push(
      cellResult(workings, ofCell, cell, { ...figures, pick, bound }, query, {
        damage: (entries) => damage.push(...entries),
        complete: (cell) => steadiness.add({ ...cell, levels: distinctLevels(factors, cell.levels) }),
        hardly: (all) => hardly.push(...all),
      }),
    );
    yield { done: measured.length, of: context.plan.cells.length };
  }
  const canary = canaryResult(workings, runs.filter(isCanary), context.plan, query);
  if (canary) damage.push(...canary.damage);
  const cells = inLevelOrder(measured, factors, context);
  const asked = askedOf(context, query);
  // No conclusions are drawn from a session that is mechanics only.
  const concludes = asked.mechanics === undefined;
  const best = concludes ? bestCell(query.metric, cells) : undefined;
  const trend = concludes ? trendOf(cells.map(({ means, trials = [] }) => ({ means, trials }))) : undefined;
  const stepName = wholeSteps(context.experiment.steps ?? [])[step]?.name;
  const scaling = concludes ? loadLines({ metric: query.metric, factors, cells }, figures.heldRate) : [];
  const steady = steadiness.judged();
  const answer = answerOf({ metric: query.metric, factors, cells, scaling, ...steady }, asked);
  const { baselines, ratios } = answeredRatios({ metric: query.metric, cells }, answer, asked, query.baselines);
  const crossings = concludes ? crossingsOf({ metric: query.metric, factors, cells }, baselines, ratios) : [];
  const findings = [
    ...excludedFindings(cells),
    ...hardly,
    // A run that measured next to nothing is surprising for that reason, which is reported already.
    ...surprisingFindings(cells, repeats).filter(({ runId }) => hardly.every((each) => each.runId !== runId)),
    ...warningFindings(cells),
    ...foundInCell(cells),
    ...(steady.findings ?? []),
  ];
  workings.keep();
  return {
    sessionId,
    ...(step > 0 && { step }),
    ...(stepName !== undefined && { stepName }),
    ...(asked.steps > 1 && { steps: asked.steps }),
    metric: query.metric,
    ...(overTime !== undefined && { overTime }),
    ...metricsOf(workings, runs, figures, cells),
    factors,
    ...(pick && { pick }),
    warmup: query.warmup ?? stepLengths(context.experiment)[step]?.warmup ?? context.experiment.measure.warmup,
    cells,
    ...(asked.mechanics && { mechanics: asked.mechanics }),
    ...memoryOf(context, figures),
    ...(cells.some(({ levels }) => figures.syncsIn?.(levels)) && { syncs: true as const }),
    ...(best && { best: { cell: best.cell, value: best.value } }),
    ...(answer && { answer }),
    ...(trend && { trend }),
    ...(ratios.length > 0 && { ratios }),
    ...(crossings.length > 0 && { crossings }),
    ...(canary && { canary: canary.result }),
    ...(scaling.length > 0 && { scaling }),
    ...steady,
    ...(findings.length > 0 && { findings }),
    ...(damage.length > 0 && { damage }),
  };
}

/** Cells in the order of their levels where the plan has another one: levels that were added later, or numbers that are not listed by size. */
function inLevelOrder(
  cells: readonly CellResult[],
  factors: SessionResult['factors'],
  { later = [] }: Context,
): CellResult[] {
  const isSorted = factors.every(({ levels }) => inOrder(levels).every((level, place) => level === levels[place]));
  if (isSorted && !later.some(({ grown }) => grown)) return [...cells];
  const compare = byLevels(factors);
  return cells.toSorted((one, other) => compare(one.levels, other.levels));
}

/** Ratios of cells to the baselines of their factors, and to the answer's baseline unless another one is wanted (an empty one: none). */
export function answeredRatios(
  measured: Pick<SessionResult, 'metric' | 'cells'>,
  answer: SessionResult['answer'],
  asked: Asked,
  wanted?: Levels,
): { baselines: Levels; ratios: FactorRatios[] } {
  const isUnwanted = answer?.factor !== undefined && wanted?.[answer.factor] === '';
  const baselines = {
    ...asked.baselines,
    ...(answer?.factor !== undefined &&
      answer.baseline !== undefined &&
      !isUnwanted && { [answer.factor]: answer.baseline }),
  };
  if (asked.mechanics !== undefined) return { baselines, ratios: [] };
  const ranked = answer?.ranked ? answer.factor : undefined;
  return { baselines, ratios: ratiosOf(measured, baselines, asked.later, { ranked, steps: asked.steps }) };
}

function memoryOf({ plan }: Pick<Context, 'plan'>, figures: ToolFigures): Pick<SessionResult, 'memory'> {
  const memory = memoryWords(plan.cells.flatMap(({ levels }) => figures.memoryOf?.(levels) ?? []));
  return memory === undefined ? {} : { memory };
}

/** Like `sessionResult`, for a step whose tool only monitors: no cell has a figure. */
export function watchedResult(
  store: Store,
  { experiment, plan }: Context,
  figures: ToolFigures,
  query: Omit<ResultQuery, 'metric'>,
): WatchedResult {
  const { sessionId, step = 0, warmup = experiment.measure.warmup } = query;
  const bounds = store.judgements.bounds(sessionId);
  const byCell = Map.groupBy(runsOfStep(store, query), ({ cell }) => cell);
  const cells = plan.cells.map(({ index, levels }): CellResult => {
    const all = byCell.get(index) ?? [];
    const shown = (run: RunRow): CellResult['runs'][number] => {
      const { id: runId, repeat, state, partial } = run;
      return { runId, repeat, state, partial, errors: errorsOf(run, figures.failures) };
    };
    const excluded = all.flatMap((run): ExcludedRun[] => {
      const replacedBy = replacementOf(run, all)?.trial;
      return run.excluded
        ? [
            {
              ...{ ...shown(run), trial: run.trial, reason: run.excluded.reason },
              ...(replacedBy !== undefined && { replacedBy }),
            },
          ]
        : [];
    });
    const bound = boundOfCell(
      bounds,
      all.filter(isCounted).map(({ id }) => id),
    );
    const runs = all.filter((run) => !run.excluded).map(shown);
    const facts = { means: [], partial: false, errors: runs.reduce((sum, { errors }) => sum + errors, 0) };
    return {
      ...{ cell: index, levels, runs, trials: [], ...facts, ...caveatsOf({ ...facts, excluded, bound }) },
      ...(excluded.length > 0 && { excluded }),
      ...(bound && { bound }),
    };
  });
  const findings = excludedFindings(cells);
  return {
    ...{ sessionId, ...(step > 0 && { step }), metric: null, metrics: [], runFigures: [] },
    ...{ factors: withLoads(experiment, figures), warmup, cells },
    ...memoryOf({ plan }, figures),
    ...(findings.length > 0 && { findings }),
  };
}

/**
 * Calculates and stores everything `sessionResult` needs of one cell, which is nearly all of its work, so other work can run between cells.
 */
export function calculateCell(
  store: Store,
  { experiment, plan }: Context,
  figures: ToolFigures,
  query: ResultQuery,
  cell: Context['plan']['cells'][number],
): void {
  const workings = new Workings(store, figures.rulesOf);
  const isCanary = canariesOf(plan);
  const repeats = runsOfStep(store, query).filter((run) => !isCanary(run));
  const steadiness = steadinessOf(workings, steadyMetric(workings, query.metric, repeats), repeats);
  const pick = pickFor(experiment.measure.pick, metricOf(query.metric));
  const ofCell = repeats.filter((run) => run.cell === cell.index);
  cellResult(workings, ofCell, cell, { ...figures, pick }, query, {
    damage: () => {},
    complete: steadiness.add,
    hardly: () => {},
  });
  workings.keep();
}

/** The factors of a document, with the kind of load for those that raise it. */
export const withLoads = (
  { factors }: Context['experiment'],
  { loads }: Pick<ToolFigures, 'loads'>,
): SessionResult['factors'] =>
  namedLevels(factors).map((factor) => {
    const load = loads?.[factor.name];
    return { ...factor, ...(load && { load }) };
  });

const runsOfStep = (store: Store, { sessionId, step = 0 }: Pick<ResultQuery, 'sessionId' | 'step'>): RunRow[] =>
  store.runs.ofSession(sessionId).filter((run) => run.step === step);

function cellResult(
  workings: Workings,
  runs: RunRow[],
  cell: Pick<CellResult, 'levels'> & { index: number },
  figures: ToolFigures & { pick?: ChosenPick | undefined; bound?: CellResult['bound'] },
  query: ResultQuery,
  on: { damage(entries: SampleDamage[]): void; complete(runs: SteadyRuns): void; hardly(found: Finding[]): void },
): CellResult {
  const clients = figures.heldRate ? undefined : figures.clientsOf?.(cell.levels);
  const { metric, warmup: cut } = query;
  const { pick, failures, longest, bound } = figures;
  const asked = { metric, cut, clients, pick, failures, longest, bound };
  const { runs: measured, complete, used, means, generators, ...figure } = measuredCell(workings, runs, asked);
  on.damage(measured.flatMap(({ damage }) => damage));
  on.complete({
    cell: cell.index,
    levels: cell.levels,
    runs: complete.filter(({ facts, pace }) => facts.all > 0 || (pace?.seconds ?? 0) > 0),
    cut: query.warmup ?? complete[0]?.run.warmup ?? 0,
  });
  on.hardly(hardlyMeasured(measured));
  const { spread, resolution } = groupFacts(workings, used, query.metric);
  const source = sourceOf(query.metric, used);
  const little = averageOf(used.map((entry) => entry.little));
  const found = foundIn(used.map(({ run }) => run));
  const excluded = runs.flatMap((run): ExcludedRun[] => {
    if (!run.excluded) return [];
    const own = figuresOfRun(workings, run, { metric, cut: cut ?? run.warmup, clients });
    const replacedBy = replacementOf(run, runs)?.trial;
    return [
      {
        ...runResult(own, source ?? sourceOf(metric, [own]), figures),
        ...{ trial: run.trial, reason: run.excluded.reason },
        ...(replacedBy !== undefined && { replacedBy }),
      },
    ];
  });
  return {
    cell: cell.index,
    levels: cell.levels,
    runs: measured.map((each) => runResult(each, source, figures)),
    ...(excluded.length > 0 && { excluded }),
    ...figure,
    ...(little !== undefined && { littleLatency: little }),
    ...(spread && { spread }),
    means,
    trials: complete.map(({ run }) => run.trial),
    ...(complete.length > 0 && resolution !== undefined && { resolution }),
    ...(generators.length > 0 && { generators }),
    ...(bound && { bound }),
    ...(found.length > 0 && { facts: found }),
  };
}

/** A note on runs that the user has excluded from the figures of these cells. */
function excludedFindings(cells: readonly CellResult[]): Finding[] {
  const message = excludedSentence(cells);
  return message === undefined ? [] : [{ code: 'runs-excluded', severity: 'note', message }];
}

function runResult(
  { run, facts: { spread }, sources, stalls }: RunFigures,
  source: Source | undefined,
  { failures }: ToolFigures,
): CellResult['runs'][number] {
  const { id: runId, repeat, state, partial } = run;
  const figure = source && figureFrom(sources, source);
  return {
    ...{ runId, repeat, state, partial, errors: errorsOf(run, failures) },
    ...(figure && { value: figure.value }),
    ...(spread && { spread }),
    ...(stalls && { stalls: stallsTogether([stalls]) }),
  };
}

const OF_RATE: readonly string[] = [...Object.values(STALLS), ...Object.values(RECOVERY), VARIATION, LITTLE];

/** The rate that a figure of whole runs is calculated from. Undefined for every other metric, and if there is no rate. */
const overTimeOf = (workings: Workings, metric: string, runs: readonly RunRow[]): string | undefined =>
  OF_RATE.includes(metric) ? eventRate([...new Set(runs.flatMap(({ id }) => workings.metrics(id)))]) : undefined;

/** The metric whose seconds are judged: for a variation, the rate. */
const steadyMetric = (workings: Workings, metric: string, runs: readonly RunRow[]): string =>
  (metric === VARIATION ? overTimeOf(workings, metric, runs) : undefined) ?? metric;

/** Metrics per second, the tool's primary one first; and other figures of whole runs. */
function metricsOf(
  workings: Workings,
  runs: readonly RunRow[],
  { primary, settings }: ToolFigures,
  cells: readonly CellResult[],
): Required<Pick<SessionResult, 'metrics' | 'runFigures'>> {
  const seen = new Set<string>();
  for (const run of runs) for (const metric of workings.metrics(run.id)) seen.add(metric);
  const reported = new Set(runs.flatMap(({ summary }) => Object.keys(summary)));
  const measures = measuresIn(workings, runs, new Set([...seen, ...reported]));
  const bySecond = [...seen, ...measures.filter(({ hasSeconds }) => hasSeconds).map(({ id }) => id)];
  const rest = bySecond.filter((metric) => metric !== primary);
  return {
    metrics: primary !== null && bySecond.includes(primary) ? [primary, ...rest] : rest,
    runFigures: [
      ...measures.filter(({ hasSeconds }) => !hasSeconds).map(({ id }) => id),
      ...(runs.some(({ findings }) => findings.some(({ recovery }) => recovery)) ? Object.values(RECOVERY) : []),
      ...(cells.some(({ stalls }) => stalls) ? Object.values(STALLS) : []),
      ...(cells.some(({ littleLatency }) => littleLatency !== undefined) ? [LITTLE] : []),
      ...[...reported].filter((metric) => !seen.has(metric) && !settings?.test(metric)),
      ...(cells.some(({ stalls }) => stalls) && runs.some(({ duration }) => duration >= LEAST_VARYING)
        ? [VARIATION]
        : []),
    ],
  };
}

/** Measures of the session, and built-in ones that can be calculated from what these runs report. */
function measuresIn(
  workings: Workings,
  runs: readonly RunRow[],
  metrics: ReadonlySet<string>,
): { id: string; hasSeconds: boolean }[] {
  const [first] = runs;
  if (!first) return [];
  const possible = new Set(builtInFor(metrics));
  return [...workings.measures.all(first.sessionId).values()]
    .filter(({ id }) => isMeasureId(id) || possible.has(id))
    .map((measure) => ({
      id: measure.id,
      hasSeconds: runs.some((run) => workings.measures.points(run, measure).t.length > 0),
    }));
}

/** Undefined unless all of them are known. */
function averageOf(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length > 0 && known.length === values.length
    ? known.reduce((sum, value) => sum + value, 0) / known.length
    : undefined;
}
