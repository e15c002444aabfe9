import { formatBytes, formatClock, formatCount, formatDuration, formatNumber, formatShort } from '../util/format.ts';
import type { ComparedCounters, CounterDifference, KeptCapture } from './capture.ts';

const MOMENTS: Readonly<Record<KeptCapture['moment'], string>> = {
  start: 'before the start',
  end: 'after the end',
  stall: 'stall or dip',
  event: 'event',
  every: 'interval',
};

/** When a capture was taken: “stall or dip, 0:42”. */
export const momentWords = ({ moment, t }: Pick<KeptCapture, 'moment' | 't'>): string =>
  t === undefined || moment === 'end' ? MOMENTS[moment] : `${MOMENTS[moment]}, ${formatClock(Math.floor(t))}`;

/** How much of it is kept, and how much is not: “1.0 MiB, cut: 3.2 MiB more”. */
export function sizeWords({ bytes, left }: Pick<KeptCapture, 'bytes' | 'left'>): string {
  const more = left && (left.unit === 'bytes' ? formatBytes(left.count) : formatCount(left.count, 'row'));
  return `${formatBytes(bytes)}${more ? `, cut: ${more} more` : ''}`;
}

/** Why nothing is kept, and how often in a row; empty: something is, and nothing is wrong with it. */
export const problemWords = ({ problem, times }: Pick<KeptCapture, 'problem' | 'times'>): string =>
  problem === undefined ? '' : `${problem}${times > 1 ? ` (${formatNumber(times)} times in a row)` : ''}`;

const plural = (word: string): string => `${word}s`.replace(/ys$/, 'ies');

/** How much a counter grew: counts are whole numbers. */
export const growthWords = (by: number): string => (Number.isInteger(by) ? formatNumber(by) : formatShort(by));

/** Time and work of a difference: “in 62 s, with 12,345 transactions; 40 rows did not change”. */
export function differenceWords({ seconds, operations, unchanged }: CounterDifference): string {
  const work = operations && `, with ${formatNumber(Math.round(operations.count))} ${plural(operations.word)}`;
  const same = unchanged > 0 ? `; ${formatCount(unchanged, 'row')} did not change` : '';
  return `in ${formatDuration(Math.round(seconds))}${work ?? ''}${same}`;
}

/** The basis of the figures of a profile: “means of 3 runs and 3 runs”. */
export const profileWords = ({ runs }: ComparedCounters): string =>
  `means of ${formatCount(runs.one, 'run')} and ${formatCount(runs.other, 'run')}`;
