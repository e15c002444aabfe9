import type { TriedLines } from '../../../../shared/contract/monitors.ts';
import { type LinePattern, readNumber, readPatterns } from '../../../../shared/patterns/index.ts';
import type { MonitorParser, MonitorRow } from '../monitor.ts';

const STAMPED = /^(\d{1,12}\.\d\d) (.*)$/;

/** Group that is a time in patterns of the command tool: here a line's time is that at which it came. */
const TIME_GROUP = 't';

/** Reads lines of a person's own command, each with its time in front, by patterns. Lines that come together are one row. */
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

  /** Lines that fit a pattern but hold no number, that have no time of their own, or are damaged. What fits no pattern is a header or the like. */
  get unread(): number {
    return this.#unread;
  }

  line(text: string): MonitorRow | undefined {
    if (text === '.') return this.#row();
    const [, time = '', printed = ''] = STAMPED.exec(text) ?? [];
    if (time === '' || printed.includes('\uFFFD')) {
      // What follows may belong to a line that was damaged: nothing of it is taken for one of the figures before.
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
    // A command that prints several intervals at once: only of the first one is it known when that was.
    this.#unread += 1;
    return undefined;
  }
}

/** What a group has matched; without a value: it is no number. */
export interface ReadFigure {
  readonly group: string;
  readonly word: string;
  readonly value?: number;
}

/** What the first pattern that fits a line reads of it; undefined where none fits. */
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

/** A person waits for the answer, and with them everything else that the engine does. */
const LONGEST_TRIAL_MS = 2000;

/**
 * What a watched command's patterns read of lines that it printed, as far as two seconds reach. Throws RangeError, whose message is a sentence,
 * where the patterns cannot be used.
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
