import type { Changes } from '../../../shared/model/plan.ts';
import { describeProblem, type Problem, problemOf } from '../../../shared/model/problem.ts';
import { ENDED_RUN } from '../../../shared/model/states.ts';
import type { CheckedStart } from '../preflight/index.ts';
import {
  moveRun,
  pauseFor,
  type RunsContext,
  type SessionChanges,
  SessionRecord,
  toolLimit,
  untilReachable,
} from '../runs/index.ts';
import { leaveMonitorsAtClose, SessionMonitors } from '../watching/index.ts';
import type { SessionContext } from './activity.ts';
import { Blockers } from './blockers.ts';
import { jobHosts } from './runner-scope.ts';
import { SessionRequests } from './session-requests.ts';
import { SessionRunner } from './session-runner.ts';
import { SessionWorld } from './session-world.ts';

interface JobToEnd {
  readonly job: { readonly host: string; readonly jobId: string };
  readonly run: number | undefined;
}

/** A part of the time limit of the app for closing (`computer/index.ts`). */
const STOP_AT_CLOSE_MS = 1500;

/** Executes one session from its stored state until it ends, pauses, or the app closes. */
export class SessionRun {
  readonly id: number;
  readonly #context: SessionContext;
  readonly #record: SessionRecord;
  readonly #blockers: Blockers;
  readonly #requests: SessionRequests;
  readonly #stopper: JobStopper;
  readonly #world: SessionWorld;
  readonly #monitors: SessionMonitors;
  readonly #runner: SessionRunner;
  #over = false;
  readonly finished: Promise<void>;

  constructor(context: SessionContext, changes: SessionChanges, id: number, known?: CheckedStart) {
    this.id = id;
    this.#context = context;
    this.#record = new SessionRecord(context, changes, id);
    this.#requests = new SessionRequests(context.clock, this.#record.row().state);
    this.#stopper = new JobStopper(context, this.#record, this.#requests.ends);
    this.#blockers = new Blockers({
      hosts: jobHosts(context, this.#record),
      signal: this.#requests.ends,
      log: (level, message) => this.#record.log(level, message),
      onChanged: () => this.#record.changed(),
    });
    this.#world = new SessionWorld(context, this.#record);
    this.#monitors = new SessionMonitors(context, this.#record, this.#requests.closing);
    this.#runner = new SessionRunner(context, this.#record, this.#requests, this.#world, known, this.#monitors, () =>
      this.#blockers.stored(),
    );
    this.finished = this.#run();
  }

  /** Nothing more happens: the session has ended, is paused or about to be, or could not continue. */
  get over(): boolean {
    return this.#over || this.#runner.over || this.#requests.hasPauseBegun;
  }

  get stopping(): boolean {
    return this.#requests.stopping;
  }

  /** The problem that the session waits for a user to resolve. */
  get needs(): Problem | undefined {
    return this.over ? undefined : (this.#blockers.needs ?? this.#runner.needs);
  }

  /** Retries: the problem may be resolved. */
  wake(): void {
    this.#blockers.wake();
  }

  get activity(): string | undefined {
    return this.#blockers.words ?? this.#runner.activity?.words;
  }

  /** Start of the current activity, epoch milliseconds. Undefined while the session waits for a user. */
  get activitySince(): number | undefined {
    return this.#blockers.words === undefined ? this.#runner.activity?.since : undefined;
  }

  get remainingChanges(): Changes | undefined {
    return this.over ? undefined : this.#runner.remainingChanges;
  }

  /** Pauses after the running trial, or before the first one. */
  pause(): void {
    if (this.#requests.pausing || this.stopping) return;
    this.#record.move('ask-pause');
    this.#requests.pause();
    this.wake();
  }

  /** Undoes a pause that has not begun. */
  unpause(): void {
    if (!this.#requests.pausing) return;
    this.#record.move(this.#record.row().startedAt === null ? 'prepare' : 'measure');
    this.#requests.unpause();
  }

  /** Ends the running trial, or all parallel steps that run in it; `runId` must be one of them. Returns false if none runs. */
  skip(runId?: number): boolean {
    const { currentRuns } = this.#runner;
    const [first] = currentRuns;
    if (first === undefined || !currentRuns.includes(runId ?? first) || this.stopping) return false;
    this.#requests.skip(currentRuns);
    for (const { job, run } of this.#jobsOf(currentRuns)) this.#stopper.end(job, run);
    return true;
  }

  /** A second stop while a generator does not respond abandons that host: otherwise a machine that is gone would keep the session open forever. */
  stop(): void {
    if (this.#requests.isRepeatedStop && this.#isCutOff()) {
      this.#requests.abandon();
      return;
    }
    this.#requests.stop();
    for (const { job, run } of this.#jobsUnderWay()) this.#stopper.end(job, run);
    this.#record.move('ask-stop');
    this.wake();
  }

  #isCutOff(): boolean {
    return jobHosts(this.#context, this.#record).some((name) => this.#context.machines.get(name).link().state !== 'up');
  }

  #jobsUnderWay(): readonly JobToEnd[] {
    const { currentRuns } = this.#runner;
    const jobs = this.#jobsOf(currentRuns);
    if (jobs.length > 0) return jobs;
    const step = this.#record.step();
    return step ? [{ job: step, run: currentRuns[0] }] : [];
  }

  #jobsOf(runs: readonly number[]): JobToEnd[] {
    return runs.flatMap((id) => {
      const run = this.#context.store.runs.get(id);
      return !run || ENDED_RUN.includes(run.state) ? [] : run.jobs.map((job) => ({ job, run: id }));
    });
  }

  /** Detaches when the app closes: jobs on hosts keep running, and the session can be continued. A session that is stopping gets a moment to end. */
  async detach(): Promise<void> {
    const ends = new AbortController();
    if (this.stopping && !this.#isCutOff())
      await Promise.race([this.finished, pauseFor(STOP_AT_CLOSE_MS, ends.signal)]);
    ends.abort();
    this.#requests.close();
    await this.finished;
  }

  async #run(): Promise<void> {
    const unwatch = this.#context.machines.onLinks((link) => this.#blockers.linkChanged(link));
    this.#monitors.start();
    try {
      await this.#blockers.untilUnblocked((advance) => this.#runner.follow(advance));
    } catch (error) {
      await this.#restoreIfIdle();
      this.#recordInterruption(error);
    } finally {
      this.#over = true;
      unwatch();
      await this.#stopper.settled();
      await (this.#requests.closing.aborted ? this.#monitors.detach() : this.#monitors.stop());
      if (this.#requests.closing.aborted) await leaveMonitorsAtClose(this.#context, this.id, this.#toolSeconds());
      this.#record.changed();
    }
  }

  /** Seconds for which tools of its trials may still run while the app is closed. 0 if none runs, or all have been asked to end. */
  #toolSeconds(): number {
    if (this.stopping) return 0;
    const now = this.#context.clock.now();
    const remaining = this.#record
      .openRuns()
      .map(({ startedAt, warmup, duration }) => toolLimit(warmup + duration) - (now - (startedAt ?? now)) / 1000);
    return Math.max(0, ...remaining);
  }

  /** A tool that may still be running on a host keeps the settings that it was started with. */
  async #restoreIfIdle(): Promise<void> {
    if (this.#record.openRuns().length > 0 || this.#record.step()) return;
    await this.#world.restoreImmediately();
  }

  #recordInterruption(error: unknown): void {
    recordInterruption(this.#context, this.#record, error, {
      closing: this.#requests.closing.aborted,
      isAbandoned: this.#requests.isAbandoned,
      stopping: this.stopping,
    });
  }
}

/** Stops the tools of a session independently of each other, however long a host does not respond. */
class JobStopper {
  readonly #context: SessionContext;
  readonly #record: SessionRecord;
  readonly #ends: AbortSignal;
  readonly #under = new Set<Promise<void>>();

  /** `ends` aborts all waits: the app closes, or the host was abandoned. */
  constructor(context: SessionContext, record: SessionRecord, ends: AbortSignal) {
    this.#context = context;
    this.#record = record;
    this.#ends = ends;
  }

  /** Returns at once. Waits for a host that is unreachable now; the session is shown as stopping meanwhile. */
  end(job: { host: string; jobId: string }, runId?: number): void {
    const machine = this.#context.machines.get(job.host);
    const signal = this.#ends;
    if (machine.link().state === 'down')
      this.#record.log(
        'warn',
        `${job.host} cannot be reached; the tool there is stopped once it is reachable. Stop again to abandon it.`,
      );
    const stop = untilReachable(machine, { signal }, () =>
      this.#context.jobs.stop(machine, job.jobId, { cause: 'stop', signal }),
    );
    const stopped = stop.then(
      () => undefined,
      (error: unknown) => this.#notEnded(job.host, error, runId),
    );
    this.#under.add(stopped);
    void stopped.then(() => this.#under.delete(stopped));
  }

  /** Resolves when every tool has ended, or cannot be ended. */
  async settled(): Promise<void> {
    await Promise.all(this.#under);
  }

  #notEnded(host: string, error: unknown, runId?: number): void {
    if (this.#ends.aborted) return;
    const message = `The tool on ${host} could not be stopped: ${describeProblem(problemOf(error))}`;
    try {
      this.#record.log('error', message, runId);
    } catch (second) {
      this.#context.log.error(message, { session: this.#record.id, storing: problemOf(second).message });
    }
  }
}

/** Circumstances in which a session could not continue. */
interface Circumstances {
  /** The app closes. */
  closing: boolean;
  /** A user abandoned a host that does not respond. */
  isAbandoned: boolean;
  /** A user requested a stop. */
  stopping: boolean;
}

/** Stores the outcome of an interrupted session. If even that cannot be stored, the session is found interrupted later, and can be continued. */
function recordInterruption(context: RunsContext, record: SessionRecord, error: unknown, how: Circumstances): void {
  try {
    state(context, record, error, how);
  } catch (second) {
    context.log.error('the end of a session could not be stored', {
      session: record.id,
      message: problemOf(error).message,
      storing: problemOf(second).message,
    });
  }
}

function state(context: RunsContext, record: SessionRecord, error: unknown, how: Circumstances): void {
  const problem = problemOf(error);
  if (how.closing) {
    // A user's request stays in the state, and counts when the session continues.
    record.move('close', 'Kneepoint was closed. Jobs on the host keep running; resume the session to continue.');
    return;
  }
  if (how.isAbandoned) loseOpenRuns(context, record);
  const open = record.openRuns().length > 0;
  if (how.stopping && !open) {
    record.end('stop', 'Stopped by user.');
    return;
  }
  record.log('error', describeProblem(problem));
  context.log.error('session ended by an error', {
    session: record.id,
    code: problem.code,
    message: problem.message,
  });
  // With a job still on the host nothing is lost yet: the session can be continued once the cause is fixed.
  if (open) record.move('interrupt', describeProblem(problem));
  else record.end('fail', describeProblem(problem));
}

/** Hosts that do not respond; all of them if none is known to be down. */
function abandonedHosts(context: RunsContext, hosts: readonly string[]): readonly string[] {
  const silent = hosts.filter((host) => context.machines.get(host).link().state !== 'up');
  return silent.length > 0 ? silent : hosts;
}

function loseOpenRuns(context: RunsContext, record: SessionRecord): void {
  for (const run of record.openRuns()) {
    const host = abandonedHosts(
      context,
      run.jobs.map((job) => job.host),
    ).join(', ');
    moveRun(context, run.id, 'lose', {
      message: `${host} could not be reached and was abandoned; its tool may still be running there. Recorded data is stored.`,
      partial: true,
      endedAt: context.clock.now(),
    });
  }
}
