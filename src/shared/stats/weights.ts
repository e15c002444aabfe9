import type { Spread } from '../model/result.ts';
import { sum } from '../util/numbers.ts';
import { mean, percentile, sampleVariance, spreadOf, spreadOfAscending } from './spread.ts';

/** Values of a window of time, each with the number of usual intervals that it covers. */
export interface Weighted {
  readonly values: Float64Array;
  /**
   * 1 for an ordinary interval; 12 for a line that arrived 12 s after the previous one, if lines usually arrive each second. Absent in the
   * normal case that all cover the same.
   */
  readonly weights?: Float64Array;
  /** Seconds that they cover together. */
  readonly seconds: number;
}

/** Intervals that differ from the usual length by less than this are jitter of a tool's clock. */
const JITTER = 0.5;

/**
 * The time that each value of a series covers: since the value before it, or since the start of the window. `t`: ends of the intervals in
 * seconds, `from`: end of the last interval before them.
 */
export function weightByTime(t: Float64Array, values: Float64Array, from: number): Weighted {
  const even = evenSeconds(t, from);
  if (even !== undefined) return { values, seconds: even };
  const lengths = new Float64Array(t.length);
  let before = from;
  for (let i = 0; i < t.length; i++) {
    lengths[i] = Math.max(0, (t[i] as number) - before);
    before = Math.max(before, t[i] as number);
  }
  const usual = percentile(lengths.filter((length) => length > 0).sort(), 50);
  const weights = lengths.map((length) => {
    const share = length / usual;
    return Math.abs(share - 1) <= JITTER ? 1 : share;
  });
  // Without a length, as for a single value at second 0, all count the same.
  if (!(usual > 0)) return { values, seconds: values.length };
  return { values, weights, seconds: sum(lengths) };
}

/** Total seconds of intervals of equal length; undefined if their lengths differ, or are zero. */
export function evenSeconds(t: Float64Array, from: number): number | undefined {
  const first = (t[0] ?? 0) - from;
  if (!(first > 0)) return undefined;
  let [seconds, before] = [0, from];
  for (let i = 0; i < t.length; i++) {
    const end = t[i] as number;
    if (end - before !== first) return undefined;
    seconds += first;
    before = end;
  }
  return seconds;
}

function areAll(values: Float64Array, value: number): boolean {
  for (let i = 0; i < values.length; i++) if (values[i] !== value) return false;
  return true;
}

/** Merges several windows. */
export function together(parts: readonly Weighted[]): Weighted {
  const length = parts.reduce((sum, { values }) => sum + values.length, 0);
  const join = (all: Float64Array, pick: (part: Weighted) => Float64Array | undefined): Float64Array => {
    let filled = 0;
    for (const part of parts) {
      const own = pick(part);
      if (own) all.set(own, filled);
      filled += part.values.length;
    }
    return all;
  };
  return {
    values: join(new Float64Array(length), ({ values }) => values),
    ...(parts.some(({ weights }) => weights) && {
      weights: join(new Float64Array(length).fill(1), ({ weights }) => weights),
    }),
    seconds: parts.reduce((sum, { seconds }) => sum + seconds, 0),
  };
}

/**
 * Spread of the seconds, each value counted once per interval that it covers: the mean by exact weights, the rest by whole intervals. For
 * values that all cover the same it is their plain spread. `ascending`: the values in order, if known.
 */
export function weightedSpread({ values, weights }: Weighted, ascending?: Float64Array): Spread | undefined {
  if (!weights || areAll(weights, 1)) return ascending ? spreadOfAscending(ascending) : spreadOf(values);
  let [sum, total] = [0, 0];
  values.forEach((value, index) => {
    sum += value * (weights[index] as number);
    total += weights[index] as number;
  });
  const counted = Float64Array.from(
    [...values].flatMap((value, index) => Array.from({ length: Math.round(weights[index] as number) }, () => value)),
  );
  const spread = spreadOf(counted.length > 0 ? counted : values);
  if (!spread || total === 0) return spread;
  const center = sum / total;
  const deviation = Math.sqrt(sampleVariance(counted.length > 0 ? counted : values, center));
  return { ...spread, mean: center, cv: center === 0 ? 0 : deviation / Math.abs(center) };
}

/** Mean of values by their weights; without weights, the plain mean. */
export function weightedMean(values: Float64Array, weights: Float64Array | undefined): number {
  if (!weights) return mean(values);
  let [sum, total] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    sum += (values[i] as number) * (weights[i] as number);
    total += weights[i] as number;
  }
  return total > 0 ? sum / total : mean(values);
}
