import { Precomputation } from '../judging/index.ts';
import type { Log } from '../outside.ts';
import type { Overviews } from '../results/index.ts';

/** Calculates missing figures of listed sessions, a few runs at a time between other work. Sessions whose rows are on the screen come first. */
export class PendingFigures {
  readonly #precomputation: Precomputation;
  readonly #listeners = new Set<(sessionId: number) => void>();

  constructor(overviews: Overviews, log: Log) {
    this.#precomputation = new Precomputation({
      steps: (sessionId) => overviews.steps(sessionId),
      done: (sessionId) => this.#settled(sessionId),
      remaining: () => [],
      failed: (error, session) => {
        overviews.failed(session, error);
        log.warn('The figures of a session could not be calculated.', { session, error: String(error) });
        this.#settled(session);
      },
    });
  }

  follow(sessionId: number): void {
    this.#precomputation.session(sessionId);
  }

  /** Resolves when the figures of all these sessions are available or cannot be calculated, or when the signal aborts. */
  async first(sessionIds: readonly number[], signal: AbortSignal): Promise<void> {
    const open = new Set(sessionIds);
    if (open.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const end = this.listen((sessionId) => {
      if (open.delete(sessionId) && open.size === 0) resolve();
    });
    signal.addEventListener('abort', () => resolve());
    this.#precomputation.first([...open]);
    await promise;
    end();
  }

  /** Calls the listener with each session whose figures are available, or cannot be calculated. */
  listen(listener: (sessionId: number) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): Promise<void> {
    return this.#precomputation.close();
  }

  #settled(sessionId: number): void {
    for (const listener of [...this.#listeners]) listener(sessionId);
  }
}
