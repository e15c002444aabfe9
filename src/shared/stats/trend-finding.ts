import { metricOf } from '../metrics/index.ts';
import type { Finding } from '../model/finding.ts';
import type { SessionResult } from '../model/result.ts';
import { formatChange } from '../util/format.ts';

/** Findings where the figures of a session, or its canary, rise or fall with the order of its trials; none where that may be chance. */
export const trendFindings = (result: Pick<SessionResult, 'trend' | 'metric' | 'canary'>, name: string): Finding[] => [
  ...canaryFindings(result, name),
  ...trendOverTrials(result, name),
];

function canaryFindings({ canary }: Pick<SessionResult, 'canary'>, name: string): Finding[] {
  if (canary?.verdict !== 'drift') return [];
  return [
    {
      code: 'canary-drift',
      severity: 'warn',
      message: `“${name}”: ${canary.sentence}`,
      next: 'Compare only cells that were measured in turns. Find what changes with time: heat, neighbours on the host, data that grows, caches.',
    },
  ];
}

function trendOverTrials({ trend, metric }: Pick<SessionResult, 'trend' | 'metric'>, name: string): Finding[] {
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
