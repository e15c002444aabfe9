import { metricOf, percentileIn, statisticOf } from '../../../shared/metrics/index.ts';
import { type ChosenPick, picked } from '../../../shared/model/pick.ts';
import { isCounted } from '../../../shared/model/repeats.ts';
import type { CellResult, FigureBasis, StallFigures } from '../../../shared/model/result.ts';
import { mergeHistograms, percentileOf, type Stalls, withoutStalled } from '../../../shared/stats/index.ts';
import type { RunRow } from '../store/store.ts';
import { groupFacts } from './group-facts.ts';
import {
  type FigureQuery,
  figureFrom,
  figuresOfRun,
  type RunFigure,
  type RunFigures,
  type Source,
  sourceOf,
} from './run-figures.ts';
import type { Workings } from './workings.ts';

const basisOf = (source: Source, pick: ChosenPick | undefined): FigureBasis => {
  const [from, whole] = source.split('/') as [FigureBasis['from'], 'whole' | undefined];
  return { from, ...(whole && { wholeRun: true }), ...(pick && { pick }) };
};

/** What the runs of a cell say together. */
export interface MeasuredCell extends Pick<CellResult, 'value' | 'basis' | 'range' | 'stalls' | 'partial'> {
  /** Every run that is not excluded, those without a value too. */
  readonly runs: readonly RunFigures[];
  readonly complete: readonly RunFigures[];
  /** What the figure is of: complete runs; only where there is none, partial ones. */
  readonly used: readonly RunFigures[];
  /** The figure of each complete run. */
  readonly means: number[];
}

/** The one way to the figure of a cell, for results, lists and reports. `cut`: seconds left out at the start; absent: each run's own warm-up. */
export function measuredCell(
  workings: Workings,
  runs: readonly RunRow[],
  {
    metric,
    cut,
    clients,
    pick,
  }: Omit<FigureQuery, 'cut'> & { cut?: number | undefined; pick?: ChosenPick | undefined },
): MeasuredCell {
  const counted = runs.filter(({ excluded }) => !excluded);
  const all = counted.map((run) => figuresOfRun(workings, run, { metric, cut: cut ?? run.warmup, clients }));
  const withValues = all.filter(({ sources }) => sources.size > 0);
  const complete = withValues.filter(({ run }) => isCounted(run));
  const used = complete.length > 0 ? complete : withValues;
  const median = (): number | undefined => groupFacts(workings, used, metric).spread?.median;
  const { means, ...figure } = cellFigure(metric, used, { median, pick });
  const stalls = stallsTogether(used.map((run) => run.stalls));
  return {
    runs: all,
    complete,
    used,
    ...figure,
    means: complete.length > 0 ? means : [],
    ...(stalls && { stalls }),
    partial: complete.length === 0 && used.length > 0,
  };
}

/** The complete cell with the highest or lowest figure, by what is better for the metric; undefined where neither is. */
export function bestCell<Cell extends Pick<CellResult, 'cell' | 'value' | 'partial' | 'stalls'>>(
  cells: readonly Cell[],
  metric: string,
): (Cell & { value: number }) | undefined {
  const { better } = metricOf(metric);
  if (better === 'neither') return undefined;
  const sign = better === 'lower' ? -1 : 1;
  return withoutStalled(metric, cells)
    .flatMap((cell) => (cell.value === undefined || cell.partial ? [] : [{ ...cell, value: cell.value }]))
    .reduce<(Cell & { value: number }) | undefined>(
      (best, cell) => (best && (cell.value - best.value) * sign <= 0 ? best : cell),
      undefined,
    );
}

/**
 * The figures of these runs as one. Rates and means by what they stand for; a percentile of all their events where these are known, else that
 * of the run in the middle, never a mean; a maximum is the largest. `pick`: the figure of one of them instead. `median`: of all seconds of
 * these runs.
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

/** The figure of a run that was measured; of an even number the worse one of the two in the middle. */
const middleOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;

/** How long these runs stalled together; undefined where it is not known of all of them. */
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
