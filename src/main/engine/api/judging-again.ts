import { checkOf } from '../../../shared/checks/index.ts';
import type { RunRow } from '../store/store.ts';
import { type Known, limitsFor } from './evidence-facts.ts';
import { judgeRun } from './judging.ts';

/**
 * Judges runs again when a session gets another price: what its volumes are paid for may be what bounds them. One run after the other, between
 * other work, since trials may be running.
 */
export class JudgingAgain {
  readonly #known: Known;
  readonly #judged: (sessionId: number) => void;
  readonly #failed: (error: unknown, sessionId: number) => void;
  #last: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(known: Known, judged: (sessionId: number) => void, failed: (error: unknown, sessionId: number) => void) {
    this.#known = known;
    this.#judged = judged;
    this.#failed = failed;
  }

  /** `change` gives the session another price. */
  around(sessionId: number, change: () => void): void {
    const before = this.#limits(sessionId);
    change();
    if (before === this.#limits(sessionId)) return;
    this.#last = this.#last.then(() => this.#session(sessionId)).catch((error) => this.#failed(error, sessionId));
  }

  /** Resolves when no run is being judged any more. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#last;
  }

  #runs(sessionId: number): RunRow[] {
    const { runs, judgements } = this.#known.store;
    const judged = judgements.verdicts(sessionId);
    return runs.ofSession(sessionId).filter(({ id }) => judged.has(id));
  }

  #limits(sessionId: number): string {
    return JSON.stringify(this.#runs(sessionId).map((run) => limitsFor(this.#known, run) ?? null));
  }

  async #session(sessionId: number): Promise<void> {
    const { store } = this.#known;
    for (const { id } of this.#runs(sessionId)) {
      await new Promise((resolve) => setImmediate(resolve));
      const run = this.#closed ? undefined : store.runs.get(id);
      if (!run) continue;
      const findings = judgeRun(this.#known, run);
      const others = run.findings.filter(({ code }) => checkOf(code)?.when !== 'run');
      store.runs.update(id, { findings: [...others, ...findings] });
    }
    if (!this.#closed) this.#judged(sessionId);
  }
}
