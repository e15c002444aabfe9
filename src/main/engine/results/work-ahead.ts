import { setTimeout as delay } from 'node:timers/promises';
import type { RunRow } from '../store/store.ts';

/** Sessions of shorter runs open at once anyway, and may have thousands of them: to look at all of these after each would disturb. */
export const LONG_SECONDS = 600;
/** How much of the engine's time it takes at most: pages are answered and trials recorded meanwhile. */
const SHARE = 0.2;

export interface AheadWork {
  /** What a session's page asks for first, in steps: other work goes between two of them. */
  steps(sessionId: number): Iterable<() => unknown>;
  /** All steps of a session were taken. */
  done(sessionId: number): void;
  /** Sessions that have ended and of which that is not known. */
  left(): readonly number[];
  failed(error: unknown, sessionId: number): void;
}

/**
 * Works out what a session's page asks for first as soon as a long run, or all that was watched, is sealed, so that it is kept by the time somebody
 * looks. Nothing depends on it: what is not worked out because the app was closed or killed is worked out by the next start, or by the first look.
 */
export class WorkAhead {
  readonly #work: AheadWork;
  readonly #due = new Set<number>();
  readonly #closing = new AbortController();
  #last: Promise<void> = Promise.resolve();

  constructor(work: AheadWork) {
    this.#work = work;
  }

  /** The samples of this run are sealed. */
  after({ sessionId, warmup, duration }: Pick<RunRow, 'sessionId' | 'warmup' | 'duration'>): void {
    if (warmup + duration >= LONG_SECONDS) this.session(sessionId);
  }

  /** Samples of this session are sealed. One that waits already is worked through once. */
  session(sessionId: number): void {
    if (this.#due.has(sessionId)) return;
    this.#due.add(sessionId);
    this.#last = this.#last.then(() => this.#through(sessionId));
  }

  /** Goes on with what was left when the app ended, and with a library of an earlier version. */
  resume(): void {
    for (const sessionId of this.#work.left()) this.session(sessionId);
  }

  /** Resolves when nothing is being worked out any more. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#last;
  }

  async #through(sessionId: number): Promise<void> {
    const { signal } = this.#closing;
    // What the end of a run brings with it goes first.
    await new Promise((resolve) => setImmediate(resolve));
    this.#due.delete(sessionId);
    try {
      for (const step of this.#work.steps(sessionId)) {
        if (signal.aborted) return;
        const began = performance.now();
        await step();
        const took = performance.now() - began;
        await delay(took / SHARE - took, undefined, { signal }).catch(() => undefined);
      }
      if (!signal.aborted) this.#work.done(sessionId);
    } catch (error) {
      if (!signal.aborted) this.#work.failed(error, sessionId);
    }
  }
}
