import { metricOf } from '../../../../shared/metrics/index.ts';
import type { Run } from '../../../../shared/model/session.ts';
import type { LiveSamples } from '../stream/live-store.ts';
import { wholeOfLive } from './running-lines.ts';

/** How far one generator may be behind the others for there to be a second that counts as new. */
const NEW_POINTS = 60;

/**
 * The newest figure of a running trial, if any: of several generators the newest second that all have told of. Two figures, the lowest
 * and the highest of their newest, where these cannot be put together.
 */
export function newest(metric: string, run: Run, samples: readonly LiveSamples[]): readonly number[] {
  const several = samples.length > 1 || (run.generators?.length ?? 0) > 1;
  if (several && metricOf(metric).combine !== 'none')
    return [...(wholeOfLive(run, samples.map(tailOf(metric)), metric)?.v.slice(-1) ?? [])];
  const values = samples.flatMap((entry) => entry.columns[metric]?.at(-1) ?? []).filter(Number.isFinite);
  return several && values.length > 1 ? [Math.min(...values), Math.max(...values)] : values;
}

const tailOf =
  (metric: string) =>
  ({ columns, t, ...entry }: LiveSamples): LiveSamples => ({
    ...entry,
    t: t.subarray(-NEW_POINTS),
    columns: columns[metric] ? { [metric]: columns[metric].subarray(-NEW_POINTS) } : {},
  });
