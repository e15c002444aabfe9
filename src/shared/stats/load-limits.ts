import { metricOf, statisticOf } from '../metrics/index.ts';
import { type Figured, loadLimitsOf } from '../model/figure.ts';
import type { Verdict } from '../model/result.ts';

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
