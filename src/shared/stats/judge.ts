import { metricOf, statisticOf, VARIATION } from '../metrics/index.ts';
import { type Figured, loadLimitsOf } from '../model/figure.ts';
import type { Verdict } from '../model/result.ts';
import { centreOf, type Noise, noiseOf, type Repeats } from './noise.ts';
import { type Levels, repeatsToFind, repeatsToSettle, type Side } from './settling.ts';
import { studentQuantile, studentTail } from './student.ts';

/** Share below which a difference does not matter, by default. */
export const USUAL_MARGIN = 0.03;
/** The same for a variation: over a minute of independent seconds it is known within 9 %, and no repeats resolve 3 %. */
const MARGIN_OF_VARIATION = 0.25;
export const marginOf = (metric: string): number => (metric === VARIATION ? MARGIN_OF_VARIATION : USUAL_MARGIN);
/** Chance of any false alarm among all cells of a comparison. */
const LEVEL = 0.05;

/** The part of that chance that applies to a test after repeats were added; `more`: after this many further additions. */
const levelOf = (pair: JudgedPair | undefined, more = 0): number => LEVEL / 4 ** ((pair?.additions ?? 0) + more);

export interface JudgedPair {
  readonly baseline: Repeats;
  readonly other: Repeats;
  /** Number of additions of repeats after an earlier test. Each later test has a quarter of the false-alarm chance of the previous one. */
  readonly additions?: number;
}

export interface Judgement {
  /** Ratio of the displayed means, other / baseline. */
  readonly ratio: number;
  /**
   * Interval that contains the true ratio, with 95 % for all pairs simultaneously (Bonferroni). Holm decides more than these intervals do:
   * then it ends at the limit that was shown, at 1 or at the margin.
   */
  readonly low: number;
  readonly high: number;
  /** The ratio is not 1: Welch's t test on the logarithms of the means, Holm over all pairs, 5 %. */
  readonly differs: boolean;
  /** It lies between 1 / (1 + margin) and 1 + margin: two one-sided tests, Holm over all pairs, 5 %. */
  readonly within: boolean;
  /** A side has few repeats, so its spread includes that of all cells. */
  readonly pooled: boolean;
  /**
   * For a pair without either: number of additional repeats of each side that would resolve it. `by`: a difference of the margin
   * (`repeatsToSettle`) or, if that takes too many, one about as large as measured (`repeatsToFind`). Absent: too many for both.
   */
  readonly more?: { readonly repeats: number; readonly by: 'margin' | 'measured' };
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
  /** Number of pairs that these were selected from by their measurements. Default: the given ones. */
  readonly among?: number;
}

/**
 * Tests all pairs of a comparison together; undefined for those with a side that cannot be judged. Repeats shared by several pairs, as
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
  const sideOf = (group: Repeats): Side => ({ ...(noise.get(group) as Noise), count: group.values.length });
  const tests = Math.max(among, judged.length);
  const limit = Math.log1p(margin);
  const pDifferent = ({ difference, error, freedom }: Estimate): number =>
    2 * studentTail(Math.abs(difference) / error, freedom);
  const pEquivalent = ({ difference, error, freedom }: Estimate): number =>
    studentTail((limit - Math.abs(difference)) / error, freedom);
  const different = holm(estimates.map(pDifferent), tests);
  const equivalent = holm(estimates.map(pEquivalent), tests);
  const differ = different.map((p, index) => p <= levelOf(judged[index]));
  const areEquivalent = equivalent.map((p, index) => p <= levelOf(judged[index]));
  // Resolved cells leave the multiple-testing correction: additional repeats have to meet that of the others.
  const remaining = {
    different: tests - differ.filter(Boolean).length,
    equivalent: tests - areEquivalent.filter(Boolean).length,
  };
  const judgements = new Map(
    judged.map((pair, index) => {
      const { difference, error, freedom, pooled } = estimates[index] as Estimate;
      const half = studentQuantile(1 - levelOf(pair) / 2 / tests, freedom) * error;
      const [differs, within] = [differ[index] as boolean, areEquivalent[index] as boolean];
      const next = levelOf(pair, 1);
      const levels = { different: next / remaining.different, equivalent: next / remaining.equivalent };
      const more =
        differs || within
          ? undefined
          : moreFor([sideOf(pair.baseline), sideOf(pair.other)], estimates[index] as Estimate, limit, levels);
      const judgement: Judgement = {
        ratio: Math.exp(difference),
        low: Math.exp(
          Math.max(difference - half, within ? -limit : -Infinity, differs && difference > 0 ? 0 : -Infinity),
        ),
        high: Math.exp(
          Math.min(difference + half, within ? limit : Infinity, differs && difference < 0 ? 0 : Infinity),
        ),
        ...{ differs, within, pooled },
        ...(more !== undefined && { more }),
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
    difference: Math.log(centreOf(other) / centreOf(baseline)),
    error: Math.sqrt(a + b),
    freedom: (a + b) ** 2 / (a ** 2 / ofBaseline.freedom + b ** 2 / ofOther.freedom),
    pooled: ofBaseline.pooled || ofOther.pooled,
  };
}

function moreFor(
  sides: readonly [Side, Side],
  { difference, error }: Estimate,
  limit: number,
  levels: Levels,
): Judgement['more'] {
  const settling = repeatsToSettle(...sides, limit, levels);
  if (settling !== undefined) return { repeats: settling, by: 'margin' };
  // The measured difference is as likely too large as too small: one standard error less is assumed.
  const size = Math.abs(difference) - error;
  const finding = size > limit ? repeatsToFind(...sides, size, levels) : undefined;
  return finding === undefined ? undefined : { repeats: finding, by: 'measured' };
}

/**
 * p values of several tests, adjusted so that comparing each with a level bounds the chance of any false alarm among all of them by that
 * level, whatever their dependence (Holm 1979). In the given order. `among`: total number of tests, including those not passed here.
 */
export function holm(values: readonly number[], among = values.length): number[] {
  const order = values.map((value, index) => ({ value, index })).sort((a, b) => a.value - b.value);
  const adjusted = new Array<number>(values.length);
  let highest = 0;
  order.forEach(({ value, index }, rank) => {
    highest = Math.min(1, Math.max(highest, value * (among - rank)));
    adjusted[index] = highest;
  });
  return adjusted;
}

/** Two figures of a metric, their ratio and its judgement. */
interface Judged {
  readonly verdict: Verdict;
  readonly ratio?: number | undefined;
  readonly baseline?: Figured | undefined;
  readonly other?: Figured | undefined;
}

/**
 * Whether a difference reflects the load instead of the system under test. least: the load limited only the better side of a rate, so the
 * true difference is at least as large. limited: it was a limit in any other way. Undefined if it was no limit, or without a ratio.
 */
export function loadLimit(
  { verdict, ratio, baseline, other }: Judged,
  metric: string,
): 'least' | 'limited' | undefined {
  const limited = [baseline, other].filter((side) => side && loadLimitsOf(side).length > 0);
  if (limited.length === 0 || ratio === undefined) return undefined;
  const isRate = metricOf(metric).better === 'higher' && statisticOf(metric) === 'rate';
  const better = verdict === 'better' ? other : verdict === 'worse' ? baseline : undefined;
  return isRate && limited.length === 1 && limited[0] === better ? 'least' : 'limited';
}

/** The parts of the load that were the limit of these pairs: “the load generator or the network”. Empty: it was none. */
export const loadLimitWords = (pairs: readonly Pick<Judged, 'baseline' | 'other'>[]): string =>
  [
    ...new Set(
      pairs.flatMap(({ baseline, other }) => [baseline, other].flatMap((side) => (side ? loadLimitsOf(side) : []))),
    ),
  ]
    .sort()
    .join(' or ');
