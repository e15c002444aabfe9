import { metricOf } from '../metrics/index.ts';
import type { Finding } from '../model/finding.ts';
import type { SessionResult } from '../model/result.ts';
import { formatChange } from '../util/format.ts';

/** A finding where the figures of a session rise or fall with the order of its trials; none where that may be chance. */
export function trendFindings({ trend, metric }: Pick<SessionResult, 'trend' | 'metric'>, name: string): Finding[] {
  if (!trend) return [];
  const [change, low, high] = [trend.ratio, trend.low, trend.high].map((ratio) => formatChange(ratio - 1));
  return [
    {
      code: 'trend-over-trials',
      severity: 'warn',
      message: `${metricOf(metric).label} of “${name}” change with the order of the trials: by ${change} from the first to the last, 99 % interval ${low} to ${high}.`,
      next: 'Something filled up, warmed up or slowed down during the session. Compare only cells that were measured in turns; a longer warm-up or fresh data may end it.',
    },
  ];
}
