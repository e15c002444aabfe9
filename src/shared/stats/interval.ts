import type { JudgedPair } from './judge.ts';
import { centreOf, type Noise, noiseOf, type Repeats, shareVariance } from './noise.ts';
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

/** A ratio with its 95 % interval. */
export interface MeanRatio {
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Geometric mean of the ratios of these pairs: for these cells only. Each side has its own variance, degrees of freedom by Satterthwaite.
 * Repeats shared by several pairs, as those of a baseline, are one object: they affect all of these ratios alike. Their variance counts in
 * full, and is at least that of all cells, as a lucky baseline would otherwise narrow everything. Requires repeats that can be judged;
 * undefined without pairs.
 */
export function meanRatio(pairs: readonly JudgedPair[]): MeanRatio | undefined {
  if (pairs.length === 0) return undefined;
  const shares = new Map<Repeats, number>();
  for (const { baseline, other } of pairs) {
    shares.set(other, (shares.get(other) ?? 0) + 1 / pairs.length);
    shares.set(baseline, (shares.get(baseline) ?? 0) - 1 / pairs.length);
  }
  const noises = noiseOf([...shares.keys()]);
  const usual = pooledVariance([...shares.keys()]);
  const parts = [...shares].map(([repeats, share], index) => {
    const { values } = repeats;
    const { variance, freedom } = noises[index] as Noise;
    const isShared = Math.abs(share) * pairs.length > 1.5;
    const error = (share ** 2 * Math.max(variance, isShared ? usual : 0)) / values.length;
    return { log: share * Math.log(centreOf(repeats)), error, freedom };
  });
  const log = parts.reduce((sum, part) => sum + part.log, 0);
  const error = parts.reduce((sum, part) => sum + part.error, 0);
  const freedom = error ** 2 / parts.reduce((sum, part) => sum + part.error ** 2 / part.freedom, 0);
  const half = studentQuantile(UPPER, freedom) * Math.sqrt(error);
  return { ratio: Math.exp(log), low: Math.exp(log - half), high: Math.exp(log + half) };
}

/** Variance of a repeat over all cells. */
function pooledVariance(groups: readonly Repeats[]): number {
  const freedom = groups.reduce((sum, { values }) => sum + values.length - 1, 0);
  const squares = groups.reduce((sum, { values }) => sum + shareVariance(values) * (values.length - 1), 0);
  return squares / Math.max(1, freedom);
}
