import { holm } from './holm.ts';
import { type Noise, noiseOf, type Repeats } from './noise.ts';
import { mean } from './spread.ts';
import { studentQuantile, studentTail } from './student.ts';

/** Share below which a difference does not matter, where nobody says otherwise. */
export const USUAL_MARGIN = 0.03;
/** Chance of any false alarm among all cells of a comparison. */
const LEVEL = 0.05;

export interface JudgedPair {
  readonly baseline: Repeats;
  readonly other: Repeats;
}

export interface Judgement {
  /** Of the geometric means, other / baseline. */
  readonly ratio: number;
  /** Interval that holds the true ratio, those of all pairs at the same time with 95 % (Bonferroni). */
  readonly low: number;
  readonly high: number;
  /** The ratio is not 1: Welch's t test on the logarithms, Holm over all pairs, 5 %. */
  readonly differs: boolean;
  /** It lies between 1 / (1 + margin) and 1 + margin: two one-sided tests, Holm over all pairs, 5 %. */
  readonly within: boolean;
  /** A side has few repeats, and the spread of all cells has gone into its own. */
  readonly pooled: boolean;
}

/** Whether repeats can be judged: two or more, none of them zero or below. */
export const isJudgeable = ({ values }: Repeats): boolean => values.length >= 2 && values.every((value) => value > 0);

interface Estimate {
  readonly difference: number;
  readonly error: number;
  readonly freedom: number;
  readonly pooled: boolean;
}

interface Judging {
  /** Share below which a difference does not matter. */
  readonly margin?: number;
  /** Pairs that these were chosen from for what they measured; those given if absent. */
  readonly among?: number;
}

/**
 * Judges all pairs of a comparison together; undefined for those with a side that cannot be judged. Repeats that several pairs share, as
 * those of a baseline, are one object, and count once.
 */
export function judge(
  pairs: readonly JudgedPair[],
  { margin = USUAL_MARGIN, among = 1 }: Judging = {},
): (Judgement | undefined)[] {
  const judged = pairs.filter(({ baseline, other }) => isJudgeable(baseline) && isJudgeable(other));
  const groups = [...new Set(judged.flatMap(({ baseline, other }) => [baseline, other]))];
  const noises = noiseOf(groups);
  const noise = new Map(groups.map((group, index) => [group, noises[index] as Noise]));
  const estimates = judged.map((pair) =>
    estimate(pair, noise.get(pair.baseline) as Noise, noise.get(pair.other) as Noise),
  );
  const tests = Math.max(among, judged.length);
  const limit = Math.log1p(margin);
  const pApart = ({ difference, error, freedom }: Estimate): number =>
    2 * studentTail(Math.abs(difference) / error, freedom);
  const pAlike = ({ difference, error, freedom }: Estimate): number =>
    studentTail((limit - Math.abs(difference)) / error, freedom);
  const apart = holm(estimates.map(pApart), tests);
  const alike = holm(estimates.map(pAlike), tests);
  const confidence = 1 - LEVEL / 2 / tests;
  const judgements = new Map(
    judged.map((pair, index) => {
      const { difference, error, freedom, pooled } = estimates[index] as Estimate;
      const half = studentQuantile(confidence, freedom) * error;
      const judgement: Judgement = {
        ratio: Math.exp(difference),
        low: Math.exp(difference - half),
        high: Math.exp(difference + half),
        differs: (apart[index] as number) <= LEVEL,
        within: (alike[index] as number) <= LEVEL,
        pooled,
      };
      return [pair, judgement];
    }),
  );
  return pairs.map((pair) => judgements.get(pair));
}

/** Welch: each side with its own variance, degrees of freedom by Satterthwaite. */
function estimate({ baseline, other }: JudgedPair, ofBaseline: Noise, ofOther: Noise): Estimate {
  const a = ofBaseline.variance / baseline.values.length;
  const b = ofOther.variance / other.values.length;
  return {
    difference: mean(other.values.map(Math.log)) - mean(baseline.values.map(Math.log)),
    error: Math.sqrt(a + b),
    freedom: (a + b) ** 2 / (a ** 2 / ofBaseline.freedom + b ** 2 / ofOther.freedom),
    pooled: ofBaseline.pooled || ofOther.pooled,
  };
}
