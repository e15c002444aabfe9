import { KneepointError } from '../../../shared/model/problem.ts';

/** The moment from which parallel runs count: each tool is brought up to where it waits, then all are let go on one clock. */
export class CommonStart {
  readonly #now: () => number;
  #missing: number;
  #ahead = 0;
  readonly #moment = Promise.withResolvers<number | undefined>();

  /** `count`: runs that are to arrive. `known`: the moment that an earlier start of the app has named to some of them. */
  constructor(now: () => number, count: number, known?: number) {
    this.#now = now;
    this.#missing = count;
    if (known !== undefined) this.#moment.resolve(known);
  }

  /**
   * A run is ready, and its hosts know of a moment in time when it is so many milliseconds ahead. Resolves with the moment, whole epoch milliseconds, once all are
   * ready; undefined: none is let go any more. Throws `cancelled` at the signal.
   */
  async arrive(aheadMs: number, signal: AbortSignal): Promise<number | undefined> {
    this.#missing -= 1;
    this.#ahead = Math.max(this.#ahead, aheadMs);
    if (this.#missing === 0) this.#moment.resolve(Math.round(this.#now() + this.#ahead));
    const { promise, reject } = Promise.withResolvers<never>();
    const cancel = (): void => reject(new KneepointError({ code: 'cancelled', message: 'The start was interrupted.' }));
    if (signal.aborted) cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      return await Promise.race([this.#moment.promise, promise]);
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  /** Whoever waits, or arrives later, does not start. */
  callOff(): void {
    this.#moment.resolve(undefined);
  }
}
