import type { Spread } from '../model/result.ts';

export function mean(values: ArrayLike<number>): number {
  // Long series of seconds have their own loop: one that sees arrays of several kinds is several times slower.
  if (values instanceof Float64Array) return meanBetween(values, 0, values.length);
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i] as number;
  return sum / values.length;
}

/** Mean of the values from one index up to another, which is excluded. */
export function meanBetween(values: Float64Array, from: number, end: number): number {
  let sum = 0;
  for (let i = from; i < end; i++) sum += values[i] as number;
  return sum / (end - from);
}

/** Sum of squared deviations over n − 1; 0 for fewer than two values. */
export function sampleVariance(values: ArrayLike<number>, center = mean(values)): number {
  if (values.length < 2) return 0;
  if (values instanceof Float64Array) return squaresAbout(values, center) / (values.length - 1);
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += ((values[i] as number) - center) ** 2;
  return sum / (values.length - 1);
}

function squaresAbout(values: Float64Array, center: number): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += ((values[i] as number) - center) ** 2;
  return sum;
}

/**
 * Percentile (0 … 100) of ascending values, linear between the two nearest ranks (Hyndman and Fan's type 7: the default of R, NumPy and
 * spreadsheets).
 */
export function percentile(ascending: ArrayLike<number>, p: number): number {
  if (ascending.length === 0) return Number.NaN;
  const rank = ((ascending.length - 1) * p) / 100;
  const low = Math.floor(rank);
  const below = ascending[low] as number;
  const above = ascending[Math.min(low + 1, ascending.length - 1)] as number;
  return below + (above - below) * (rank - low);
}

/** Mean, median, tails and coefficient of variation of per-second values; undefined without values. */
export const spreadOf = (values: Float64Array): Spread | undefined => spreadOfAscending(values.slice().sort());

/** Like `spreadOf`, for ascending values. */
export function spreadOfAscending(ascending: Float64Array): Spread | undefined {
  if (ascending.length === 0) return undefined;
  const center = mean(ascending);
  const deviation = Math.sqrt(sampleVariance(ascending, center));
  return {
    n: ascending.length,
    mean: center,
    median: percentile(ascending, 50),
    p5: percentile(ascending, 5),
    p25: percentile(ascending, 25),
    p75: percentile(ascending, 75),
    p95: percentile(ascending, 95),
    min: ascending[0] as number,
    max: ascending[ascending.length - 1] as number,
    cv: center === 0 ? 0 : deviation / Math.abs(center),
  };
}

/** Merges ascending lists into one. */
export function mergeAscending(parts: readonly Float64Array[]): Float64Array {
  if (parts.length <= 1) return parts[0] ?? new Float64Array(0);
  const half = parts.length >> 1;
  return merged(mergeAscending(parts.slice(0, half)), mergeAscending(parts.slice(half)));
}

function merged(one: Float64Array, other: Float64Array): Float64Array {
  const all = new Float64Array(one.length + other.length);
  let [left, right, at] = [0, 0, 0];
  while (left < one.length && right < other.length) {
    const [a, b] = [one[left] as number, other[right] as number];
    const isLeft = a <= b;
    all[at++] = isLeft ? a : b;
    if (isLeft) left++;
    else right++;
  }
  all.set(left < one.length ? one.subarray(left) : other.subarray(right), at);
  return all;
}
