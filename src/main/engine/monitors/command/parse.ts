import type { TriedLines } from '../../../../shared/contract/monitors.ts';
import { type LinePattern, readNumber, readPatterns } from '../../../../shared/patterns/index.ts';
import type { MonitorParser, MonitorRow } from '../monitor.ts';

const STAMPED = /^(\d{1,12}\.\d\d) (.*)$/;

/** Group that is a time in patterns of the command tool: here a line's time is that of its arrival. */
const TIME_GROUP = 't';

/** Reads lines of a custom command, each prefixed with its time, by patterns. Lines that arrive together form one row. */
export class CommandParser implements MonitorParser {
  readonly #patterns: readonly LinePattern[];
  readonly #groups: ReadonlySet<string>;
  #t: number | undefined;
  #metrics: Record<string, number> = {};
  #unread = 0;
  #last = Number.NEGATIVE_INFINITY;

  constructor(patterns: readonly LinePattern[]) {
    this.#patterns = patterns;
    this.#groups = groupsOf(patterns);
  }

  /**
   * Lines that match a pattern but hold no number, that have no time of their own, or are damaged. A line that matches no pattern is a header or the
   * like.
   */
  get unread(): number {
    return this.#unread;
  }

  line(text: string): MonitorRow | undefined {
    if (text === '.') return this.#row();
    const [, time = '', printed = ''] = STAMPED.exec(text) ?? [];
    if (time === '' || printed.includes('\uFFFD')) {
      // The following text may belong to a damaged line: nothing of it is added to the figures before.
      this.#unread += 1;
      this.#row();
      return undefined;
    }
    this.#read(printed.replace(/\r$/, ''), Number(time));
    const whole = Object.keys(this.#metrics).length === this.#groups.size;
    return whole ? this.#row() : undefined;
  }

  #read(line: string, t: number): void {
    for (const { group, value } of figuresIn(this.#patterns, line) ?? []) {
      if (value === undefined) this.#unread += 1;
      else {
        this.#metrics[group] = value;
        this.#t ??= t;
      }
    }
  }

  #row(): MonitorRow | undefined {
    const [t, metrics] = [this.#t, this.#metrics];
    this.#t = undefined;
    this.#metrics = {};
    if (t === undefined) return undefined;
    if (t > this.#last) {
      this.#last = t;
      return { t, metrics };
    }
    // A command that prints several intervals at once: only the time of the first one is known.
    this.#unread += 1;
    return undefined;
  }
}

/** Match of a group; without a value: it is no number. */
export interface ReadFigure {
  readonly group: string;
  readonly word: string;
  readonly value?: number;
}

/** Figures that the first matching pattern reads from a line. Undefined if none matches. */
function figuresIn(patterns: readonly LinePattern[], line: string): ReadFigure[] | undefined {
  for (const pattern of patterns) {
    const found = pattern.match(line);
    if (!found) continue;
    return [...found].flatMap(([group, word]) => {
      if (group === TIME_GROUP) return [];
      const value = readNumber(word);
      return [{ group, word, ...(value !== undefined && { value }) }];
    });
  }
  return undefined;
}

/** Names of the figures. */
export const groupsOf = (patterns: readonly LinePattern[]): ReadonlySet<string> =>
  new Set(patterns.flatMap(({ groups }) => groups).filter((group) => group !== TIME_GROUP));

/** A user waits for the answer, and so does all other work of the engine. */
const LONGEST_TRIAL_MS = 2000;

/**
 * Reads lines that a custom command printed by its patterns, for at most two seconds. Throws RangeError, whose message is a sentence, if the patterns
 * are invalid.
 */
export function tryLines(pattern: string, text: string, now: () => number = () => performance.now()): TriedLines {
  const patterns = readPatterns(pattern);
  const all = text.replace(/\r?\n$/, '').split(/\r?\n/);
  const until = now() + LONGEST_TRIAL_MS;
  const lines: TriedLines['lines'] = [];
  for (const line of all) {
    if (now() > until) break;
    const figures = figuresIn(patterns, line);
    lines.push({ text: line, ...(figures && { figures }) });
  }
  return { lines, left: all.length - lines.length };
}
