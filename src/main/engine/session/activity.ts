import type { Clock } from '../outside.ts';
import type { PreflightContext } from '../preflight/index.ts';
import type { RunRow } from '../store/store.ts';

/** Everything a session needs. */
export interface SessionContext extends PreflightContext {
  /** Figure of a complete run for a metric, as results show it. Undefined if the run has none. */
  figureOf(run: RunRow, metric: string): number | undefined;
}

/** Current work of a session besides measuring, and its start. */
export class Activity {
  readonly #clock: Clock;
  readonly #onChanged: () => void;
  #words: string | undefined;
  /** Epoch milliseconds. */
  #since = 0;

  constructor(clock: Clock, onChanged: () => void) {
    this.#clock = clock;
    this.#onChanged = onChanged;
  }

  get now(): { words: string; since: number } | undefined {
    return this.#words === undefined ? undefined : { words: this.#words, since: this.#since };
  }

  /** Undefined: only a trial, or nothing. The same words again are the same step. */
  doing(words: string | undefined): void {
    if (words === this.#words) return;
    this.#words = words;
    this.#since = this.#clock.now();
    this.#onChanged();
  }
}
