import { setTimeout as delay, setImmediate as next } from 'node:timers/promises';
import type { RunRow } from '../store/store.ts';

/** Sessions of shorter runs open at once anyway, and may have thousands of them: to look at all of these after each would disturb. */
export const LONG_SECONDS = 600;
/** How much of the engine's time it takes at most: pages are answered and trials recorded meanwhile. */
const SHARE = 0.2;

export interface AheadWork {
  /** What is to be worked out of a session, in steps: other work goes between two of them. */
  steps(sessionId: number): Iterable<() => unknown>;
  /** All steps of a session were taken. */
  done(sessionId: number): void;
  /** Sessions that have ended and of which that is not known. */
  left(): readonly number[];
  failed(error: unknown, sessionId: number): void;
}

/**
 * Works out ahead what will be looked at, session by session, so that it is kept by the time somebody looks. Nothing depends on it: what is not
 * worked out because the app was closed or killed is worked out by the next start, or by the first look.
 */
export class WorkAhead {
  readonly #work: AheadWork;
  #due = new Set<number>();
  /** Somebody looks at what is worked out of these: they go first, and without rests. */
  #wanted = new Set<number>();
  readonly #closing = new AbortController();
  /** Ends the rest between two steps. */
  #rest = new AbortController();
  #working: Promise<void> | undefined;

  constructor(work: AheadWork) {
    this.#work = work;
  }

  /** The samples of this run are sealed. */
  after({ sessionId, warmup, duration }: Pick<RunRow, 'sessionId' | 'warmup' | 'duration'>): void {
    if (warmup + duration >= LONG_SECONDS) this.session(sessionId);
  }

  /** There is something to work out of this session. One that waits already is worked through once. */
  session(sessionId: number): void {
    this.#due.add(sessionId);
    this.#begin();
  }

  /** The same of these in order, before all others: what was wanted earlier may have left the screen again. */
  first(sessionIds: readonly number[]): void {
    this.#wanted = new Set([...sessionIds, ...this.#wanted]);
    this.#rest.abort();
    this.#begin();
  }

  /** Goes on with what was left when the app ended, and with a library of an earlier version. */
  resume(): void {
    for (const sessionId of this.#work.left()) this.session(sessionId);
  }

  /** Resolves when nothing is being worked out any more. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#rest.abort();
    await this.#working;
  }

  #begin(): void {
    this.#working ??= this.#all();
  }

  async #all(): Promise<void> {
    while (this.#wanted.size + this.#due.size > 0 && !this.#closing.signal.aborted) {
      // What the end of a run brings with it goes first.
      await next();
      const isWanted = this.#wanted.size > 0;
      const [sessionId = 0] = isWanted ? this.#wanted : this.#due;
      this.#wanted.delete(sessionId);
      this.#due.delete(sessionId);
      await this.#through(sessionId, isWanted);
    }
    this.#working = undefined;
  }

  async #through(sessionId: number, isWanted: boolean): Promise<void> {
    const { signal } = this.#closing;
    try {
      for (const step of this.#work.steps(sessionId)) {
        if (signal.aborted) return;
        if (!isWanted && this.#wanted.size > 0) {
          this.#due = new Set([sessionId, ...this.#due]);
          return;
        }
        const began = performance.now();
        await step();
        if (isWanted) await next();
        else await this.#pause(performance.now() - began);
      }
      if (!signal.aborted) this.#work.done(sessionId);
    } catch (error) {
      if (!signal.aborted) this.#work.failed(error, sessionId);
    }
  }

  async #pause(took: number): Promise<void> {
    if (this.#wanted.size > 0 || this.#closing.signal.aborted) return;
    this.#rest = new AbortController();
    await delay(took / SHARE - took, undefined, { signal: this.#rest.signal }).catch(() => undefined);
  }
}
