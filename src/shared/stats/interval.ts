import { shareVariance } from './noise.ts';
import { mean, sampleVariance } from './spread.ts';
import { studentQuantile } from './student.ts';

const CONFIDENCE = 0.95;
const UPPER = 1 - (1 - CONFIDENCE) / 2;

export interface MeanInterval {
  low: number;
  high: number;
}

/** 95 % interval of the mean of independent repeats (Student's t); undefined with fewer than two. */
export function meanInterval(repeats: readonly number[]): MeanInterval | undefined {
  if (repeats.length < 2) return undefined;
  const center = mean(repeats);
  const half = studentQuantile(UPPER, repeats.length - 1) * Math.sqrt(sampleVariance(repeats, center) / repeats.length);
  return { low: center - half, high: center + half };
}

/**
 * 95 % interval of the mean of repeats, on the scale of their ratios: it never reaches below zero. Undefined with fewer than two. If a
 * repeat is zero there is no such scale: the plain interval, cut at zero; uncut if values are negative by nature.
 */
export function repeatsInterval(repeats: readonly number[]): MeanInterval | undefined {
  if (!repeats.every((value) => value > 0)) {
    const plain = meanInterval(repeats);
    return plain && repeats.every((value) => value >= 0) ? { ...plain, low: Math.max(0, plain.low) } : plain;
  }
  if (repeats.length < 2) return undefined;
  const half = studentQuantile(UPPER, repeats.length - 1) * Math.sqrt(shareVariance(repeats) / repeats.length);
  const centre = mean(repeats);
  return { low: centre * Math.exp(-half), high: centre * Math.exp(half) };
}

/** With fewer repeats, their own spread is too uncertain: with two, one interval in a few is narrow by luck. */
export const LEAST_REPEATS = 3;

/**
 * Maximum reach of the 95 % interval of the mean of these repeats to either side, in per cent of the mean; undefined with fewer than two
 * repeats, or if the mean cannot be a base for it.
 */
export function reachOf(repeats: readonly number[]): number | undefined {
  const interval = repeatsInterval(repeats);
  const center = repeats.length > 0 ? mean(repeats) : 0;
  if (!interval || center <= 0) return undefined;
  return 100 * Math.max(interval.high / center - 1, 1 - interval.low / center);
}

/** Whether a cell has enough repeats: its interval reaches no farther than this percentage. */
export function isPrecise(repeats: readonly number[], percent: number): boolean {
  const reach = reachOf(repeats);
  return repeats.length >= LEAST_REPEATS && reach !== undefined && reach <= percent;
}
