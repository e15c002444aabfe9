import { KneepointError } from '../../../shared/model/problem.ts';

/** The common start of parallel runs: each tool is started up to where it waits, then all are released on one clock. */
export class CommonStart {
  readonly #now: () => number;
  #missing: number;
  #leadMs = 0;
  readonly #moment = Promise.withResolvers<number | undefined>();

  /** `count`: runs that are expected to arrive. `known`: the moment that an earlier start of the app has sent to some of them. */
  constructor(now: () => number, count: number, known?: number) {
    this.#now = now;
    this.#missing = count;
    if (known !== undefined) this.#moment.resolve(known);
  }

  /**
   * A run is ready; its hosts need `leadMs` milliseconds of notice. Resolves with the moment, whole epoch milliseconds, once all are ready;
   * undefined if none is released any more. Throws `cancelled` when the signal aborts.
   */
  async arrive(leadMs: number, signal: AbortSignal): Promise<number | undefined> {
    this.#missing -= 1;
    this.#leadMs = Math.max(this.#leadMs, leadMs);
    if (this.#missing === 0) this.#moment.resolve(Math.round(this.#now() + this.#leadMs));
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

  /** Runs that wait, or arrive later, do not start. */
  cancel(): void {
    this.#moment.resolve(undefined);
  }
}
