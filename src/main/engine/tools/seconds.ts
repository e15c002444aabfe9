import type { Finding } from '../../../shared/model/finding.ts';
import { formatCount } from '../../../shared/util/format.ts';

const MOST_RANGES = 12;

/** Formats ascending seconds for display, consecutive ones (`step` seconds apart) as a range: `6–10, 14`. */
export function secondRanges(seconds: readonly number[], step = 1): string {
  const parts: string[] = [];
  let from: number | undefined;
  seconds.forEach((second, index) => {
    from ??= second;
    const next = seconds[index + 1];
    if (next !== undefined && next >= second && next - second < 1.5 * step) return;
    parts.push(from === second ? String(second) : `${from}–${second}`);
    from = undefined;
  });
  return parts.length > MOST_RANGES ? `${parts.slice(0, MOST_RANGES).join(', ')} and more` : parts.join(', ');
}

/** Intervals without progress. `what` was not completed: "operation"; `who` was idle: "the server". */
export const noProgress = (what: string, who: string, seconds: readonly number[], step = 1): Finding => ({
  code: 'no-progress',
  severity: 'warn',
  message: `No ${what} completed in ${formatCount(seconds.length, 'interval')} (second ${secondRanges(seconds, step)}): ${who} stalled, or each ${what} takes longer than an interval.`,
  next: 'Check the server’s and the host’s series at these seconds. Latencies of these intervals are unknown, not 0.',
});

/** Intervals for which the program printed no line. */
export const secondsMissing = (program: string, seconds: readonly number[], step = 1): Finding => ({
  code: 'seconds-missing',
  severity: 'warn',
  message: `${program} printed no line for ${formatCount(seconds.length, 'interval')} (second ${secondRanges(seconds, step)}).`,
  next: 'The generator was overloaded or suspended, or output was lost: check the raw output.',
});

/** Repeated seconds although none is missing. */
export const runsMixed = (program: string, seconds: readonly number[], step = 1): Finding => ({
  code: 'seconds-repeated',
  severity: 'warn',
  message: `Seconds were printed more than once (${secondRanges([...new Set(seconds)], step)}) and none is missing: outputs of several runs of ${program} are mixed line by line.`,
  next: 'Parse the output of each run separately: record it to a file of its own, or with the host name in front of each line.',
});

/** Lines that are exact duplicates of earlier ones. */
export const linesDoubled = (count: number): Finding => ({
  code: 'lines-doubled',
  severity: 'note',
  message: `${formatCount(count, 'line')} ${count === 1 ? 'appears' : 'appear'} twice, as when both streams are recorded to one file: each was counted once.`,
});
