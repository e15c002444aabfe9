import { KneepointError } from '../../../../shared/model/problem.ts';
import { ENDED_RUN, FAILED_RUN, OPEN_RUN } from '../../../../shared/model/session.ts';
import { formatCount, formatLevels } from '../../../../shared/util/format.ts';
import type { Machine } from '../../hosts/machine.ts';
import type { RunRow } from '../../store/store.ts';
import { beforeTrialActions } from '../before/index.ts';
import type { RunsContext } from '../context.ts';
import { beforeTrial, prepareData } from '../data/prepare.ts';
import { untilReachable } from '../reachable.ts';
import { removeSecretsLeft } from '../secrets-left.ts';
import { readStartFacts, readTables } from '../start-facts.ts';
import { isFresh, type StartKnowledge } from '../start-knowledge.ts';
import { keepForAWhile, removeOldJobs } from '../tidy.ts';
import type { TrialControl } from '../trial/control.ts';
import { executeTrial } from '../trial/trial.ts';
import type { Stage } from '../world/index.ts';
import type { SessionRecord } from './session-record.ts';
import type { SessionRequests } from './session-requests.ts';
import type { SessionWorld } from './session-world.ts';

/** As many failed trials in a row say that the system is gone, not that a cell is bad. */
const FAILURES_IN_A_ROW = 3;

/** What became of a trial, as a sentence continues after its name. */
const BECAME: Readonly<Record<RunRow['state'], string>> = {
  pending: 'waits',
  launching: 'is being launched',
  running: 'is running',
  done: 'is done',
  failed: 'failed',
  lost: 'was lost',
  skipped: 'was skipped',
  stopped: 'was stopped',
};

/** The way of a session from wherever it stands: facts, data, trials and rests, in their order, until its end or a pause. */
export class SessionRunner {
  readonly #context: RunsContext;
  readonly #record: SessionRecord;
  readonly #requests: SessionRequests;
  readonly #world: SessionWorld;
  readonly #onStored: () => void;
  #known: StartKnowledge | undefined;
  #currentRun: number | undefined;
  /** The run whose start was told: it is told once, however often the launch has to wait for a person. */
  #announced: number | undefined;
  #activity: string | undefined;
  #over = false;
  #advance: () => void = () => {};

  /** `known`: what the preflight of this start found out. `onStored`: something was recorded, so there is room on the disk. */
  constructor(
    context: RunsContext,
    record: SessionRecord,
    requests: SessionRequests,
    world: SessionWorld,
    known: StartKnowledge | undefined,
    onStored: () => void,
  ) {
    this.#context = context;
    this.#known = known;
    this.#record = record;
    this.#requests = requests;
    this.#world = world;
    this.#onStored = onStored;
  }

  /** It came to its end or to a pause. */
  get over(): boolean {
    return this.#over;
  }

  /** The trial that is being launched or recorded. */
  get currentRun(): number | undefined {
    return this.#currentRun;
  }

  /** What happens besides a trial. */
  get activity(): string | undefined {
    return this.#activity;
  }

  /** Goes on until there is nothing to do. May be called again after it threw. `advance` is called when a trial is under way. */
  async follow(advance: () => void): Promise<void> {
    this.#advance = advance;
    try {
      await this.#start();
      await this.#trials();
    } finally {
      this.#activity = undefined;
    }
  }

  async #start(): Promise<void> {
    if (this.#requests.stopping) return this.#endPreparing();
    // Nothing is under way, so the pause takes effect at once: what the session waits for need not be there.
    if (this.#requests.pausing && this.#record.openRuns().length === 0 && !this.#record.step()) return;
    const begun = this.#record.row().startedAt !== null;
    if (!begun) await this.#readFacts();
    const next = this.#record.runs().find(({ state }) => !ENDED_RUN.includes(state));
    if (next?.state === 'pending' && (await this.#reach(next, 'data')) === undefined) await this.#dataFor(next);
    if (!begun && !this.#isAskedToEnd()) await this.#readTables();
    if (!this.#isAskedToEnd()) this.#record.move('measure');
  }

  /** Hosts and target are asked unless the preflight has just done so. */
  async #readFacts(): Promise<void> {
    const { experiment } = this.#record.snapshot();
    const known = this.#fresh()?.facts;
    if (known) this.#record.keepFacts(known);
    this.#doing('Reading facts of hosts and target');
    const control = this.#control();
    if (!known) this.#record.keepFacts(await readStartFacts(this.#context, experiment, this.#machines(), control));
    await Promise.all(this.#machines().map((machine) => this.#tidy(machine, control)));
  }

  /** Before the first trial of a later part: hosts and target can have changed since the start. */
  async #readPartFacts(run: RunRow): Promise<void> {
    const { experiment, later = [] } = this.#record.snapshot();
    const part = later.findLast(({ from }) => from <= run.trial);
    if (!part || part.facts) return;
    this.#doing('Reading facts of hosts and target again');
    const facts = await readStartFacts(this.#context, experiment, this.#machines(), this.#control());
    this.#record.keepPartFacts(part.from, facts);
    this.#doing(undefined);
  }

  async #readTables(): Promise<void> {
    const facts = await readTables(this.#context, this.#record.snapshot(), this.#control());
    if (facts) this.#record.keepFacts(facts);
  }

  /** Takes away what earlier sessions left on a host. */
  #tidy(machine: Machine, control: TrialControl): Promise<void> {
    return untilReachable(machine, control, async () => {
      await removeOldJobs(this.#context, machine);
      await removeSecretsLeft(this.#context, machine, control.signal);
    });
  }

  #fresh(): StartKnowledge | undefined {
    return this.#known && isFresh(this.#known, this.#context.clock) ? this.#known : undefined;
  }

  /** A stop before the first trial: what prepares data on the host is ended, nothing else is begun. */
  async #endPreparing(): Promise<void> {
    const step = this.#record.step();
    if (!step) return;
    const machine = this.#context.machines.get(step.host);
    const signal = this.#requests.ends;
    await untilReachable(machine, this.#control(), () =>
      this.#context.jobs.stop(machine, step.jobId, { cause: 'stop', signal }),
    );
    this.#context.store.jobs.endStep(this.#record.id);
    keepForAWhile(this.#context, step);
    await removeSecretsLeft(this.#context, machine, signal);
  }

  async #trials(): Promise<void> {
    const { experiment } = this.#record.snapshot();
    let failures = 0;
    let before = false;
    for (const run of this.#planned()) {
      const attached = OPEN_RUN.includes(run.state);
      if (ENDED_RUN.includes(run.state)) {
        before ||= run.startedAt !== null;
        continue;
      }
      if (!attached) {
        if (await this.#endsHere(false)) return;
        await this.#readPartFacts(run);
        const rest = before ? experiment.measure.pause : 0;
        const unreached = await this.#prepare(run, rest);
        if (unreached) {
          failures = this.#countFailure(failures, unreached);
          continue;
        }
      }
      before = true;
      if (await this.#endsHere(attached)) return;
      if (!attached) beforeTrial(this.#context, run);
      const ended = await this.#trial(run);
      failures = this.#countFailure(failures, ended);
    }
    this.#throwIfClosing();
    await this.#end(this.#requests.stopping ? 'stop' : 'finish');
  }

  /** What comes before a trial. Gives the trial when hosts or servers could not be made what it wants, and it has failed. */
  async #prepare(run: RunRow, rest: number): Promise<RunRow | undefined> {
    const unreached = await this.#reach(run, 'data');
    if (unreached) return unreached;
    await this.#dataFor(run);
    await this.#restFor(rest);
    if (this.#isAskedToEnd()) return undefined;
    return (await this.#before(run)) ?? this.#reach(run, 'launch');
  }

  /** How many trials in a row have failed. Throws when they are too many. What a host or server refused says something of the cell alone. */
  #countFailure(before: number, ended: RunRow): number {
    if (this.#world.isOfLevel(ended)) return before;
    const failures = FAILED_RUN.includes(ended.state) ? before + 1 : 0;
    if (failures >= FAILURES_IN_A_ROW && !this.#requests.stopping && this.#isLeft()) throw this.#tooManyFailures(ended);
    return failures;
  }

  /** Gives the trial when something that was wanted before it was refused, and it has failed. */
  async #before(run: RunRow): Promise<RunRow | undefined> {
    const failed = await beforeTrialActions(this.#context, run, {
      control: this.#control(run.id),
      asked: () => this.#isAskedToEnd() || this.#requests.closing.aborted,
      activity: (words) => this.#doing(words),
      rest: (seconds) => this.#requests.rest(seconds),
    });
    if (failed) this.#record.log('warn', `${this.#wordsOf(run)} ${BECAME.failed}: ${failed.message ?? ''}`, run.id);
    return failed;
  }

  /** The trials in their order, and then those that were added meanwhile. */
  *#planned(): Generator<RunRow> {
    let last = -1;
    for (
      let runs = this.#record.runs();
      runs.length > 0;
      runs = this.#record.runs().filter(({ trial }) => trial > last)
    )
      for (const run of runs) {
        last = run.trial;
        yield run;
      }
  }

  async #dataFor(run: RunRow): Promise<void> {
    const seen = this.#fresh()?.seen ?? new Map();
    // Later on, others can have changed it.
    this.#known = undefined;
    const activity = (words: string | undefined): void => this.#doing(words);
    await prepareData(this.#context, run, { control: this.#control(), activity, seen });
  }

  /** Whether a stop or a pause takes effect now. A job that is on its host is followed, or ended, first. */
  async #endsHere(attached: boolean): Promise<boolean> {
    this.#throwIfClosing();
    if (attached || !this.#isAskedToEnd()) return false;
    if (this.#requests.stopping) await this.#end('stop');
    else await this.#pause();
    return true;
  }

  async #pause(): Promise<void> {
    if (this.#record.snapshot().experiment.measure.paused === 'restore') await this.#putBack();
    this.#record.move('pause', 'Paused by user.');
    this.#over = true;
  }

  async #trial(run: RunRow): Promise<RunRow> {
    if (this.#record.row().state === 'starting') this.#record.move('measure');
    this.#currentRun = run.id;
    const words = this.#wordsOf(run);
    if (this.#announced !== run.id) {
      const begins = run.state === 'running' ? 'is re-attached' : 'starts';
      this.#record.log('info', `${words} ${begins}.`, run.id);
    }
    this.#announced = run.id;
    try {
      const ended = await executeTrial(this.#context, run, this.#control(run.id));
      const message = ended.message ? `: ${ended.message}` : '.';
      this.#record.log(ended.state === 'done' ? 'info' : 'warn', `${words} ${BECAME[ended.state]}${message}`, run.id);
      return ended;
    } finally {
      this.#currentRun = undefined;
      this.#record.changed();
    }
  }

  /** Gives the trial when hosts or servers could not be made what it wants, and it has failed. */
  async #reach(run: RunRow, stage: Stage): Promise<RunRow | undefined> {
    this.#doing('Setting hosts and servers');
    const failed = await this.#world.reach(run, this.#control(run.id), stage);
    this.#doing(undefined);
    if (failed) this.#record.log('warn', `${this.#wordsOf(run)} ${BECAME.failed}: ${failed.message ?? ''}`, run.id);
    return failed;
  }

  async #putBack(): Promise<void> {
    this.#doing('Putting settings back');
    // Whoever stops it does not want to be asked for anything: what is left then is told.
    await this.#world.putBack(this.#control(), !this.#requests.stopping);
    this.#doing(undefined);
  }

  #wordsOf(run: RunRow): string {
    const levels = formatLevels(run.levels);
    return `Trial ${run.trial + 1}${levels ? ` (${levels})` : ''}`;
  }

  #isLeft(): boolean {
    return this.#record.runs().some((run) => run.state === 'pending');
  }

  #tooManyFailures(last: RunRow): KneepointError {
    return new KneepointError({
      code: 'run-failed',
      message: `${FAILURES_IN_A_ROW} trials in a row failed; the last one said: ${last.message ?? 'nothing'}`,
      session: this.#record.id,
      safe: 'Everything recorded so far is kept.',
      next: 'Fix the cause, then resume: the session continues with the next trial.',
    });
  }

  #throwIfClosing(): void {
    if (this.#requests.closing.aborted) throw new KneepointError({ code: 'cancelled', message: 'The app was closed.' });
  }

  /** Hosts and servers are put back first: the session says that it has ended when nothing of it is left there. */
  async #end(trigger: 'finish' | 'stop'): Promise<void> {
    await this.#putBack();
    this.#record.end(trigger, trigger === 'stop' ? 'Stopped by user.' : noneMeasured(this.#record.runs()));
    this.#over = true;
  }

  #isAskedToEnd(): boolean {
    return this.#requests.pausing || this.#requests.stopping;
  }

  #control(runId?: number): TrialControl {
    return {
      signal: this.#requests.ends,
      ended: () => this.#requests.endedBy(runId),
      onChanged: () => {
        this.#onStored();
        if (runId !== undefined && this.#context.store.runs.get(runId)?.state === 'running') this.#advance();
        this.#record.changed();
      },
      notice: (level, message, host) => {
        if (host === undefined || !this.#isToldOf(host)) this.#record.log(level, message, runId);
      },
    };
  }

  /** A generator whose link is down: whoever watches the links has told of it. */
  #isToldOf(host: string): boolean {
    return this.#record.row().generators.includes(host) && this.#context.machines.get(host).link().state === 'down';
  }

  async #restFor(seconds: number): Promise<void> {
    if (seconds === 0) return;
    this.#doing(`Waiting ${seconds} s before the next trial`);
    await this.#requests.rest(seconds);
    this.#doing(undefined);
  }

  #doing(words: string | undefined): void {
    this.#activity = words;
    this.#record.changed();
  }

  #machines(): Machine[] {
    return this.#record.row().generators.map((name) => this.#context.machines.get(name));
  }
}

/** What a session says at its end when no trial of it came to its end and at least one failed; null otherwise. */
function noneMeasured(runs: readonly RunRow[]): string | null {
  const failed = runs.filter(({ state }) => FAILED_RUN.includes(state));
  const last = failed.at(-1);
  if (!last || runs.some(({ state }) => state === 'done')) return null;
  const said = last.message ?? 'nothing';
  if (runs.length === 1) return `Its only trial failed, so nothing was measured. It said: ${said}`;
  const became = failed.length === runs.length ? 'each failed' : `${failed.length} failed, the others were skipped`;
  return `None of its ${formatCount(runs.length, 'trial')} was measured: ${became}. The last one said: ${said}`;
}
