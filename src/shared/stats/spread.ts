import type { Spread } from '../model/result.ts';

export const mean = (values: ArrayLike<number>): number => {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i] as number;
  return sum / values.length;
};

/** Sum of squared deviations over n − 1; 0 for fewer than two values. */
export function sampleVariance(values: ArrayLike<number>, center = mean(values)): number {
  if (values.length < 2) return 0;
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += ((values[i] as number) - center) ** 2;
  return sum / (values.length - 1);
}

/**
 * Percentile (0 … 100) of ascending values, linear between the two nearest ranks
 * (Hyndman and Fan's type 7: what R, NumPy and spreadsheets give by default).
 */
export function percentile(ascending: ArrayLike<number>, p: number): number {
  if (ascending.length === 0) return Number.NaN;
  const rank = ((ascending.length - 1) * p) / 100;
  const low = Math.floor(rank);
  const below = ascending[low] as number;
  const above = ascending[Math.min(low + 1, ascending.length - 1)] as number;
  return below + (above - below) * (rank - low);
}

/** Mean, median, tails and coefficient of variation of per-second values; undefined when there is none. */
export function spreadOf(values: Float64Array): Spread | undefined {
  if (values.length === 0) return undefined;
  const ascending = Float64Array.from(values).sort();
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
