import type { RunRow } from '../store/store.ts';

/** Sessions of shorter runs open at once anyway, and may have thousands of them: to look at all of these after each would disturb. */
const LONG_SECONDS = 600;

/**
 * Works out what a session's page asks for first as soon as a long run is sealed, so that it is kept by the time somebody looks. Nothing depends on
 * it, and of several runs that end together the session is asked for once.
 */
export class WorkAhead {
  readonly #answer: (sessionId: number) => unknown;
  readonly #failed: (error: unknown, sessionId: number) => void;
  readonly #due = new Set<number>();
  #closed = false;

  constructor(answer: (sessionId: number) => unknown, failed: (error: unknown, sessionId: number) => void) {
    this.#answer = answer;
    this.#failed = failed;
  }

  /** The samples of this run are sealed. */
  after({ sessionId, warmup, duration }: Pick<RunRow, 'sessionId' | 'warmup' | 'duration'>): void {
    if (warmup + duration < LONG_SECONDS || this.#due.has(sessionId)) return;
    this.#due.add(sessionId);
    // What the end of a run brings with it goes first.
    setImmediate(() => {
      this.#due.delete(sessionId);
      if (this.#closed) return;
      try {
        this.#answer(sessionId);
      } catch (error) {
        this.#failed(error, sessionId);
      }
    });
  }

  close(): void {
    this.#closed = true;
  }
}
