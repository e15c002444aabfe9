import { KneepointError } from '../../../../shared/model/problem.ts';
import type { Machine } from '../../hosts/machine.ts';
import { goneProblem, replacedProblem, unfinishedProblem } from '../follow.ts';
import type { JobChunk, JobSpec, JobStatus, JobStream, Jobs, Launched } from '../job.ts';
import { FakeJob } from './fake-job.ts';

/** Special behaviour of a fake host. */
export interface FakeJobsOptions {
  /** Called for each new job before its launch is confirmed; scripts its tool. */
  onLaunch?(job: FakeJob): void;
  /** Host clock, epoch milliseconds. */
  now?(): number;
}

/**
 * Jobs in memory with the behaviour of `Jobs`: a repeated launch attaches, following waits for a lost link and ends only with the job, a
 * stop waits for the link. The test defines what the tools print and how they end.
 */
export class FakeJobs implements Jobs {
  readonly #jobs = new Map<string, FakeJob>();
  readonly #options: FakeJobsOptions;
  #refusals: KneepointError[] = [];
  /** Number of requests to remove secrets. */
  removals = 0;
  #holdLaunches: Promise<void> | undefined;
  #waiting: ((job: FakeJob) => void)[] = [];

  constructor(options: FakeJobsOptions = {}) {
    this.#options = options;
  }

  /** In the order of their launches. */
  get all(): readonly FakeJob[] {
    return [...this.#jobs.values()];
  }

  /** Makes the next launches fail with these errors. */
  refuse(...errors: KneepointError[]): void {
    this.#refusals.push(...errors);
  }

  /** Delays launches until the returned function is called, to test what happens meanwhile. */
  holdLaunches(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#holdLaunches = promise;
    return () => {
      this.#holdLaunches = undefined;
      resolve();
    };
  }

  /** Adds a job that an earlier start left on a host. */
  leaveRunning(machine: Machine, spec: JobSpec): FakeJob {
    const job = new FakeJob(machine, spec, () => this.#now());
    this.#jobs.set(keyOf(machine, spec.id), job);
    return job;
  }

  /** The next job to be launched. */
  next(): Promise<FakeJob> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  async launch(machine: Machine, spec: JobSpec, signal?: AbortSignal): Promise<Launched> {
    await this.#holdLaunches;
    requireReachable(machine, signal);
    const known = this.#jobs.get(keyOf(machine, spec.id));
    if (known && !known.gone) return launched(known, 'attached');
    const refusal = this.#refusals.shift();
    if (refusal) throw refusal;
    const job = this.leaveRunning(machine, spec);
    this.#options.onLaunch?.(job);
    for (const resolve of this.#waiting.splice(0)) resolve(job);
    return launched(job, 'new');
  }

  async release(machine: Machine, id: string, hostMs: number, signal?: AbortSignal): Promise<number> {
    requireReachable(machine, signal);
    return this.#present(machine, id).release(hostMs);
  }

  async startTime(machine: Machine, id: string, signal?: AbortSignal): Promise<number | undefined> {
    requireReachable(machine, signal);
    return this.#present(machine, id).releasedAt;
  }

  async status(machine: Machine, id: string, signal?: AbortSignal): Promise<JobStatus> {
    requireReachable(machine, signal);
    return this.#jobs.get(keyOf(machine, id))?.status ?? { state: 'gone' };
  }

  async *follow(
    machine: Machine,
    id: string,
    stream: JobStream,
    offset: number,
    signal: AbortSignal,
    { onEnd }: { onEnd?(status: JobStatus): void } = {},
  ): AsyncGenerator<JobChunk, void, void> {
    let position = offset;
    for (;;) {
      await machine.ready(signal);
      if (signal.aborted) throw cancelled(machine);
      const job = this.#present(machine, id, stream);
      if (job.replaced) throw replacedProblem({ machine, id, stream }, position, 0);
      const bytes = job.outputFrom(stream, position);
      if (bytes.length > 0) {
        yield { offset: position, bytes };
        position += bytes.length;
        continue;
      }
      const { status } = job;
      if (status.state === 'ended') return onEnd?.(status);
      if (status.state === 'rebooted' || (status.state === 'lost' && status.tool === 'gone'))
        throw unfinishedProblem({ machine, id, stream }, status.state);
      await job.changed(signal);
    }
  }

  async stop(
    machine: Machine,
    id: string,
    { cause = 'stop', signal }: { graceSeconds?: number; cause?: string; signal?: AbortSignal } = {},
  ): Promise<{ left: number }> {
    await machine.ready(signal);
    if (signal?.aborted) throw cancelled(machine);
    const job = this.#jobs.get(keyOf(machine, id));
    job?.stop(cause);
    return { left: job?.left ?? 0 };
  }

  async limit(machine: Machine, id: string, seconds: number, signal?: AbortSignal): Promise<void> {
    requireReachable(machine, signal);
    this.#jobs.get(keyOf(machine, id))?.limit(seconds);
  }

  async removeSecrets(machine: Machine, id: string): Promise<'removed' | 'running'> {
    this.removals += 1;
    requireReachable(machine);
    return this.#jobs.get(keyOf(machine, id))?.removeSecrets() ?? 'removed';
  }

  async remove(machine: Machine, id: string): Promise<void> {
    requireReachable(machine);
    const job = this.#jobs.get(keyOf(machine, id));
    if (job?.status.state === 'running')
      throw new KneepointError({ code: 'conflict', host: machine.name, message: `The job ${id} still runs.` });
    job?.vanish();
  }

  #present(machine: Machine, id: string, stream: JobStream = 'stdout'): FakeJob {
    const job = this.#jobs.get(keyOf(machine, id));
    if (!job || job.gone) throw goneProblem({ machine, id, stream });
    return job;
  }

  #now(): number {
    return this.#options.now?.() ?? Date.now();
  }
}

const keyOf = (machine: Machine, id: string): string => `${machine.name} ${id}`;

const launched = ({ spec }: FakeJob, how: Launched['how']): Launched => ({
  how,
  pid: 4711,
  directory: `/home/bench/.local/state/kneepoint/jobs/${spec.id}`,
});

const cancelled = (machine: Machine): KneepointError =>
  new KneepointError({ code: 'cancelled', host: machine.name, message: 'The call was cancelled.' });

function requireReachable(machine: Machine, signal?: AbortSignal): void {
  if (signal?.aborted) throw cancelled(machine);
  const { state, message } = machine.link();
  if (state === 'up') return;
  throw new KneepointError({
    code: 'host-unreachable',
    host: machine.name,
    message: `${machine.name} cannot be reached: ${message ?? state}.`,
  });
}
