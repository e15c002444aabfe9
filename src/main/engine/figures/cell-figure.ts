import { setImmediate as nextTurn } from 'node:timers/promises';
import { isAveraged, isLatency, metricOf, percentileIn, statisticOf } from '../../../shared/metrics/index.ts';
import type { FigureBound } from '../../../shared/model/analysis.ts';
import {
  caveatsOf,
  type Figure,
  type FigureBasis,
  type StallFigures,
  type Tail,
} from '../../../shared/model/figure.ts';
import { type ChosenPick, picked } from '../../../shared/model/measure.ts';
import { isCounted, replacementOf } from '../../../shared/model/repeats.ts';
import type { CellResult, Spread } from '../../../shared/model/result.ts';
import { mergeHistograms, percentileOf, repeatsInterval, type Stalls } from '../../../shared/stats/index.ts';
import type { RunRow } from '../store/store.ts';
import { generatorFacts, groupFacts } from './group-facts.ts';
import {
  type FigureQuery,
  figureFrom,
  figuresOfRun,
  type RunFigure,
  type RunFigures,
  type Source,
  sourceOf,
} from './run-figures.ts';
import type { CutRun, Workings } from './workings.ts';

const basisOf = (source: Source, pick: ChosenPick | undefined): FigureBasis => {
  const [from, whole] = source.split('/') as [FigureBasis['from'], 'whole' | undefined];
  return { from, ...(whole && { wholeRun: true }), ...(pick && { pick }) };
};

/** A cell's figure with its caveats, and the facts it follows from. */
export interface MeasuredCell extends Figure, Pick<CellResult, 'stalls' | 'partial' | 'errors' | 'failures'> {
  /** Seconds of each generator, in document order. Empty if a single generator measured. */
  readonly generators: NonNullable<CellResult['generators']>;
  /** Every run that is not excluded, including runs without a value. */
  readonly runs: readonly RunFigures[];
  readonly complete: readonly RunFigures[];
  /** Runs that the figure is calculated from: the complete ones, or partial ones if none is complete. */
  readonly used: readonly RunFigures[];
  /** The figure of each complete run. */
  readonly means: number[];
}

interface CellQuery extends Omit<FigureQuery, 'cut'> {
  /** Seconds left out at the start. Default: each run's own warm-up. */
  readonly cut?: number | undefined;
  readonly pick?: ChosenPick | undefined;
  /** Keys of a tool's final figures that add up to the failures. */
  readonly failures: readonly string[];
  /** Upper end of the tool's latency scale, ms. Undefined if it has none. */
  readonly longest?: number | undefined;
  readonly bound?: FigureBound | undefined;
  /** No figure without a complete run. */
  readonly completeOnly?: true;
}

/** Calculates the figure of a cell. Results, lists and reports all use this. */
export function measuredCell(workings: Workings, runs: readonly RunRow[], query: CellQuery): MeasuredCell {
  const { metric, cut, clients, pick, failures } = query;
  const counted = runs.filter(({ excluded }) => !excluded);
  const sound = counted.filter(isCounted);
  const all = (query.completeOnly ? sound : counted).map((run) =>
    figuresOfRun(workings, run, { metric, cut: cut ?? run.warmup, clients }),
  );
  const withValues = all.filter(({ sources }) => sources.size > 0);
  const complete = withValues.filter(({ run }) => isCounted(run));
  const used = complete.length > 0 ? complete : withValues;
  const median = (): number | undefined => groupFacts(workings, used, metric).spread?.median;
  const { means, ...figure } = cellFigure(metric, used, { median, pick });
  const stalls = stallsTogether(used.map((run) => run.stalls));
  const generators = query.completeOnly ? [] : generatorsOf(workings, sound.length > 0 ? sound : counted, query);
  const interval = isAveraged(metric) && complete.length > 0 ? repeatsInterval(means) : undefined;
  const facts = {
    means: complete.length > 0 ? means : [],
    ...(stalls && { stalls }),
    partial: used.length > 0 ? complete.length === 0 : sound.length === 0 && generators.length > 0,
    errors: counted.reduce((sum, run) => sum + errorsOf(run, failures), 0),
    ...(failures.length > 0 && {
      failures: sound.map((run) => ({ events: errorsOf(run, failures), seconds: run.warmup + run.duration })),
    }),
  };
  const excluded = runs.flatMap((run) =>
    run.excluded
      ? [{ trial: run.trial, reason: run.excluded.reason, replacedBy: replacementOf(run, runs)?.trial }]
      : [],
  );
  return {
    ...{ runs: all, complete, used, generators },
    ...figure,
    ...(interval && { interval }),
    ...facts,
    ...caveatsOf({
      ...{ ...facts, excluded, bound: query.bound, excludesStalls: isLatency(metric) },
      ...tailFacts(figure, used, query),
    }),
  };
}

/** Number of operations behind a latency percentile, and whether it is at the end of the tool's scale. */
function tailFacts(
  { value, basis }: Pick<CellResult, 'value' | 'basis'>,
  used: readonly RunFigures[],
  { metric, longest, pick }: CellQuery,
): { clipped?: true; tail?: Tail } {
  const percentile = isLatency(metric) ? percentileIn(metric) : undefined;
  if (percentile === undefined || value === undefined || basis === undefined) return {};
  const counts = used.map((run) => operationsOf(run, basis.from));
  const known = counts.filter((count) => count !== undefined);
  const isTogether = basis.from === 'histogram' && pick === undefined;
  const operations = isTogether ? known.reduce((sum, count) => sum + count, 0) : Math.min(...known);
  return {
    ...(longest !== undefined && value >= longest && { clipped: true }),
    ...(known.length === counts.length && {
      tail: { operations, slower: operations * (1 - percentile / 100), bySecond: basis.from === 'seconds' },
    }),
  };
}

/** Operations behind a run's percentile; for `seconds`, those of one second. Undefined if the tool counts operations other than these. */
function operationsOf({ sources, pace, facts }: RunFigures, from: FigureBasis['from']): number | undefined {
  if (from === 'histogram') return (sources.get('histogram') ?? sources.get('histogram/whole'))?.weight;
  if (pace?.rate === undefined || !pace.isOfLatency) return undefined;
  return from === 'seconds' ? (pace.rate * facts.seconds) / facts.count : pace.rate * pace.seconds;
}

/** Seconds of each generator of these runs, in document order. */
function generatorsOf(
  workings: Workings,
  runs: readonly RunRow[],
  { metric, cut }: Pick<CellQuery, 'metric' | 'cut'>,
): MeasuredCell['generators'] {
  const cuts = runs.map((run): CutRun => ({ run, cut: cut ?? run.warmup }));
  const spreads = generatorFacts(workings, cuts, metric);
  const hosts = runs.find((run) => run.jobs.length > 1)?.jobs.map(({ host }) => host) ?? [];
  return hosts.flatMap((host, index) => {
    const spread = spreads[index];
    return spread ? [{ host, value: ofSeconds(metric, spread), spread }] : [];
  });
}

/** The figure from seconds alone. Percentiles and maxima are never averaged. */
function ofSeconds(metric: string, { mean, median, min, max }: Spread): number {
  const statistic = statisticOf(metric);
  return statistic === 'percentile' ? median : statistic === 'maximum' ? max : statistic === 'minimum' ? min : mean;
}

/** Errors counted by the tool; 0 if it counts none. */
export const errorsOf = (run: RunRow, failures: readonly string[]): number =>
  failures.reduce((sum, key) => sum + (run.summary[key] ?? 0), 0);

/**
 * Combines the figures of these runs. Rates and means are weighted. A percentile is taken over all events if they are known, else it is
 * that of the middle run, never a mean. A maximum is the largest. `pick` selects the figure of one run instead. `median` is the median of
 * all seconds of these runs.
 */
function cellFigure(
  metric: string,
  runs: readonly RunFigures[],
  { median, pick }: { median(): number | undefined; pick?: ChosenPick | undefined },
): Pick<CellResult, 'value' | 'basis' | 'range'> & { means: number[] } {
  const source = sourceOf(metric, runs);
  if (source === undefined) return { means: [] };
  const figures = runs.map(({ sources }) => figureFrom(sources, source) as RunFigure);
  const means = figures.map(({ value }) => value);
  const statistic = statisticOf(metric);
  const hasRange =
    pick !== undefined || statistic === 'percentile' || statistic === 'maximum' || statistic === 'minimum';
  const value = pick
    ? picked(pick, means, metricOf(metric))
    : source === 'seconds' && statistic === 'percentile'
      ? (median() ?? Number.NaN)
      : together(metric, figures);
  return {
    means,
    ...(value !== undefined && { value }),
    basis: basisOf(source, pick),
    ...(hasRange && means.length > 1 && { range: { low: Math.min(...means), high: Math.max(...means) } }),
  };
}

function together(metric: string, figures: readonly RunFigure[]): number {
  const values = figures.map(({ value }) => value);
  switch (statisticOf(metric)) {
    case 'maximum':
      return Math.max(...values);
    case 'minimum':
      return Math.min(...values);
    case 'percentile': {
      const histograms = figures.flatMap(({ histogram }) => (histogram ? [histogram] : []));
      const merged = percentileOf(mergeHistograms(histograms), percentileIn(metric) ?? 50);
      return histograms.length === figures.length && merged !== undefined ? merged : middleOf(values);
    }
    default: {
      if (figures.length === 1) return values[0] as number;
      const total = figures.reduce((sum, { weight }) => sum + weight, 0);
      const sum = figures.reduce((all, { value, weight }) => all + value * weight, 0);
      return total > 0 ? sum / total : values.reduce((all, value) => all + value, 0) / values.length;
    }
  }
}

/** The middle one of these measured values; of an even number, the worse of the two in the middle. */
const middleOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;

/** Stalls of these runs combined. Undefined unless known for all of them. */
export function stallsTogether(runs: readonly (Stalls | undefined)[]): StallFigures | undefined {
  const known = runs.filter((stalls) => stalls !== undefined);
  const seconds = known.reduce((sum, stalls) => sum + stalls.seconds, 0);
  if (known.length === 0 || known.length < runs.length || seconds === 0) return undefined;
  return {
    count: known.reduce((sum, { count }) => sum + count, 0),
    longest: Math.max(...known.map(({ longest }) => longest)),
    share: known.reduce((sum, { stalled }) => sum + stalled, 0) / seconds,
  };
}

/** Other work waits no longer than this, unless a single step takes longer. */
const TURN_MS = 20;

/**
 * Yields to other work; throws if `signal` has been aborted. Also needed between short pieces of work: many in a row block the engine as
 * one long one does.
 */
export async function yieldTurn(signal?: AbortSignal): Promise<void> {
  await nextTurn();
  signal?.throwIfAborted();
}

/** Runs work of many steps in slices of some milliseconds, so trials are recorded and pages served in between. `signal` stops it. */
export async function cooperatively<T>(work: Generator<void, T>, signal?: AbortSignal): Promise<T> {
  let began = performance.now();
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value;
    if (performance.now() - began < TURN_MS) continue;
    await yieldTurn(signal);
    began = performance.now();
  }
}
