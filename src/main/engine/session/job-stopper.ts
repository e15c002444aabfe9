import { describeProblem, problemOf } from '../../../shared/model/problem.ts';
import { type SessionRecord, untilReachable } from '../runs/index.ts';
import type { SessionContext } from './activity.ts';

/** Ends the tools of a session: each is on its own way, however long its host does not answer. */
export class JobStopper {
  readonly #context: SessionContext;
  readonly #record: SessionRecord;
  readonly #ends: AbortSignal;
  readonly #under = new Set<Promise<void>>();

  /** `ends` aborts when nothing is waited for any more: the app closes, or the host was given up. */
  constructor(context: SessionContext, record: SessionRecord, ends: AbortSignal) {
    this.#context = context;
    this.#record = record;
    this.#ends = ends;
  }

  /** Returns at once. A host that cannot be reached now is waited for; the session says meanwhile that it is being stopped. */
  end(job: { host: string; jobId: string }, runId?: number): void {
    const machine = this.#context.machines.get(job.host);
    const signal = this.#ends;
    if (machine.link().state === 'down')
      this.#record.log(
        'warn',
        `${job.host} cannot be reached; the tool there is ended as soon as it can be. Stopping once more gives it up.`,
      );
    const stop = untilReachable(machine, { signal }, () =>
      this.#context.jobs.stop(machine, job.jobId, { cause: 'stop', signal }),
    );
    const told = stop.then(
      () => undefined,
      (error: unknown) => this.#notEnded(job.host, error, runId),
    );
    this.#under.add(told);
    void told.then(() => this.#under.delete(told));
  }

  /** Resolves when every tool has ended, or cannot be ended. */
  async settled(): Promise<void> {
    await Promise.all(this.#under);
  }

  #notEnded(host: string, error: unknown, runId?: number): void {
    if (this.#ends.aborted) return;
    const message = `The tool on ${host} could not be ended: ${describeProblem(problemOf(error))}`;
    try {
      this.#record.log('error', message, runId);
    } catch (second) {
      this.#context.log.error(message, { session: this.#record.id, storing: problemOf(second).message });
    }
  }
}
