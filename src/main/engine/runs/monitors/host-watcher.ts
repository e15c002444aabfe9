import { randomUUID } from 'node:crypto';
import { problemOf } from '../../../../shared/model/problem.ts';
import type { Machine } from '../../hosts/machine.ts';
import type { MonitorProgram } from '../../monitors/monitor.ts';
import type { MonitorJob, Source } from '../../store/store.ts';
import type { RunsContext } from '../context.ts';
import { untilReachable, type Waiting } from '../reachable.ts';
import { keepForAWhile } from '../tidy.ts';
import { pauseFor } from '../wait.ts';
import { keepHostClock, LOOK_EVERY_MS } from './host-clock.ts';
import { isLost, recordMonitor } from './record.ts';

/** Between the end of a monitor that nobody asked for and its next start; doubled each time, as a host that ends each would be asked in a storm. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** The same when its session has ended. */
const AT_THE_END_MS = 200;
/** A monitor that nobody comes back for ends by itself so long after the planned end of its session. */
const BEYOND_PLAN_S = 12 * 3600;
/** How long the end of a session waits for the last samples of a host. */
const END_MS = 10_000;

export interface HostWatch {
  sessionId: number;
  source: Source;
  machine: Machine;
  program: MonitorProgram;
  /** Seconds that the session is planned to take. */
  plannedSeconds: number;
  /** Told once for each thing that goes wrong. */
  problem(message: string | undefined): void;
}

/**
 * Keeps a monitor running on a host and stores what it prints, exactly once: it continues where the stored output ends, after a lost link and
 * after a restart of the app. One that ended by itself, or with its host, is started again.
 */
export class HostWatcher {
  readonly #context: RunsContext;
  readonly #watch: HostWatch;
  /** Aborts when the app closes: the job goes on. */
  readonly #closing: AbortSignal;
  /** Aborts when nobody waits for the last samples any more. */
  readonly #over = new AbortController();
  readonly #ends: AbortSignal;
  /** Aborts when the session ends. */
  readonly #stopping = new AbortController();
  readonly finished: Promise<void>;

  constructor(context: RunsContext, watch: HostWatch, closing: AbortSignal) {
    this.#context = context;
    this.#watch = watch;
    this.#closing = closing;
    this.#ends = AbortSignal.any([closing, this.#over.signal]);
    this.finished = this.#run();
  }

  /** Ends the monitor on its host and reads the rest of its output. A host that cannot be reached is not waited for. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    const { machine } = this.#watch;
    const jobs = this.#open();
    const ended = Promise.all([
      ...jobs.map(({ jobId }) =>
        this.#context.jobs.stop(machine, jobId, { cause: 'stop', graceSeconds: 2, signal: this.#ends }),
      ),
      this.finished,
    ]).catch(() => undefined);
    const patience = new AbortController();
    await Promise.race([ended, pauseFor(END_MS, AbortSignal.any([patience.signal, this.#closing]))]);
    patience.abort();
    this.#over.abort();
    await this.finished;
  }

  #open(): MonitorJob[] {
    return this.#context.store.monitored.jobs(this.#watch.source.id).filter(({ ended }) => !ended);
  }

  async #run(): Promise<void> {
    let pause = FIRST_PAUSE_MS;
    const rests = AbortSignal.any([this.#ends, this.#stopping.signal]);
    while (!this.#ends.aborted && (!this.#stopping.signal.aborted || this.#open().length > 0)) {
      const before = this.#context.clock.monotonic();
      const job = this.#open()[0] ?? this.#begin();
      this.#context.jobsAtWork.add(job.jobId);
      try {
        await this.#follow(job);
        this.#watch.problem(undefined);
      } catch (error) {
        if (this.#ends.aborted) return;
        this.#watch.problem(problemOf(error).message);
        if (isLost(error)) this.#end(this.#open()[0]);
      } finally {
        this.#context.jobsAtWork.delete(job.jobId);
      }
      if (this.#stopping.signal.aborted && this.#open().length === 0) return;
      // One that has run for a while was well: it is started again at once.
      pause = this.#context.clock.monotonic() - before > LONGEST_PAUSE_MS ? FIRST_PAUSE_MS : pause;
      await pauseFor(pause, rests);
      if (this.#stopping.signal.aborted) await pauseFor(AT_THE_END_MS, this.#ends);
      pause = Math.min(LONGEST_PAUSE_MS, 2 * pause);
    }
  }

  /** Stored before the launch, so that a restart attaches to it instead of starting a second one. */
  #begin(): MonitorJob {
    const { store } = this.#context;
    const { sessionId, source, machine } = this.#watch;
    const job = { jobId: randomUUID(), sourceId: source.id, host: machine.name };
    store.atomically(() => {
      store.jobs.beginMonitor(sessionId, job);
      store.monitored.beginJob(job);
    });
    return { ...job, readBytes: 0, ended: false };
  }

  async #follow(job: MonitorJob): Promise<void> {
    const { machine, program, plannedSeconds } = this.#watch;
    const { jobs } = this.#context;
    const waiting = { signal: this.#ends };
    if (this.#stopping.signal.aborted && (await this.#wasNeverStarted(job, waiting))) return this.#end(job);
    await untilReachable(machine, waiting, () =>
      jobs.launch(
        machine,
        { id: job.jobId, ...program.job, limitSeconds: Math.ceil(plannedSeconds) + BEYOND_PLAN_S },
        this.#ends,
      ),
    );
    // The session may have ended while it was being launched, before there was anything to end.
    if (this.#stopping.signal.aborted) await jobs.stop(machine, job.jobId, { cause: 'stop', signal: this.#ends });
    this.#watch.problem(undefined);
    const clocks = new AbortController();
    keepHostClock(
      this.#context,
      { machine, jobId: job.jobId, sourceId: this.#watch.source.id },
      AbortSignal.any([clocks.signal, this.#ends]),
    );
    try {
      await recordMonitor(this.#context, { machine, job, program, lookEveryMs: LOOK_EVERY_MS }, this.#ends);
    } finally {
      clocks.abort();
    }
    if (this.#ends.aborted) return;
    this.#end(job);
  }

  async #wasNeverStarted({ jobId }: MonitorJob, waiting: Waiting): Promise<boolean> {
    const { machine } = this.#watch;
    const status = await untilReachable(machine, waiting, () =>
      this.#context.jobs.status(machine, jobId, waiting.signal),
    );
    return status.state === 'gone';
  }

  #end(job: MonitorJob | undefined): void {
    if (!job) return;
    const { store } = this.#context;
    store.atomically(() => {
      store.monitored.endJob(job.jobId);
      store.jobs.jobEnded(job.host, job.jobId);
    });
    keepForAWhile(this.#context, job);
  }
}
