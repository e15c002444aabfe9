import { setTimeout as delay } from 'node:timers/promises';
import { JUDGEMENT_VERSION } from '../judging/index.ts';
import type { SessionContext } from '../session/index.ts';
import type { RunRow } from '../store/store.ts';
import { canBeJudged, judgeNow } from '../watching/index.ts';
import { type Known, limitsFor } from './evidence-facts.ts';

type Context = Pick<SessionContext, 'store' | 'judge' | 'judgings' | 'log'>;

/** Share of the engine's time, at most: pages are answered and trials recorded meanwhile. */
const SHARE = 0.2;

/**
 * Judges runs again when the price of a session changes, since the paid limits of its volumes may bound them. After a start, judges runs without a
 * judgement by the rules of this version: judged by an earlier one, or not at all before the app ended. Judges one run after the other, between other
 * work, since trials may be running. Judgements by the old price are deleted together with it: runs without one are still to do, even if the app is
 * closed or killed meanwhile.
 */
export class Rejudging {
  readonly #known: Known;
  readonly #context: Context;
  readonly #judged: (sessionId: number) => void;
  #last: Promise<void> = Promise.resolve();
  readonly #closing = new AbortController();

  constructor(known: Known, context: Context, judged: (sessionId: number) => void) {
    this.#known = known;
    this.#context = context;
    this.#judged = judged;
  }

  /** `change` sets another price of the session. */
  around(sessionId: number, change: () => void): void {
    const { store } = this.#context;
    const runs = this.#judgedRuns(sessionId);
    const hasOthers = store.atomically(() => {
      const before = this.#limits(runs);
      change();
      if (before === this.#limits(runs)) return false;
      store.judgements.forgetSession(sessionId);
      return true;
    });
    if (hasOthers) this.#add(sessionId, runs);
  }

  /** Continues with runs left when the app ended. An unreadable library is reported elsewhere. */
  resume(): void {
    const { store, log } = this.#context;
    const rejudgeMissing = async (): Promise<void> => {
      for (const sessionId of store.judgements.missing(JUDGEMENT_VERSION)) {
        if (this.#closing.signal.aborted) return;
        const runs = store.runs.ofSession(sessionId);
        await this.#session(
          sessionId,
          runs.filter((run) => canBeJudged(run) && store.judgements.version(run.id) !== JUDGEMENT_VERSION),
        );
      }
    };
    this.#last = this.#last
      .then(rejudgeMissing)
      .catch((error) => log.warn('The list of runs to judge could not be read.', { error: String(error) }));
  }

  /** Ends other judging of runs, too. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Resolves when no run is being judged any more. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#last;
  }

  #judgedRuns(sessionId: number): RunRow[] {
    const { runs, judgements } = this.#context.store;
    const judged = judgements.bounds(sessionId);
    return runs.ofSession(sessionId).filter(({ id }) => judged.has(id));
  }

  /** Runs of a cell have the same price. */
  #limits(runs: readonly RunRow[]): string {
    const ofCells = new Map(runs.map((run) => [run.cell, run]));
    return JSON.stringify([...ofCells.values()].map((run) => limitsFor(this.#known, run) ?? null));
  }

  #add(sessionId: number, runs: readonly RunRow[]): void {
    const { log } = this.#context;
    this.#last = this.#last
      .then(() => this.#session(sessionId, runs))
      .catch((error) => log.warn('Runs could not be judged again.', { session: sessionId, error: String(error) }));
  }

  async #session(sessionId: number, runs: readonly RunRow[]): Promise<void> {
    const { signal } = this.#closing;
    let took = 0;
    for (const { id } of runs) {
      await delay(took / SHARE - took, undefined, { signal }).catch(() => undefined);
      const run = signal.aborted ? undefined : this.#context.store.runs.get(id);
      if (!run) continue;
      const began = performance.now();
      await judgeNow(this.#context, run, signal);
      took = performance.now() - began;
    }
    if (!signal.aborted && runs.length > 0) this.#judged(sessionId);
  }
}
