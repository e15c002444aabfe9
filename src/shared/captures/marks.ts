import type { LinePattern } from '../patterns/index.ts';

/** A log line that matches a pattern. */
export interface LogMark {
  /** Epoch milliseconds by the clock of its host. */
  readonly at: number;
  readonly label: string;
}

/** A log that repeats one line has more; only its first lines are marked. */
const MOST = 100;
const LONGEST = 120;

/** MariaDB writes hours before ten with a space in place of the zero, ClickHouse dates with points. */
const DATE =
  /(\d{4})[-/.](\d\d)[-/.](\d\d)(?:T| {1,2})(\d{1,2}):(\d\d):(\d\d)(?:[.,](\d{1,9})\d*)?\s?(Z\b|UTC\b|GMT\b|[+-]\d\d:?\d\d\b)?/;
const EPOCH = /(?:^|[^\d.])(\d{10})(?:\.(\d{1,9}))?(?!\d)/;

const fraction = (digits: string | undefined): number => (digits ? 1000 * Number(`0.${digits}`) : 0);

function zoneOf(words: string | undefined, hostMinutes: number): number {
  if (words === undefined) return hostMinutes;
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d\d):?(\d\d)$/.exec(words) ?? [];
  return sign === undefined ? 0 : (sign === '-' ? -1 : 1) * (60 * Number(hours) + Number(minutes));
}

/** The time in a line, epoch milliseconds; a date without a zone is in that of its host. Undefined if there is none. */
export function timeIn(line: string, hostMinutes: number): number | undefined {
  const found = DATE.exec(line);
  if (found) {
    const [, year, month, day, hour, minute, second, digits, zone] = found;
    const utc = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
    return utc + fraction(digits) - 60_000 * zoneOf(zone, hostMinutes);
  }
  const [, seconds, digits] = EPOCH.exec(line) ?? [];
  return seconds === undefined ? undefined : 1000 * Number(seconds) + fraction(digits);
}

/**
 * Log lines that match one of these patterns, with their times. The label is the group `mark` of the pattern, otherwise the text after the
 * time. A group `time` contains the time; otherwise it is searched in the line. `hostMinutes`: offset of the host's zone, east of UTC.
 */
export function marksIn(text: string, patterns: readonly LinePattern[], hostMinutes: number): LogMark[] {
  const marks: LogMark[] = [];
  for (const line of text.split('\n')) {
    if (marks.length >= MOST) break;
    const groups = patterns.map((pattern) => pattern.match(line)).find((each) => each !== undefined);
    const at = groups && timeIn(groups.get('time') ?? line, hostMinutes);
    if (!groups || at === undefined) continue;
    const behind = line.replace(/^.*?\d{1,2}:\d\d:\d\d\S*\s*(?:UTC|GMT|Z)?\s*/, '').trim();
    const label = (groups.get('mark') ?? (behind || line)).trim();
    marks.push({ at, label: label.length > LONGEST ? `${label.slice(0, LONGEST - 1)}…` : label });
  }
  return marks;
}

/** “+0200” of `date +%z` as minutes east of UTC; 0 for anything else. */
export const zoneMinutes = (words: string): number => (/^[+-]\d{4}$/.test(words) ? zoneOf(words, 0) : 0);
