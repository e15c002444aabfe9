import { problemOf } from '../../../shared/model/problem.ts';
import type { Machine } from '../hosts/machine.ts';
import type { JobChunk } from '../jobs/job.ts';
import type { MonitorProgram } from '../monitors/monitor.ts';
import { type CarriedClock, carriedReading, isOwnDiskFull, pauseFor } from '../runs/index.ts';
import type { MonitorJob } from '../store/store.ts';
import type { WatchingContext } from './context.ts';
import { beginJob, endJob, hasEnded, isOnHost, launchJob, limitOf, openJobs, type Watched } from './monitor-jobs.ts';
import { isLost, type Recorded, recordMonitor } from './record.ts';

/** Between the unexpected end of a monitor and its next start; doubled each time, to avoid flooding a host that ends each one. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** The same when its session has ended. */
const AT_THE_END_MS = 200;
/** How long the end of a session waits for the last samples of a host, and of one that is connected but slow: monitors left running there load it. */
const END_MS = 10_000;
const SLOW_END_MS = 60_000;
/** Between TERM and KILL. */
const GRACE_S = 2;

export interface HostWatch extends Watched, Pick<Recorded, 'sources' | 'coming'> {
  program: Pick<MonitorProgram, 'parser' | 'keepsOutput'>;
  /** The job to start. Called at each start; throws if there can be none now. */
  job(): MonitorProgram['job'] | Promise<MonitorProgram['job']>;
  /** Called once for each new problem. */
  problem(message: string | undefined): void;
  /** Called with the number of new rows, the last line that was no row, if the program keeps that, and the number of unreadable lines. */
  onRows?(rows: number, lastMessage: string | undefined, unread: number): void;
  /** Replaces the pause after a monitor has ended by itself, or could not be started for this reason. Resolves with false to start no more. */
  mayRestart?(pauseMs: number, why: string | undefined, signal: AbortSignal): Promise<boolean>;
}

/**
 * Keeps a monitor running on a host and stores its output, exactly once: it continues where the stored output ends, after a lost link and after a
 * restart of the app. A monitor that ended by itself, or with its host, is started again.
 */
export class HostWatcher {
  readonly #context: WatchingContext;
  readonly #watch: HostWatch;
  /** Aborts when the app closes: the job keeps running. */
  readonly #closing: AbortSignal;
  /** Aborts when the last samples are no longer waited for. */
  readonly #over = new AbortController();
  readonly #ends: AbortSignal;
  /** Aborts when the session ends. */
  readonly #stopping = new AbortController();
  #isFollowing = false;
  /** Whether a job was sent to its host. */
  #wasAttempted = false;
  /** Whether a job may be running, as far as known. */
  #mayRun: boolean;
  readonly finished: Promise<void>;

  constructor(context: WatchingContext, watch: HostWatch, closing: AbortSignal) {
    this.#context = context;
    this.#watch = watch;
    this.#closing = closing;
    this.#ends = AbortSignal.any([closing, this.#over.signal]);
    this.#mayRun = this.#open().length > 0;
    this.finished = this.#run();
  }

  /** Ends the monitor on its host and reads the rest of its output. An unreachable host is not waited for. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    if (this.#over.signal.aborted) return this.#endAbandoned();
    const ended = Promise.all([this.endJobs(), this.finished]).catch(() => undefined);
    const timeout = new AbortController();
    await Promise.race([ended, this.#abandonLate(AbortSignal.any([timeout.signal, this.#closing]))]);
    timeout.abort();
    this.#over.abort();
    await this.finished;
  }

  /**
   * Does not contact its host, which was never reached. A job that may have been launched anyway is ended with the session, or at the next contact
   * with its host.
   */
  async abandon(): Promise<void> {
    this.#over.abort();
    await this.finished;
    if (this.#wasAttempted) return;
    try {
      for (const job of this.#open()) await this.#end(job, true);
    } catch (error) {
      this.#context.log.warn('the record of a program that was not started could not be removed', {
        message: problemOf(error).message,
      });
    }
  }

  /** Ends jobs that may be running anyway; their seconds were read another way. */
  async #endAbandoned(): Promise<void> {
    const signal = AbortSignal.any([this.#closing, AbortSignal.timeout(END_MS)]);
    try {
      await this.endJobs(signal);
      for (const job of this.#open()) await this.#end(job, false, signal);
    } catch {
      // Remaining jobs are ended at the next contact with their host.
    }
  }

  async #abandonLate(signal: AbortSignal): Promise<void> {
    await pauseFor(END_MS, signal);
    if (this.#watch.machine.link().state === 'up') await pauseFor(SLOW_END_MS - END_MS, signal);
  }

  /** Ends running jobs. Their output is still read. */
  async endJobs(signal = this.#ends): Promise<void> {
    const { machine } = this.#watch;
    const how = { cause: 'stop', graceSeconds: GRACE_S, signal };
    await Promise.all(this.#open().map(({ jobId }) => this.#context.jobs.stop(machine, jobId, how)));
  }

  /** Whether a job is running, as far as known. */
  get isFollowing(): boolean {
    return this.#isFollowing;
  }

  /** Checks at once whether a job has ended by itself; regular checks are rare. */
  async check(): Promise<void> {
    const { machine } = this.#watch;
    for (const job of this.#open()) if (await hasEnded(this.#context, machine, job, this.#ends)) await this.endJobs();
  }

  #open(): MonitorJob[] {
    return openJobs(this.#context, this.#watch);
  }

  async #run(): Promise<void> {
    let pause = FIRST_PAUSE_MS;
    while (!this.#ends.aborted && (!this.#stopping.signal.aborted || this.#open().length > 0)) {
      const before = this.#context.clock.monotonic();
      const { why, isOver } = await this.#runOnce();
      if (this.#ends.aborted || (this.#stopping.signal.aborted && this.#open().length === 0)) return;
      // A monitor that has run for a while worked: it is started again at once.
      pause = this.#context.clock.monotonic() - before > LONGEST_PAUSE_MS ? FIRST_PAUSE_MS : pause;
      if (!(await this.#rest(pause, isOver, why))) return this.#abandonJobs();
      if (this.#stopping.signal.aborted) await pauseFor(AT_THE_END_MS, this.#ends);
      pause = Math.min(LONGEST_PAUSE_MS, 2 * pause);
    }
  }

  /** Follows one job to its end. `why`: the problem. `isOver`: none runs now, for a reason unrelated to the library. */
  async #runOnce(): Promise<{ why?: string; isOver: boolean }> {
    let job: MonitorJob | undefined;
    try {
      const known = this.#open()[0];
      job = known ?? beginJob(this.#context, this.#watch);
      this.#context.jobsAtWork.add(job.jobId);
      await this.#follow(job, known === undefined);
      this.#watch.problem(undefined);
      return { isOver: true };
    } catch (error) {
      if (this.#ends.aborted) return { isOver: false };
      const why = problemOf(error).message;
      this.#watch.problem(why);
      if (!job) return { why, isOver: false };
      // A job at work keeps its secrets.
      this.#context.jobsAtWork.delete(job.jobId);
      const isStored = !isLost(error) || (await this.#endLost(job));
      return { why, isOver: isStored && !this.#mayRun && !isOwnDiskFull(error) };
    } finally {
      if (job) this.#context.jobsAtWork.delete(job.jobId);
    }
  }

  /** Whether that could be stored: a full disk on this computer is waited out. */
  async #endLost(job: MonitorJob): Promise<boolean> {
    try {
      await this.#end(job, false);
      return true;
    } catch (error) {
      this.#context.log.warn('the end of a monitoring program could not be stored', {
        message: problemOf(error).message,
      });
      return false;
    }
  }

  /** While a job may still be running, nothing else takes its place. */
  async #rest(pause: number, isOver: boolean, why: string | undefined): Promise<boolean> {
    const rests = AbortSignal.any([this.#ends, this.#stopping.signal]);
    const { mayRestart } = this.#watch;
    if (mayRestart && isOver && !rests.aborted) return mayRestart(pause, why, rests);
    await pauseFor(pause, rests);
    return true;
  }

  /** A job that could not be launched may exist anyway. */
  async #abandonJobs(): Promise<void> {
    try {
      await this.endJobs();
      for (const job of this.#open()) await this.#end(job, false);
    } catch {
      // Remaining jobs are ended at the next contact with their host.
    }
  }

  async #follow(job: MonitorJob, isNew: boolean): Promise<void> {
    const { machine, source } = this.#watch;
    const { jobs } = this.#context;
    const isThere = !isNew && (await isOnHost(this.#context, machine, job, this.#ends));
    if (this.#stopping.signal.aborted && !isThere) return this.#end(job, true);
    this.#mayRun = isThere;
    if (!isThere) await launchJob(this.#context, this.#watch, job, () => this.#jobToSend(), this.#ends);
    this.#mayRun = true;
    // The session may have ended while it was being launched, before there was anything to end.
    if (this.#stopping.signal.aborted) await jobs.stop(machine, job.jobId, { cause: 'stop', signal: this.#ends });
    this.#watch.problem(undefined);
    const clocks = new AbortController();
    const { program, onRows, coming, sources } = this.#watch;
    const limitSeconds = limitOf(this.#watch);
    const watched = { machine, jobId: job.jobId, sources: sources ?? [source.id], limitSeconds };
    keepClockAndLimit(this.#context, watched, AbortSignal.any([clocks.signal, this.#ends]));
    this.#isFollowing = true;
    try {
      await recordMonitor(
        this.#context,
        { machine, job, program, sources, coming, pollMs: POLL_MS, ...(onRows && { onRows }) },
        this.#ends,
      );
    } finally {
      this.#isFollowing = false;
      clocks.abort();
    }
    if (this.#ends.aborted) return;
    await this.#end(job, true);
  }

  /** Called when its host has responded. */
  async #jobToSend(): Promise<MonitorProgram['job']> {
    const job = await this.#watch.job();
    this.#wasAttempted = true;
    return job;
  }

  #end(job: MonitorJob, seen: boolean, signal = this.#ends): Promise<void> {
    this.#mayRun = false;
    return endJob(this.#context, job, { machine: this.#watch.machine, seen, signal });
  }
}

const CONTACT_EVERY_MS = 600_000;
/** A check of a job costs its host some ten forks, and the end of a monitor need not be noticed sooner. */
const POLL_MS = 10_000;

interface FollowedMonitor {
  machine: Machine;
  jobId: string;
  /** All sources whose samples have its times. */
  sources: readonly number[];
  /** Seconds after the last contact at which it ends by itself. */
  limitSeconds: number;
}

/** Reads the clock offset of a monitor's samples and renews its time limit, now and repeatedly, until the signal aborts. */
function keepClockAndLimit(context: WatchingContext, watched: FollowedMonitor, signal: AbortSignal): void {
  keep(context, watched, signal).catch((error: unknown) => {
    context.log.warn('the clock of a host could not be stored', { message: problemOf(error).message });
  });
}

async function keep(
  context: WatchingContext,
  { machine, jobId, sources, limitSeconds }: FollowedMonitor,
  signal: AbortSignal,
): Promise<void> {
  const { store, jobs } = context;
  const carried = firstLine(jobs.follow(machine, jobId, 'index', 0, signal, { everyMs: POLL_MS })).then(carriedFrom);
  // Without the index, the host's own clock is used below.
  carried.catch(() => undefined);
  for (; !signal.aborted; await pauseFor(CONTACT_EVERY_MS, signal)) {
    // A host that does not respond is asked again next time.
    const reading = await clockReading(context, machine, carried, signal);
    if (reading && !signal.aborted) for (const id of sources) store.sources.addClock(id, reading);
    await jobs.limit(machine, jobId, limitSeconds, signal).catch(() => undefined);
  }
}

/** Undefined if the host does not respond. */
async function clockReading(
  { clock, readClock }: Pick<WatchingContext, 'clock' | 'readClock'>,
  machine: Machine,
  carried: Promise<CarriedClock | undefined>,
  signal: AbortSignal,
): Promise<ReturnType<typeof carriedReading>> {
  const read = await readClock(machine, signal).catch(() => undefined);
  if (!read) return undefined;
  const now = clock.now();
  const anchor = read.bootMs === undefined ? undefined : await carried.catch(() => undefined);
  if (anchor) return carriedReading(anchor, read, now);
  // Without an uptime, the host's clock is assumed never to be set.
  return { t: (now - read.offsetMs) / 1000, offsetMs: read.offsetMs, errorMs: read.roundTripMs / 2 };
}

/** The first complete line; undefined if the stream ended before. */
async function firstLine(chunks: AsyncIterable<JobChunk>): Promise<string | undefined> {
  let text = '';
  for await (const { bytes } of chunks) {
    text += Buffer.from(bytes).toString('latin1');
    const end = text.indexOf('\n');
    if (end >= 0) return text.slice(0, end);
  }
  return undefined;
}

/**
 * The collector reads its host's clock at its start, as its supervisor does, and continues by the uptime: a clock that is set meanwhile does no harm.
 */
function carriedFrom(line: string | undefined): CarriedClock | undefined {
  const [epoch = Number.NaN, uptime = Number.NaN] = (line ?? '').split(' ').map(Number);
  return Number.isFinite(epoch) && Number.isFinite(uptime) ? { epoch, uptime } : undefined;
}
