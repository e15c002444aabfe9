import type { JudgedPair } from './judge.ts';
import { centreOf, type Noise, noiseOf, type Repeats, shareVariance } from './noise.ts';
import { studentQuantile } from './student.ts';

/** A ratio with its 95 % interval. */
export interface MeanRatio {
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
}

const UPPER = 0.975;

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
