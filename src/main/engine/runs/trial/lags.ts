/** How late the output of the runs that are being recorded arrives, by generator. */
export class Lags {
  readonly #runs = new Map<number, Map<number, number>>();

  note(runId: number, generator: number, ms: number): void {
    const run = this.#runs.get(runId);
    if (run) run.set(generator, ms);
    else this.#runs.set(runId, new Map([[generator, ms]]));
  }

  /** Nothing of this generator is under way any more. */
  forget(runId: number, generator: number): void {
    const run = this.#runs.get(runId);
    run?.delete(generator);
    if (run?.size === 0) this.#runs.delete(runId);
  }

  /** Milliseconds; of several generators the latest, because their sum is complete only then. Undefined while nothing is recorded. */
  of(runId: number): number | undefined {
    const run = this.#runs.get(runId);
    return run && Math.max(...run.values());
  }
}
