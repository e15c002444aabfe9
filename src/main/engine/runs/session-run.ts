import { describeProblem, KneepointError, problemOf } from '../../../shared/model/problem.ts';
import { ENDED_RUN, type SessionState } from '../../../shared/model/session.ts';
import { formatLevels } from '../../../shared/util/format.ts';
import type { Machine } from '../hosts/machine.ts';
import type { RunRow, SessionRow } from '../store/store.ts';
import { contextOf, type RunsContext, type SessionContext } from './context.ts';
import { Hindrances } from './hindrances.ts';
import type { Hub } from './hub.ts';
import { prepareData } from './prepare.ts';
import { untilReachable } from './reachable.ts';
import { readSurroundings } from './surroundings.ts';
import { executeTrial, type TrialControl } from './trial.ts';
import { pauseFor } from './wait.ts';

/** As many failed trials in a row say that the system is gone, not that a cell is bad. */
const FAILURES_IN_A_ROW = 3;
/** Two clicks of an impatient hand are one stop. */
const SECOND_STOP_AFTER_MS = 2000;

type Job = { host: string; jobId: string };

/** One session being executed, from wherever it stands to its end, a pause, or the app's closing. */
export class SessionRun {
  readonly id: number;
  readonly #context: RunsContext;
  readonly #hub: Hub;
  readonly #hindrances: Hindrances;
  readonly #closing = new AbortController();
  /** Cuts the rest between trials short. */
  #rest = new AbortController();
  /** What a person asked for; a stop is not taken back. */
  #wish: 'pause' | 'stop' | undefined;
  /** When a person pressed stop, on the clock of waits. */
  #stopAskedAt: number | undefined;
  /** A person gave a host up that does not answer. */
  readonly #givingUp = new AbortController();
  /** Ends every wait: the app closes, or the host was given up. */
  readonly #ends = AbortSignal.any([this.#closing.signal, this.#givingUp.signal]);
  #skipping: number | undefined;
  #currentRun: number | undefined;
  #activity: string | undefined;
  #over = false;
  /** Tools that are being ended: each is on its own way, however long its host does not answer. */
  readonly #ending = new Set<Promise<void>>();
  readonly finished: Promise<void>;

  /** The stored state says what was asked for before the app went away: pausing and stopping still count. */
  constructor(context: RunsContext, hub: Hub, id: number) {
    this.id = id;
    this.#context = context;
    this.#hub = hub;
    const { state } = this.#row();
    this.#wish = state === 'pausing' ? 'pause' : state === 'stopping' ? 'stop' : undefined;
    this.#hindrances = new Hindrances({
      host: this.#generator(),
      signal: this.#closing.signal,
      log: (level, message) => this.#log(level, message),
      onChange: () => this.#hub.changed(this.id),
    });
    this.finished = this.#run();
  }

  /** Nothing more happens: it ended, is paused, or could not go on. */
  get over(): boolean {
    return this.#over;
  }

  get stopping(): boolean {
    return this.#wish === 'stop';
  }

  get activity(): string | undefined {
    return this.#hindrances.words ?? this.#activity;
  }

  /** After the running trial, or before the first one. */
  pause(): void {
    if (this.#wish !== undefined) return;
    this.#set('pausing');
    this.#wish = 'pause';
    this.#rest.abort();
  }

  /** Takes a pause back that has not begun. */
  unpause(): void {
    if (this.#wish !== 'pause') return;
    this.#set(this.#row().startedAt === null ? 'starting' : 'running');
    this.#wish = undefined;
  }

  /** Ends the running trial; false when there is none. */
  skip(): boolean {
    if (this.#currentRun === undefined || this.stopping) return false;
    this.#skipping = this.#currentRun;
    this.#endJob(this.#context.store.runs.get(this.#currentRun)?.jobs[0]);
    return true;
  }

  /** Asked again while the generator does not answer, it gives the host up: otherwise a machine that is gone would keep the session open for ever. */
  stop(): void {
    const now = this.#context.clock.monotonic();
    const again = this.#stopAskedAt !== undefined && now - this.#stopAskedAt > SECOND_STOP_AFTER_MS;
    this.#stopAskedAt ??= now;
    if (again && this.#machine().link().state !== 'up') {
      this.#givingUp.abort();
      return;
    }
    this.#wish = 'stop';
    this.#rest.abort();
    const run = this.#currentRun === undefined ? undefined : this.#context.store.runs.get(this.#currentRun);
    this.#endJob(run?.jobs[0] ?? contextOf(this.#row()).prepareJob);
    this.#set('stopping');
  }

  /** The app closes: jobs on hosts go on, the session can be continued. */
  async detach(): Promise<void> {
    this.#closing.abort();
    this.#rest.abort();
    await this.finished;
  }

  async #run(): Promise<void> {
    const unwatch = this.#context.machines.onLinks((links) => this.#hindrances.linksChanged(links));
    try {
      await this.#hindrances.withRoom(async () => {
        await this.#start();
        await this.#trials();
      });
    } catch (error) {
      this.#failedSafely(error);
    } finally {
      this.#over = true;
      unwatch();
      await Promise.all(this.#ending);
      this.#activity = undefined;
      this.#hub.changed(this.id);
    }
  }

  async #start(): Promise<void> {
    const machine = this.#machine();
    if (this.stopping) return this.#endPreparing(machine);
    if (this.#row().startedAt === null) {
      this.#doing('Reading what host and target say of themselves');
      await untilReachable(machine, this.#control(), async () =>
        this.#keep(await readSurroundings(this.#context, contextOf(this.#row()), machine, this.#ends)),
      );
    }
    await prepareData(this.#context, this.id, machine, this.#control(), (words) => this.#doing(words));
    if (this.#wish === undefined) this.#set('running');
  }

  /** A stop before the first trial: what prepares data on the host is ended, nothing else is begun. */
  async #endPreparing(machine: Machine): Promise<void> {
    const { prepareJob, ...rest } = contextOf(this.#row());
    if (!prepareJob) return;
    const signal = this.#ends;
    await untilReachable(machine, this.#control(), () =>
      this.#context.jobs.stop(machine, prepareJob.jobId, { cause: 'stop', signal }),
    );
    this.#keep(rest);
  }

  async #trials(): Promise<void> {
    const { experiment } = contextOf(this.#row());
    let failures = 0;
    let before = false;
    for (const run of this.#context.store.runs.ofSession(this.id)) {
      const attached = run.state === 'running' || run.state === 'launching';
      if (ENDED_RUN.includes(run.state)) {
        before ||= run.startedAt !== null;
        continue;
      }
      if (!attached && before) await this.#restFor(experiment.measure.pause);
      before = true;
      if (this.#endsHere(attached)) return;
      const ended = await this.#trial(run);
      failures = ended.state === 'failed' || ended.state === 'lost' ? failures + 1 : 0;
      if (failures >= FAILURES_IN_A_ROW && !this.stopping && this.#isLeft()) throw this.#tooManyFailures(ended);
    }
    this.#throwIfClosing();
    if (this.stopping) this.#end('stopped', 'Stopped by a person.');
    else this.#end('done');
  }

  /** Whether a stop or a pause takes effect now. A job that is on its host is followed, or ended, first. */
  #endsHere(attached: boolean): boolean {
    this.#throwIfClosing();
    if (attached || this.#wish === undefined) return false;
    if (this.#wish === 'stop') this.#end('stopped', 'Stopped by a person.');
    else {
      this.#set('paused', 'Paused by a person.');
      this.#over = true;
    }
    return true;
  }

  async #trial(run: RunRow): Promise<RunRow> {
    if (this.#row().state === 'starting') this.#set('running');
    this.#currentRun = run.id;
    const levels = formatLevels(run.levels);
    const words = `Trial ${run.trial + 1}${levels ? ` (${levels})` : ''}`;
    this.#log('info', run.state === 'running' ? `${words} is being followed again.` : `${words} starts.`, run.id);
    try {
      const ended = await executeTrial(this.#context, run, this.#control(run.id));
      const message = ended.message ? `: ${ended.message}` : '.';
      this.#log(ended.state === 'done' ? 'info' : 'warn', `${words} is ${ended.state}${message}`, run.id);
      return ended;
    } finally {
      this.#currentRun = undefined;
      this.#hub.changed(this.id);
    }
  }

  #isLeft(): boolean {
    return this.#context.store.runs.ofSession(this.id).some((run) => run.state === 'pending');
  }

  #tooManyFailures(last: RunRow): KneepointError {
    return new KneepointError({
      code: 'run-failed',
      message: `${FAILURES_IN_A_ROW} trials in a row failed; the last one said: ${last.message ?? 'nothing'}`,
      session: this.id,
      safe: 'Everything recorded is kept.',
      next: 'Mend the cause, then resume: the session goes on with the next trial.',
    });
  }

  #throwIfClosing(): void {
    if (this.#closing.signal.aborted) throw new KneepointError({ code: 'cancelled', message: 'The app was closed.' });
  }

  /** Ends a tool. A host that cannot be reached now is waited for; the session says meanwhile that it is being stopped. */
  #endJob(job: Job | undefined): void {
    if (!job) return;
    const machine = this.#context.machines.get(job.host);
    const signal = this.#ends;
    if (machine.link().state === 'down')
      this.#log(
        'warn',
        `${job.host} cannot be reached; the tool there is ended as soon as it can be. Stopping once more gives it up.`,
      );
    const stop = untilReachable(machine, { signal }, () =>
      this.#context.jobs.stop(machine, job.jobId, { cause: 'stop', signal }),
    );
    const told = stop.then(
      () => undefined,
      (error: unknown) => this.#notEnded(job, error),
    );
    this.#ending.add(told);
    void told.then(() => this.#ending.delete(told));
  }

  #notEnded(job: Job, error: unknown): void {
    if (this.#ends.aborted) return;
    const message = `The tool on ${job.host} could not be ended: ${describeProblem(problemOf(error))}`;
    try {
      this.#log('error', message, this.#currentRun);
    } catch (second) {
      this.#context.log.error(message, { session: this.id, storing: problemOf(second).message });
    }
  }

  /** When not even the failure can be stored, the session is found interrupted later, and can be continued. */
  #failedSafely(error: unknown): void {
    try {
      this.#failed(error);
    } catch (second) {
      this.#context.log.error('the end of a session could not be stored', {
        session: this.id,
        message: problemOf(error).message,
        storing: problemOf(second).message,
      });
    }
  }

  #failed(error: unknown): void {
    const problem = problemOf(error);
    if (this.#closing.signal.aborted) {
      // What a person had asked for stays in the state, and counts when the session goes on.
      const { state } = this.#row();
      this.#set(
        state === 'pausing' || state === 'stopping' ? state : 'interrupted',
        'Kneepoint was closed; what runs on the host goes on, and resuming continues from there.',
      );
      return;
    }
    if (this.#givingUp.signal.aborted) this.#loseOpenRuns();
    const open = this.#context.store.runs
      .ofSession(this.id)
      .some((run) => run.state === 'running' || run.state === 'launching');
    if (this.stopping && !open) {
      this.#end('stopped', 'Stopped by a person.');
      return;
    }
    this.#log('error', describeProblem(problem));
    this.#context.log.error('session ended by an error', {
      session: this.id,
      code: problem.code,
      message: problem.message,
    });
    // With a job still on the host nothing is lost yet: it can be continued once the cause is mended.
    if (open) this.#set('interrupted', describeProblem(problem));
    else this.#end('failed', describeProblem(problem));
  }

  #loseOpenRuns(): void {
    for (const run of this.#context.store.runs.ofSession(this.id)) {
      if (run.state !== 'running' && run.state !== 'launching') continue;
      const host = run.jobs[0]?.host ?? this.#generator();
      this.#context.store.runs.update(run.id, {
        state: 'lost',
        message: `${host} could not be reached and was given up; its tool may still be running there. What was recorded until then is kept.`,
        partial: true,
        endedAt: this.#context.clock.now(),
      });
    }
  }

  /** Nothing of it runs any more. */
  #end(state: 'done' | 'stopped' | 'failed', message?: string): void {
    if (state === 'stopped')
      this.#context.store.runs.skipPending(this.id, 'The session was stopped before this trial.');
    this.#set(state, message);
    this.#context.store.sessions.update(this.id, { endedAt: this.#context.clock.now() });
    this.#over = true;
  }

  #control(runId?: number): TrialControl {
    return {
      signal: this.#ends,
      ended: () =>
        this.stopping ? 'stopped' : runId !== undefined && this.#skipping === runId ? 'skipped' : undefined,
      onChange: () => {
        this.#hindrances.stored();
        this.#hub.changed(this.id);
      },
      notice: (level, message) => this.#log(level, message, runId),
    };
  }

  #log(level: 'info' | 'warn' | 'error', message: string, runId?: number): void {
    this.#context.store.sessions.addLog({
      sessionId: this.id,
      at: this.#context.clock.now(),
      level,
      message: this.#context.redact(message),
      ...(runId !== undefined && { runId }),
    });
    this.#hub.changed(this.id);
  }

  /** The whole time, also when somebody pauses and takes it back meanwhile: a shorter rest is another experiment. */
  async #restFor(seconds: number): Promise<void> {
    const end = this.#context.clock.monotonic() + seconds * 1000;
    if (seconds > 0) this.#doing(`Resting ${seconds} s before the next trial`);
    for (;;) {
      const left = end - this.#context.clock.monotonic();
      if (left <= 0 || this.#wish !== undefined || this.#closing.signal.aborted) break;
      this.#rest = new AbortController();
      await pauseFor(left, this.#rest.signal);
    }
    this.#doing(undefined);
  }

  #doing(words: string | undefined): void {
    this.#activity = words;
    this.#hub.changed(this.id);
  }

  #generator(): string {
    return contextOf(this.#row()).experiment.where.generators[0] as string;
  }

  #machine(): Machine {
    return this.#context.machines.get(this.#generator());
  }

  #row(): SessionRow {
    const row = this.#context.store.sessions.get(this.id);
    if (!row) throw new KneepointError({ code: 'not-found', message: `Session ${this.id} is gone.`, session: this.id });
    return row;
  }

  #keep(context: SessionContext): void {
    this.#context.store.sessions.update(this.id, { context: context as unknown as Record<string, unknown> });
  }

  #set(state: SessionState, message: string | null = null): void {
    const row = this.#row();
    const startedAt = row.startedAt ?? (state === 'running' ? this.#context.clock.now() : null);
    this.#context.store.sessions.update(this.id, { state, message, startedAt });
    this.#hub.changed(this.id);
  }
}
