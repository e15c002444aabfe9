/**
 * How late the output of the runs that are being recorded is. It keeps growing while nothing arrives: a link that is down, or a host that
 * stalls, is late by as much as is missing.
 */
export class Lags {
  readonly #runs = new Map<number, Map<number, number>>();

  /** The newest of a generator that has arrived was written at that moment, milliseconds on our clock. */
  note(runId: number, generator: number, writtenAt: number): void {
    const run = this.#runs.get(runId);
    if (run) run.set(generator, writtenAt);
    else this.#runs.set(runId, new Map([[generator, writtenAt]]));
  }

  /** Nothing of this generator is under way any more. */
  forget(runId: number, generator: number): void {
    const run = this.#runs.get(runId);
    run?.delete(generator);
    if (run?.size === 0) this.#runs.delete(runId);
  }

  /** Milliseconds; of several generators the latest, because their sum is complete only then. Undefined while nothing is recorded. */
  of(runId: number, now: number): number | undefined {
    const run = this.#runs.get(runId);
    return run && Math.max(0, now - Math.min(...run.values()));
  }
}
