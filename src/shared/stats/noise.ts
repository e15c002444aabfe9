import type { CellResult } from '../model/result.ts';
import { mean, sampleVariance } from './spread.ts';

/** The repeats of one cell. */
export interface Repeats {
  /** One figure per repeat, all positive. */
  readonly values: readonly number[];
  /** Their mean as displayed, by time or events. Default: the plain mean. */
  readonly centre?: number | undefined;
  /** Smallest step in which the tool reports this metric; absent if none was seen. */
  readonly resolution?: number | undefined;
  /** Variance of a repeat, as a share squared, that its own seconds alone would cause; absent if unknown. */
  readonly within?: number | undefined;
}

export interface Noise {
  /** Variance of one repeat as a share, squared. */
  readonly variance: number;
  /** Degrees of freedom of that variance. */
  readonly freedom: number;
  /** It includes the spread of the other cells. */
  readonly pooled: boolean;
}

/** Fewer repeats hardly show their own spread: it is combined with that of all cells. */
const FEW = 4;
/** Weight of all cells against a cell with few repeats: as if it had this many more. */
const PRIOR_FREEDOM = 2;
/** With fewer degrees of freedom in all cells together, their spread is not known any better. */
const ENOUGH_FREEDOM = 8;
/** A cell that seems quieter than all together by this factor in variance was lucky: five repeats are, once in fifty times. */
const QUIETEST = 0.1;

/** Minimum share of the variance that the seconds of a run alone would cause: repeats that agree by luck are not trusted. */
const LEAST_WITHIN = 0.5;

/** Centre of ratios and intervals of repeats: the displayed mean. */
export const centreOf = ({ values, centre }: Repeats): number => centre ?? mean(values);

/**
 * Variance of a repeat as a share of the mean, squared. The variance of the logarithms is used if it is larger: one repeat that is far too
 * low changes a mean little, but is as informative as one that is far too high.
 */
export function shareVariance(values: readonly number[]): number {
  const centre = mean(values);
  return Math.max(sampleVariance(values, centre) / centre ** 2, sampleVariance(values.map(Math.log)));
}

/** Estimates the noise of all cells of a comparison at once; in the given order. */
export function noiseOf(groups: readonly Repeats[]): Noise[] {
  const own = groups.map(({ values }) => ({
    variance: shareVariance(values),
    freedom: values.length - 1,
  }));
  const freedom = own.reduce((sum, entry) => sum + entry.freedom, 0);
  const together = own.reduce((sum, entry) => sum + entry.variance * entry.freedom, 0) / Math.max(1, freedom);
  return groups.map((group, index) => {
    const { variance, freedom: ownFreedom } = own[index] as (typeof own)[number];
    const isPooled = group.values.length < FEW && freedom >= ENOUGH_FREEDOM;
    const others = isPooled
      ? (variance * ownFreedom + together * PRIOR_FREEDOM) / (ownFreedom + PRIOR_FREEDOM)
      : freedom > ownFreedom
        ? together * QUIETEST
        : 0;
    return {
      variance: Math.max(variance, others, leastVariance(group)),
      freedom: isPooled ? ownFreedom + PRIOR_FREEDOM : ownFreedom,
      pooled: isPooled,
    };
  });
}

/** Minimum variance of a repeat, whatever the repeats show. */
export const leastVariance = (group: Repeats): number =>
  Math.max(resolutionVariance(group), (group.within ?? 0) * LEAST_WITHIN);

/** Uncertainty from rounding to the tool's steps, even if all repeats are equal: uniform over one step. */
function resolutionVariance({ values, resolution = stepOf(values) }: Repeats): number {
  return (resolution / mean(values)) ** 2 / 12;
}

const MOST_DECIMALS = 9;

/** Smallest step in which values are written: 0.01 for 1.5 and 1.25, 1 for whole numbers. */
function stepOf(values: ArrayLike<number>): number {
  for (let decimals = 0; decimals < MOST_DECIMALS; decimals++) {
    const fits = (value: number): boolean =>
      Math.abs(value - Number(value.toFixed(decimals))) <= Math.abs(value) * 1e-12;
    if (Array.from(values).every(fits)) return 10 ** -decimals;
  }
  return 10 ** -MOST_DECIMALS;
}

/**
 * Smallest step between per-second values: the resolution at which the tool reports this metric (whole transactions, a bucket of its
 * histogram). For equal values, their last written decimal; undefined without values.
 */
export const resolutionOf = (values: Float64Array): number | undefined => resolutionOfAscending(values.slice().sort());

/** Like `resolutionOf`, for ascending values. */
export function resolutionOfAscending(ascending: Float64Array): number | undefined {
  if (ascending.length === 0) return undefined;
  const rounding = Math.max(Math.abs(ascending[0] as number), Math.abs(ascending.at(-1) as number)) * 1e-9;
  let smallest = Number.POSITIVE_INFINITY;
  for (let i = 1; i < ascending.length; i++) {
    const gap = (ascending[i] as number) - (ascending[i - 1] as number);
    if (gap > rounding && gap < smallest) smallest = gap;
  }
  return smallest < Number.POSITIVE_INFINITY ? smallest : stepOf(ascending.subarray(0, 1));
}

/** The complete repeats of a cell with the known parts of their noise. */
export const repeatsOfCell = (cell: CellResult): Repeats => ({
  values: cell.means,
  // For percentiles, extremes and picks, the displayed figure is a statistic other than the mean of the repeats.
  ...(cell.range === undefined && cell.value !== undefined && cell.value > 0 && { centre: cell.value }),
  resolution: cell.resolution,
  within: varianceWithinRuns(cell),
});

/** The same, one object for each cell: the spread of a cell that several others are compared with must count only once. */
export function cachedRepeats(): (cell: CellResult) => Repeats {
  const known = new Map<CellResult, Repeats>();
  return (cell) => {
    const repeats = known.get(cell) ?? repeatsOfCell(cell);
    known.set(cell, repeats);
    return repeats;
  };
}

/** Variance of a run caused by its own seconds, as a share squared: mean over the complete runs. */
function varianceWithinRuns({ runs }: CellResult): number | undefined {
  const parts = runs.flatMap(({ state, partial, spread }) =>
    state === 'done' && !partial && spread ? [spread.cv ** 2 / spread.n] : [],
  );
  return parts.length === 0 ? undefined : parts.reduce((sum, part) => sum + part, 0) / parts.length;
}
