import { readNumber } from '../../../../../shared/patterns/index.ts';

/** Above this a number counts seconds since 1970, and is told from the first line on. */
const EPOCH = 1_000_000_000;
const DAY = 86_400;
const CLOCK = /^(?:(\d{1,2}):)?(\d{1,2}):(\d{2}(?:\.\d+)?)$/;

/** Seconds of a sample: from what a line prints as its time, or by counting lines, one for each interval (0: no fixed pace). */
export class Clock {
  readonly #interval: number;
  #zero: number | undefined;
  #last: number | undefined;
  #lines = 0;

  constructor(interval: number) {
    this.#interval = interval;
  }

  /** `12.5`, `1:02:03`, or seconds since 1970; undefined when it is none of these. */
  read(text: string): number | undefined {
    const [, hours, minutes, seconds] = CLOCK.exec(text.trim()) ?? [];
    if (seconds !== undefined)
      return this.#since(Number(hours ?? 0) * 3600 + Number(minutes) * 60 + Number(seconds), DAY);
    const number = readNumber(text);
    if (number === undefined || number < 0) return undefined;
    return number >= EPOCH ? this.#since(number, 0) : number;
  }

  /** The end of the next interval. */
  next(): number {
    this.#lines += 1;
    return Number((this.#lines * (this.#interval || 1)).toFixed(6));
  }

  /** A time of day begins again at midnight, `wrap` seconds after the last one. The first line ends the first interval. */
  #since(at: number, wrap: number): number {
    this.#zero ??= at - this.#interval;
    if (wrap > 0 && this.#last !== undefined && at < this.#last - wrap / 2) this.#zero -= wrap;
    this.#last = at;
    return Number((at - this.#zero).toFixed(6));
  }
}
