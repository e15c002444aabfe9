import { formatBytes, formatClock, formatCount, formatDuration, formatNumber, formatShort } from '../util/format.ts';
import { type ComparedCounters, type CounterDifference, type KeptCapture, SIZES } from './capture.ts';

const MOMENTS: Readonly<Record<KeptCapture['moment'], string>> = {
  start: 'before the start',
  end: 'after the end',
  stall: 'stall or dip',
  event: 'event',
  every: 'interval',
};

/** The moment of a capture: “stall or dip, 0:42”. */
export const momentWords = ({ moment, t }: Pick<KeptCapture, 'moment' | 't'>): string =>
  t === undefined || moment === 'end' ? MOMENTS[moment] : `${MOMENTS[moment]}, ${formatClock(Math.floor(t))}`;

/** Captures of the document, before the sizes that every run stores. */
export const ownFirst = (kept: readonly KeptCapture[]): KeptCapture[] => [
  ...kept.filter(({ name }) => name !== SIZES),
  ...kept.filter(({ name }) => name === SIZES),
];

/** A row of a list of captures. A difference with both ends is one row, placed where its start is. */
export interface KeptEntry extends KeptCapture {
  readonly isDifference: boolean;
}

/** The captures of one run as rows of a list. */
export function keptEntries(kept: readonly KeptCapture[]): KeptEntry[] {
  const isThere = (name: string, moment: KeptCapture['moment']): boolean =>
    kept.some((each) => each.name === name && each.moment === moment && each.bytes > 0);
  return ownFirst(kept).flatMap((each): KeptEntry[] => {
    const isWhole = each.as === 'difference' && isThere(each.name, 'start') && isThere(each.name, 'end');
    if (isWhole && each.moment === 'end') return [];
    return [{ ...each, isDifference: isWhole && each.moment === 'start' }];
  });
}

export const entryWords = (entry: KeptEntry): string => (entry.isDifference ? 'start to end' : momentWords(entry));

/** Stored and truncated size: “1.0 MiB, truncated: 3.2 MiB more”. */
export function sizeWords({ bytes, left }: Pick<KeptCapture, 'bytes' | 'left'>): string {
  const more = left && (left.unit === 'bytes' ? formatBytes(left.count) : formatCount(left.count, 'row'));
  return `${formatBytes(bytes)}${more ? `, truncated: ${more} more` : ''}`;
}

/** Why nothing is stored, and how often in a row; empty if something is and there is no problem. */
export const problemWords = ({ problem, times }: Pick<KeptCapture, 'problem' | 'times'>): string =>
  problem === undefined ? '' : `${problem}${times > 1 ? ` (${formatNumber(times)} times in a row)` : ''}`;

const plural = (word: string): string => `${word}s`.replace(/ys$/, 'ies');

/** Growth of a counter: counts are whole numbers. */
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
