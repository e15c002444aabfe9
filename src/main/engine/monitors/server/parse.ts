import type { MonitorParser, MonitorRow } from '../monitor.ts';

const STAMPED = /^(\d{1,12}\.\d\d) /;
/** Questions that waited for a server that hung are answered one right after the other: only the first answer is a second of its own. */
const LEAST_APART_S = 0.1;

/** Reads answers of a server, each with its time in front. What its client says besides, of a refused login say, is kept as its words. */
export class ServerParser implements MonitorParser {
  readonly #read: (line: string) => MonitorRow['metrics'] | undefined;
  #last = Number.NEGATIVE_INFINITY;
  #said: string | undefined;
  unread = 0;

  constructor(read: (line: string) => MonitorRow['metrics'] | undefined) {
    this.#read = read;
  }

  /** The last line that was no answer, since the last that was one. */
  get said(): string | undefined {
    return this.#said;
  }

  line(text: string): MonitorRow | undefined {
    // Of the program that writes the times.
    if (text === '.') return undefined;
    const [before = '', time = ''] = STAMPED.exec(text) ?? [];
    const printed = text.slice(before.length).trim();
    const metrics = before === '' ? undefined : this.#read(text.slice(before.length));
    if (!metrics) {
      this.unread += 1;
      if (printed !== '') this.#said = printed;
      return undefined;
    }
    this.#said = undefined;
    const t = Number(time);
    if (t - this.#last < LEAST_APART_S) return undefined;
    this.#last = t;
    return { t, metrics };
  }
}
