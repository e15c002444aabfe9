import type { Noise } from './noise.ts';
import { studentQuantile, studentTail } from './student.ts';

/** More repeats of each side than these are not proposed. */
export const MOST_MORE = 100;
/** Probability with which the additional repeats should resolve it. */
const POWER = 0.8;

/** One side of a pair: its number of repeats, and the noise of one of them. */
export interface Side extends Pick<Noise, 'variance' | 'freedom'> {
  readonly count: number;
}

/** Confidence of the two tests: that the sides differ, and that they are within the margin. */
export interface Levels {
  readonly different: number;
  readonly equivalent: number;
}

/**
 * Number of additional repeats of each side that resolves whether two cells differ: a true difference of `limit` (a logarithm) is then
 * found, and two equal cells are then called equal within it, each four times in five. The variance is that of the repeats so far, with its
 * uncertainty taken into account. Undefined if more than `MOST_MORE` are needed.
 */
export function repeatsToSettle(baseline: Side, other: Side, limit: number, levels: Levels): number | undefined {
  return fewest((more) => {
    const { found, equal } = chances(baseline, other, more, limit, levels);
    return Math.min(found, equal) >= POWER;
  });
}

/** The same to find a difference of this size (a logarithm), regardless of smaller ones. */
export function repeatsToFind(baseline: Side, other: Side, size: number, levels: Levels): number | undefined {
  return fewest((more) => chances(baseline, other, more, size, levels).found >= POWER);
}

function fewest(settles: (more: number) => boolean): number | undefined {
  if (!settles(MOST_MORE)) return undefined;
  let [few, enough] = [0, MOST_MORE];
  while (enough - few > 1) {
    const middle = Math.floor((few + enough) / 2);
    if (settles(middle)) enough = middle;
    else few = middle;
  }
  return enough;
}

/** Probabilities that a true difference of `limit` is found, and that two equal sides are called equal within it. */
function chances(baseline: Side, other: Side, more: number, limit: number, levels: Levels) {
  const now = partsOf(baseline, other, 0);
  const then = partsOf(baseline, other, more);
  const [different, equivalent] = [
    studentQuantile(1 - levels.different / 2, then.freedom),
    studentQuantile(1 - levels.equivalent, then.freedom),
  ];
  const distance = limit / Math.sqrt(then.variance / medianShare(now.freedom));
  const found = studentTail(different - distance, then.freedom);
  const equal = Math.max(0, 1 - 2 * studentTail(distance - equivalent, then.freedom));
  return { found, equal };
}

/** Variance of the difference of two means, and its degrees of freedom by Satterthwaite. */
function partsOf(baseline: Side, other: Side, more: number): { variance: number; freedom: number } {
  const [a, b] = [baseline, other].map(({ variance, count }) => variance / (count + more)) as [number, number];
  const freedom = (a + b) ** 2 / (a ** 2 / (baseline.freedom + more) + b ** 2 / (other.freedom + more));
  return { variance: a + b, freedom };
}

/** The variance estimated from a few repeats is more often too small than too large: its median as a share of the true one. */
const medianShare = (freedom: number): number => (1 - 2 / (9 * freedom)) ** 3;
