import type { RunsContext } from '../runs/index.ts';
import { toolStart } from './zero.ts';

/**
 * Notes that the warm-up of a run is over, with the first sample beyond it that is stored. Every generator has its own; the library keeps
 * what the first of them says, also when the app is started again in between.
 */
export class WarmUp {
  readonly #context: Pick<RunsContext, 'store' | 'clock'>;
  readonly #runId: number;
  readonly #generator: number;
  readonly #seconds: number;
  #over: boolean;

  constructor(context: Pick<RunsContext, 'store' | 'clock'>, runId: number, generator: number) {
    this.#context = context;
    this.#runId = runId;
    this.#generator = generator;
    this.#seconds = context.store.runs.get(runId)?.warmup ?? 0;
    this.#over = this.#seconds === 0;
  }

  /** Samples up to `t` are stored; in the transaction that stored them. */
  reached(t: number): void {
    if (this.#over || t <= this.#seconds) return;
    this.#over = true;
    const { store, clock } = this.#context;
    const run = store.runs.get(this.#runId);
    if (!run) return;
    const now = clock.now();
    store.events.addWarmUpEnd({
      sessionId: run.sessionId,
      runId: run.id,
      at: Math.min(
        now,
        Math.round(
          toolStart(store, { ...run, startedAt: run.startedAt ?? now }, this.#generator) + this.#seconds * 1000,
        ),
      ),
      t: this.#seconds,
      level: 'info',
      message: `The warm-up of trial ${run.trial + 1} ended.`,
    });
  }
}
