import { metricOf, statisticOf } from '../metrics/index.ts';
import { type Figured, loadLimitsOf } from '../model/figure.ts';
import type { Verdict } from '../model/result.ts';

/** Two figures of a metric, and their judgement. */
interface Judged {
  readonly verdict: Verdict;
  readonly baseline?: Figured | undefined;
  readonly other?: Figured | undefined;
}

/**
 * Whether a difference reflects the load instead of the system under test. least: the load limited only the better side of a rate, so the
 * true difference is at least as large. limited: it was a limit in any other way. Undefined if it was no limit.
 */
export function loadLimit({ verdict, baseline, other }: Judged, metric: string): 'least' | 'limited' | undefined {
  const limited = [baseline, other].filter((side) => side && loadLimitsOf(side).length > 0);
  if (limited.length === 0) return undefined;
  const isRate = metricOf(metric).better === 'higher' && statisticOf(metric) === 'rate';
  const better = verdict === 'better' ? other : verdict === 'worse' ? baseline : undefined;
  return isRate && limited.length === 1 && limited[0] === better ? 'least' : 'limited';
}
