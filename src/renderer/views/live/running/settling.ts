import { metricOf } from '../../../../shared/metrics/index.ts';
import type { Run } from '../../../../shared/model/session.ts';
import { LEAST_VALUES, type Points, steadinessOf } from '../../../../shared/stats/index.ts';
import { formatChange } from '../../../../shared/util/format.ts';
import type { LiveSamples } from '../stream/live-store.ts';
import { wholeOfLive } from './running-lines.ts';

/** State of the running trial's warm-up so far; undefined for a metric that is not a throughput, and before the first second. */
export function settlingWords(run: Run, samples: readonly LiveSamples[], metric: string): string | undefined {
  const points = metricOf(metric).better === 'higher' ? pointsOf(run, samples, metric) : undefined;
  const now = points?.t.at(-1);
  if (!points || now === undefined) return undefined;
  if (now <= run.warmup) return `Warming up: second ${Math.round(now)} of ${run.warmup}.`;
  const steady = steadinessOf([points], run.warmup);
  if (steady.verdict === 'settled') return 'Settled so far: no change of 10 % or more since the warm-up.';
  if (steady.verdict === 'trend')
    return `Not settled: throughput has changed by ${formatChange(steady.change)} since the warm-up.`;
  if (steady.verdict === 'step')
    return `Not at one level: throughput changed by ${formatChange(steady.change)} at second ${Math.round(steady.at)}.`;
  if (steady.verdict === 'uneven')
    return `Not steady: throughput was ${formatChange(steady.change)} from second ${Math.round(steady.at)} to ${Math.round(steady.until)}.`;
  return steady.seconds < LEAST_VALUES
    ? `Steady state: needs ${LEAST_VALUES} samples, ${steady.seconds} so far.`
    : 'Steady state: unclear, throughput varies too much.';
}

function pointsOf(run: Run, samples: readonly LiveSamples[], metric: string): Points | undefined {
  const whole = wholeOfLive(run, samples, metric);
  if (whole || samples.length !== 1) return whole;
  const v = samples[0]?.columns[metric];
  return v && samples[0] && { t: samples[0].t, v };
}
