import { KneepointError } from '../../../shared/model/problem.ts';
import { ENDED_RUN } from '../../../shared/model/session.ts';
import { formatLevels } from '../../../shared/util/format.ts';
import type { Machine } from '../hosts/machine.ts';
import type { RunRow } from '../store/store.ts';
import { breakOff } from './breaking-off.ts';
import type { RunsContext } from './context.ts';
import { Ending } from './ending.ts';
import { Hindrances } from './hindrances.ts';
import type { Hub } from './hub.ts';
import { beforeTrial, prepareData } from './prepare.ts';
import { untilReachable } from './reachable.ts';
import { SessionRecord } from './session-record.ts';
import { readSurroundings } from './surroundings.ts';
import { executeTrial, type TrialControl } from './trial.ts';
import { Wishes } from './wishes.ts';

/** As many failed trials in a row say that the system is gone, not that a cell is bad. */
const FAILURES_IN_A_ROW = 3;
/** One session being executed, from wherever it stands to its end, a pause, or the app's closing. */
export class SessionRun {
  readonly id: number;
  readonly #context: RunsContext;
  readonly #record: SessionRecord;
  readonly #hindrances: Hindrances;
  readonly #wishes: Wishes;
  #currentRun: number | undefined;
  #activity: string | undefined;
  #over = false;
  readonly #ending: Ending;
  readonly finished: Promise<void>;

  constructor(context: RunsContext, hub: Hub, id: number) {
    this.id = id;
    this.#context = context;
    this.#record = new SessionRecord(context, hub, id);
    this.#wishes = new Wishes(context.clock, this.#record.row().state);
    this.#ending = new Ending(context, this.#record, this.#wishes.ends);
    this.#hindrances = new Hindrances({
      hosts: this.#generators(),
      signal: this.#wishes.closing,
      log: (level, message) => this.#record.log(level, message),
      onChange: () => this.#record.changed(),
    });
    this.finished = this.#run();
  }

  /** Nothing more happens: it ended, is paused, or could not go on. */
  get over(): boolean {
    return this.#over;
  }

  get stopping(): boolean {
    return this.#wishes.stopping;
  }

  get activity(): string | undefined {
    return this.#hindrances.words ?? this.#activity;
  }

  /** After the running trial, or before the first one. */
  pause(): void {
    if (this.#wishes.pausing || this.stopping) return;
    this.#record.set('pausing');
    this.#wishes.pause();
  }

  /** Takes a pause back that has not begun. */
  unpause(): void {
    if (!this.#wishes.pausing) return;
    this.#record.set(this.#record.row().startedAt === null ? 'starting' : 'running');
    this.#wishes.unpause();
  }

  /** Ends the running trial, which must be this one if it is named; false when it does not run. */
  skip(runId = this.#currentRun): boolean {
    if (this.#currentRun === undefined || runId !== this.#currentRun || this.stopping) return false;
    this.#wishes.skip(this.#currentRun);
    for (const job of this.#context.store.runs.get(this.#currentRun)?.jobs ?? [])
      this.#ending.end(job, this.#currentRun);
    return true;
  }

  /** Asked again while a generator does not answer, it gives the host up: otherwise a machine that is gone would keep the session open for ever. */
  stop(): void {
    if (this.#wishes.stopsAgain && this.#machines().some((machine) => machine.link().state !== 'up')) {
      this.#wishes.giveUp();
      return;
    }
    this.#wishes.stop();
    for (const job of this.#jobsUnderWay()) this.#ending.end(job, this.#currentRun);
    this.#record.set('stopping');
  }

  #jobsUnderWay(): readonly { host: string; jobId: string }[] {
    const run = this.#currentRun === undefined ? undefined : this.#context.store.runs.get(this.#currentRun);
    if (run && run.jobs.length > 0) return run.jobs;
    const { prepareJob } = this.#record.facts();
    return prepareJob ? [prepareJob] : [];
  }

  /** The app closes: jobs on hosts go on, the session can be continued. */
  async detach(): Promise<void> {
    this.#wishes.close();
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
      this.#breakOff(error);
    } finally {
      this.#over = true;
      unwatch();
      await this.#ending.settled();
      this.#activity = undefined;
      this.#record.changed();
    }
  }

  async #start(): Promise<void> {
    if (this.stopping) return this.#endPreparing(this.#preparer());
    if (this.#record.row().startedAt === null) {
      this.#doing('Reading what hosts and target say of themselves');
      this.#record.keepFacts(
        await readSurroundings(this.#context, this.#record.facts(), this.#machines(), this.#control()),
      );
    }
    const next = this.#record.runs().find(({ state }) => !ENDED_RUN.includes(state));
    if (next?.state === 'pending') await this.#dataFor(next);
    if (!this.#isAskedToEnd()) this.#record.set('running');
  }

  /** A stop before the first trial: what prepares data on the host is ended, nothing else is begun. */
  async #endPreparing(machine: Machine): Promise<void> {
    const { prepareJob, ...rest } = this.#record.facts();
    if (!prepareJob) return;
    const signal = this.#wishes.ends;
    await untilReachable(machine, this.#control(), () =>
      this.#context.jobs.stop(machine, prepareJob.jobId, { cause: 'stop', signal }),
    );
    this.#record.keepFacts(rest);
  }

  async #trials(): Promise<void> {
    const { experiment } = this.#record.facts();
    let failures = 0;
    let before = false;
    for (const run of this.#record.runs()) {
      const attached = run.state === 'running' || run.state === 'launching';
      if (ENDED_RUN.includes(run.state)) {
        before ||= run.startedAt !== null;
        continue;
      }
      if (!attached) {
        if (this.#endsHere(false)) return;
        await this.#dataFor(run);
        if (before) await this.#restFor(experiment.measure.pause);
      }
      before = true;
      if (this.#endsHere(attached)) return;
      if (!attached) beforeTrial(this.#context, run);
      const ended = await this.#trial(run);
      failures = ended.state === 'failed' || ended.state === 'lost' ? failures + 1 : 0;
      if (failures >= FAILURES_IN_A_ROW && !this.stopping && this.#isLeft()) throw this.#tooManyFailures(ended);
    }
    this.#throwIfClosing();
    if (this.stopping) this.#end('stopped');
    else this.#end('done');
  }

  async #dataFor(run: RunRow): Promise<void> {
    await prepareData(this.#context, run, this.#preparer(), this.#control(), (words) => this.#doing(words));
  }

  /** Whether a stop or a pause takes effect now. A job that is on its host is followed, or ended, first. */
  #endsHere(attached: boolean): boolean {
    this.#throwIfClosing();
    if (attached || !this.#isAskedToEnd()) return false;
    if (this.stopping) this.#end('stopped');
    else {
      this.#record.set('paused', 'Paused by a person.');
      this.#over = true;
    }
    return true;
  }

  async #trial(run: RunRow): Promise<RunRow> {
    if (this.#record.row().state === 'starting') this.#record.set('running');
    this.#currentRun = run.id;
    const levels = formatLevels(run.levels);
    const words = `Trial ${run.trial + 1}${levels ? ` (${levels})` : ''}`;
    this.#record.log(
      'info',
      run.state === 'running' ? `${words} is being followed again.` : `${words} starts.`,
      run.id,
    );
    try {
      const ended = await executeTrial(this.#context, run, this.#control(run.id));
      const message = ended.message ? `: ${ended.message}` : '.';
      this.#record.log(ended.state === 'done' ? 'info' : 'warn', `${words} is ${ended.state}${message}`, run.id);
      return ended;
    } finally {
      this.#currentRun = undefined;
      this.#record.changed();
    }
  }

  #isLeft(): boolean {
    return this.#record.runs().some((run) => run.state === 'pending');
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
    if (this.#wishes.closing.aborted) throw new KneepointError({ code: 'cancelled', message: 'The app was closed.' });
  }

  #end(state: 'done' | 'stopped'): void {
    this.#record.end(state, state === 'stopped' ? 'Stopped by a person.' : undefined);
    this.#over = true;
  }

  #breakOff(error: unknown): void {
    breakOff(this.#context, this.#record, error, {
      closing: this.#wishes.closing.aborted,
      givenUp: this.#wishes.givenUp,
      stopping: this.stopping,
    });
  }

  #isAskedToEnd(): boolean {
    return this.#wishes.pausing || this.stopping;
  }

  #control(runId?: number): TrialControl {
    return {
      signal: this.#wishes.ends,
      ended: () => this.#wishes.endedBy(runId),
      onChange: () => {
        this.#hindrances.stored();
        this.#record.changed();
      },
      notice: (level, message) => this.#record.log(level, message, runId),
    };
  }

  async #restFor(seconds: number): Promise<void> {
    if (seconds > 0) this.#doing(`Resting ${seconds} s before the next trial`);
    await this.#wishes.rest(seconds);
    this.#doing(undefined);
  }

  #doing(words: string | undefined): void {
    this.#activity = words;
    this.#record.changed();
  }

  #generators(): readonly string[] {
    return this.#record.facts().experiment.where.generators;
  }

  /** Data is prepared from the first generator. */
  #preparer(): Machine {
    return this.#machines()[0] as Machine;
  }

  #machines(): Machine[] {
    return this.#generators().map((name) => this.#context.machines.get(name));
  }
}
