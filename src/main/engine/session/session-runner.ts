import type { Changes } from '../../../shared/model/plan.ts';
import { KneepointError, type Problem } from '../../../shared/model/problem.ts';
import { ENDED_RUN, FAILED_RUN, OPEN_RUN } from '../../../shared/model/session.ts';
import { afterDataStep, beforeTrial } from '../data/index.ts';
import { isFresh, type StartKnowledge } from '../preflight/index.ts';
import { moveRun, type SessionRecord, toolsOf, untilReachable } from '../runs/index.ts';
import type { RunRow } from '../store/store.ts';
import { preparesData } from '../tools/index.ts';
import { executeTrial, type TrialControl } from '../trial/index.ts';
import type { SessionMonitors } from '../watching/index.ts';
import { keepForAWhile, removeSecretsLeft } from '../world/index.ts';
import { Activity, type SessionContext } from './activity.ts';
import { BeforeLaunch } from './before-launch.ts';
import { Gates } from './gates.ts';
import { isAskedToEnd, jobHosts, type Leading } from './leading.ts';
import { SessionFacts } from './session-facts.ts';
import type { SessionRequests } from './session-requests.ts';
import { changesLeft, type SessionWorld } from './session-world.ts';
import { StopRules } from './stop-rules.ts';
import { BECAME, brokenTrial, FAILURES_IN_A_ROW, noneMeasured, tooManyFailures, trialName } from './words.ts';

/** The way of a session from wherever it stands: facts, data, trials and rests, in their order, until its end or a pause. */
export class SessionRunner {
  readonly #context: SessionContext;
  readonly #record: SessionRecord;
  readonly #requests: SessionRequests;
  readonly #world: SessionWorld;
  readonly #monitors: SessionMonitors;
  readonly #leading: Leading;
  readonly #facts: SessionFacts;
  readonly #beforeLaunch: BeforeLaunch;
  readonly #stopRules: StopRules;
  readonly #gates: Gates;
  readonly #onStored: () => void;
  #known: StartKnowledge | undefined;
  #changesLeft: Changes | undefined;
  #currentRun: number | undefined;
  /** The run whose start was told: it is told once, however often the launch has to wait for a person. */
  #announced: number | undefined;
  #over = false;
  #advance: () => void = () => {};

  /** `known`: what the preflight of this start found out. `onStored`: something was recorded, so there is room on the disk. */
  constructor(
    context: SessionContext,
    record: SessionRecord,
    requests: SessionRequests,
    world: SessionWorld,
    known: StartKnowledge | undefined,
    monitors: SessionMonitors,
    onStored: () => void,
  ) {
    this.#context = context;
    this.#known = known;
    this.#record = record;
    this.#requests = requests;
    this.#world = world;
    this.#monitors = monitors;
    this.#onStored = onStored;
    const activity = new Activity(context.clock, () => record.changed());
    const control = (runId?: number): TrialControl => this.#control(runId);
    this.#leading = { context, record, requests, world, activity, control };
    this.#facts = new SessionFacts(this.#leading);
    this.#beforeLaunch = new BeforeLaunch(this.#leading, monitors);
    this.#stopRules = new StopRules(context, record);
    this.#gates = new Gates(context, record);
  }

  /** It came to its end or to a pause. */
  get over(): boolean {
    return this.#over;
  }

  /** The trial that is being launched or recorded, or waits for its server. */
  get currentRun(): number | undefined {
    return this.#currentRun ?? this.#beforeLaunch.waiting?.run;
  }

  /** What its next trial waits for, and a person can see to. */
  get needs(): Problem | undefined {
    return this.#beforeLaunch.waiting?.problem;
  }

  /** What happens besides a trial, and since when. */
  get activity(): Activity['now'] {
    return this.#leading.activity.now;
  }

  /** Restarts and reloads to come, at most. */
  get changesLeft(): Changes | undefined {
    return this.#changesLeft;
  }

  /** Goes on until there is nothing to do. May be called again after it threw. `advance` is called when a trial is under way. */
  async follow(advance: () => void): Promise<void> {
    this.#advance = advance;
    try {
      await this.#start();
      await this.#trials();
    } finally {
      this.#leading.activity.doing(undefined);
    }
  }

  async #start(): Promise<void> {
    if (this.#requests.stopping) return this.#endPreparing();
    // Nothing is under way, so the pause takes effect at once: what the session waits for need not be there.
    if (this.#requests.pausing && this.#record.openRuns().length === 0 && !this.#record.step()) return;
    const begun = this.#record.row().startedAt !== null;
    if (!begun) await this.#facts.ofStart(this.#fresh()?.facts);
    this.#stopRules.apply();
    this.#beforeLaunch.begin();
    this.#changesLeft = changesLeft(this.#context, this.#record, undefined);
    const next = this.#record.runs().find(({ state }) => !ENDED_RUN.includes(state));
    if (next?.state === 'pending' && (await this.#beforeLaunch.reach(next, 'data')) === undefined)
      await this.#beforeLaunch.data(next, this.#knownOnce());
    if (!begun && !isAskedToEnd(this.#leading)) await this.#facts.ofTables();
    if (!isAskedToEnd(this.#leading)) this.#record.move('measure');
  }

  #fresh(): StartKnowledge | undefined {
    return this.#known && isFresh(this.#known, this.#context.clock) ? this.#known : undefined;
  }

  /** For the first look at data: later on, others can have changed it. */
  #knownOnce(): StartKnowledge | undefined {
    const known = this.#fresh();
    this.#known = undefined;
    return known;
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
    const { steps } = this.#record.row();
    let failures = 0;
    /** The last run that was begun, and why the rest of a trial is not measured. */
    let last: RunRow | undefined;
    let broken: { trial: number; why: string } | undefined;
    const ended = (run: RunRow): void => {
      const { trial, step, state } = run;
      const closed = this.#gates.stops(run);
      if (closed !== undefined) broken = { trial, why: closed };
      else if (
        (steps[step]?.measured === false && FAILED_RUN.includes(state)) ||
        (state !== 'done' && preparesData(steps[step]?.tool ?? ''))
      )
        broken = { trial, why: brokenTrial(run, steps) };
    };
    for (const run of this.#planned()) {
      const attached = OPEN_RUN.includes(run.state);
      if (ENDED_RUN.includes(run.state)) {
        if (run.startedAt !== null) last = run;
        ended(run);
        continue;
      }
      if (!attached) {
        if (await this.#endsHere(false)) return;
        if (this.#stopRules.skips(run)) continue;
        if (broken?.trial === run.trial) {
          this.#skip(run, broken.why);
          continue;
        }
        const goesOn = last?.trial === run.trial;
        const rest = last && !goesOn ? experiment.measure.pause : 0;
        const unreached = await this.#beforeLaunch.prepare(run, { rest, goesOn }, () => this.#facts.ofPart(run));
        if (unreached) {
          ended(unreached);
          failures = this.#countFailure(failures, unreached);
          continue;
        }
      }
      last = run;
      if (await this.#endsHere(attached)) return;
      if (!attached) beforeTrial(this.#context, run);
      const measured = await this.#trial(run);
      afterDataStep(this.#context, measured);
      ended(measured);
      failures = this.#countFailure(failures, measured);
    }
    this.#throwIfClosing();
    this.#stopRules.apply();
    await this.#end(this.#requests.stopping && !this.#isWhole() ? 'stop' : 'finish');
  }

  /** Whether a stop left nothing out: its last trial was one that may be ended at any time. */
  #isWhole(): boolean {
    const tools = toolsOf(this.#context, this.#record.row().steps);
    const mayBeEnded = tools.every(({ endsWhenTold }) => endsWhenTold !== undefined);
    return mayBeEnded && this.#record.runs().every(({ state }) => state === 'done');
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

  /** How many trials in a row have failed. Throws when they are too many. What a host or server refused says something of the cell alone. */
  #countFailure(before: number, ended: RunRow): number {
    if (this.#world.isOfLevel(ended)) return before;
    const failures = FAILED_RUN.includes(ended.state) ? before + 1 : 0;
    const isLeft = this.#record.runs().some(({ state }) => state === 'pending');
    if (failures >= FAILURES_IN_A_ROW && !this.#requests.stopping && isLeft)
      throw tooManyFailures(this.#record.id, ended);
    return failures;
  }

  async #trial(run: RunRow): Promise<RunRow> {
    if (this.#record.row().state === 'starting') this.#record.move('measure');
    this.#currentRun = run.id;
    this.#changesLeft = changesLeft(this.#context, this.#record, run.trial);
    const name = trialName(run, this.#record.row().steps);
    if (this.#announced !== run.id) {
      const begins = run.state === 'running' ? 'is re-attached' : 'starts';
      this.#record.log('info', `${name} ${begins}.`, run.id, this.#beforeLaunch.takeSpent());
    }
    this.#announced = run.id;
    try {
      const ended = await executeTrial(this.#context, run, this.#control(run.id));
      const message = ended.message ? `: ${ended.message}` : '.';
      this.#record.log(ended.state === 'done' ? 'info' : 'warn', `${name} ${BECAME[ended.state]}${message}`, run.id);
      this.#monitors.trialEnded(ended);
      return ended;
    } finally {
      this.#currentRun = undefined;
      this.#record.changed();
    }
  }

  #skip(run: RunRow, message: string): void {
    moveRun(this.#context, run.id, 'skip', { message });
    this.#record.log('warn', `${trialName(run, this.#record.row().steps)} ${BECAME.skipped}: ${message}`, run.id);
  }

  /** Whether a stop or a pause takes effect now. A job that is on its host is followed, or ended, first. */
  async #endsHere(attached: boolean): Promise<boolean> {
    this.#throwIfClosing();
    if (attached || !isAskedToEnd(this.#leading)) return false;
    if (this.#requests.stopping) await this.#end('stop');
    else await this.#pause();
    return true;
  }

  async #pause(): Promise<void> {
    if (this.#record.snapshot().experiment.measure.paused === 'restore') await this.#putBack();
    this.#record.move('pause', 'Paused by user.');
    this.#over = true;
  }

  /** Hosts and servers are put back first: the session says that it has ended when nothing of it is left there. */
  async #end(trigger: 'finish' | 'stop'): Promise<void> {
    await this.#putBack();
    this.#record.end(trigger, trigger === 'stop' ? 'Stopped by user.' : noneMeasured(this.#record.runs()));
    this.#over = true;
  }

  async #putBack(): Promise<void> {
    const { activity } = this.#leading;
    // Whoever stops it does not want to be asked for anything: what is left then is told.
    await this.#world.putBack(this.#control(), !this.#requests.stopping, (words) => activity.doing(words));
    activity.doing(undefined);
  }

  #throwIfClosing(): void {
    if (this.#requests.closing.aborted) throw new KneepointError({ code: 'cancelled', message: 'The app was closed.' });
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
    return (
      jobHosts(this.#context, this.#record).includes(host) && this.#context.machines.get(host).link().state === 'down'
    );
  }
}
