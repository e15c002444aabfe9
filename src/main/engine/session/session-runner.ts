import { pauseBetween } from '../../../shared/model/experiment.ts';
import { turnsOf } from '../../../shared/model/parallel-steps.ts';
import type { Changes, SessionStep } from '../../../shared/model/plan.ts';
import { KneepointError, type Problem } from '../../../shared/model/problem.ts';
import { ENDED_RUN, FAILED_RUN, OPEN_RUN } from '../../../shared/model/session.ts';
import { wholeSteps } from '../../../shared/model/step.ts';
import { afterDataStep, beforeTrial } from '../data/index.ts';
import { type CheckedStart, isFresh } from '../preflight/index.ts';
import { moveRun, type SessionRecord, toolsOf, untilReachable } from '../runs/index.ts';
import type { RunRow } from '../store/store.ts';
import { preparesData } from '../tools/index.ts';
import { executeParallel, executeTrial, type TrialControl } from '../trial/index.ts';
import type { SessionMonitors } from '../watching/index.ts';
import { keepForAWhile, removeLeftoverSecrets } from '../world/index.ts';
import { Activity, type SessionContext } from './activity.ts';
import { BeforeLaunch } from './before-launch.ts';
import { Gates } from './gates.ts';
import { isAskedToEnd, jobHosts, type RunnerScope } from './runner-scope.ts';
import { SessionFacts } from './session-facts.ts';
import type { SessionRequests } from './session-requests.ts';
import { remainingChanges, type SessionWorld } from './session-world.ts';
import { StopRules } from './stop-rules.ts';
import {
  BECAME,
  brokenTrial,
  FAILURES_IN_A_ROW,
  noneMeasured,
  parallelTo,
  tooManyFailures,
  trialName,
} from './words.ts';

/** Runs a session from its stored state through facts, data, trials and rests, in order, until its end or a pause. */
export class SessionRunner {
  readonly #context: SessionContext;
  readonly #record: SessionRecord;
  readonly #requests: SessionRequests;
  readonly #world: SessionWorld;
  readonly #monitors: SessionMonitors;
  readonly #scope: RunnerScope;
  readonly #facts: SessionFacts;
  readonly #beforeLaunch: BeforeLaunch;
  readonly #stopRules: StopRules;
  readonly #gates: Gates;
  readonly #onStored: () => void;
  #known: CheckedStart | undefined;
  #remainingChanges: Changes | undefined;
  #currentRuns: readonly number[] = [];
  /** The first of the runs whose start was logged. It is logged once, however often the launch waits for a user. */
  #announced: number | undefined;
  #over = false;
  #advance: () => void = () => {};

  /** `known`: results of this start's preflight. `onStored`: something was recorded, so there is room on the disk. */
  constructor(
    context: SessionContext,
    record: SessionRecord,
    requests: SessionRequests,
    world: SessionWorld,
    known: CheckedStart | undefined,
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
    this.#scope = { context, record, requests, world, activity, control };
    this.#facts = new SessionFacts(this.#scope);
    this.#beforeLaunch = new BeforeLaunch(this.#scope, monitors);
    this.#stopRules = new StopRules(context, record);
    this.#gates = new Gates(context, record);
  }

  /** The session has ended or is paused. */
  get over(): boolean {
    return this.#over;
  }

  /** Runs being launched or recorded, several for parallel steps, or the run that waits for its server. */
  get currentRuns(): readonly number[] {
    const waiting = this.#beforeLaunch.waiting?.run;
    return this.#currentRuns.length > 0 || waiting === undefined ? this.#currentRuns : [waiting];
  }

  /** The problem that blocks the next trial and that a user can resolve. */
  get needs(): Problem | undefined {
    return this.#beforeLaunch.waiting?.problem;
  }

  /** Activity besides a trial, and its start. */
  get activity(): Activity['now'] {
    return this.#scope.activity.now;
  }

  /** Restarts and reloads to come, at most. */
  get remainingChanges(): Changes | undefined {
    return this.#remainingChanges;
  }

  /** Runs until there is nothing left to do. May be called again after it threw. Calls `advance` when a trial is under way. */
  async follow(advance: () => void): Promise<void> {
    this.#advance = advance;
    try {
      await this.#start();
      await this.#trials();
    } finally {
      this.#scope.activity.doing(undefined);
    }
  }

  async #start(): Promise<void> {
    if (this.#requests.stopping) return this.#endPreparing();
    // Nothing is under way, so the pause takes effect at once, without what the session waits for.
    if (this.#requests.pausing && this.#record.openRuns().length === 0 && !this.#record.step()) return;
    const begun = this.#record.row().startedAt !== null;
    if (!begun) await this.#facts.ofStart(this.#fresh()?.facts);
    this.#stopRules.apply();
    this.#beforeLaunch.start();
    this.#remainingChanges = remainingChanges(this.#context, this.#record, undefined);
    const next = this.#record.runs().find(({ state }) => !ENDED_RUN.includes(state));
    if (next?.state === 'pending' && (await this.#beforeLaunch.reach(next, 'data')) === undefined)
      await this.#beforeLaunch.data(next, this.#takeKnown());
    if (!begun && !isAskedToEnd(this.#scope)) await this.#facts.ofTables();
    if (!isAskedToEnd(this.#scope)) this.#record.move('measure');
  }

  #fresh(): CheckedStart | undefined {
    return this.#known && isFresh(this.#known, this.#context.clock) ? this.#known : undefined;
  }

  /** Only for the first check of data: later on, others can have changed it. */
  #takeKnown(): CheckedStart | undefined {
    const known = this.#fresh();
    this.#known = undefined;
    return known;
  }

  /** On a stop before the first trial, ends the data step on the host and starts nothing else. */
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
    await removeLeftoverSecrets(this.#context, machine, signal);
  }

  async #trials(): Promise<void> {
    const { experiment } = this.#record.snapshot();
    const { steps } = this.#record.row();
    let failures = 0;
    /** The last run that was started, and why the rest of a trial is not measured. */
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
    for (const runs of this.#planned()) {
      const attached = runs.some(({ state }) => OPEN_RUN.includes(state));
      const remaining = runs.filter(({ state }) => !ENDED_RUN.includes(state));
      const [run] = remaining;
      if (!run) {
        for (const each of runs) {
          if (each.startedAt !== null) last = each;
          ended(each);
        }
        continue;
      }
      if (!attached) {
        if (await this.#endsHere(false)) return;
        if (remaining.map((each) => this.#stopRules.skips(each)).some(Boolean)) continue;
        if (broken?.trial === run.trial) {
          for (const each of remaining) this.#skip(each, broken.why);
          continue;
        }
        const continues = last?.trial === run.trial;
        const rest = last && !continues ? pauseBetween(experiment, last.levels, run.levels) : 0;
        const unreached = await this.#beforeLaunch.prepare(remaining, { rest, continues }, () =>
          this.#facts.ofPart(run),
        );
        if (unreached) {
          for (const each of remaining) if (each.id !== unreached.id) this.#skip(each, parallelTo(unreached, steps));
          ended(unreached);
          failures = this.#countFailure(failures, unreached);
          continue;
        }
      }
      last = run;
      if (await this.#endsHere(attached)) return;
      if (!attached) for (const each of remaining) beforeTrial(this.#context, each);
      const measured = await this.#execute(runs);
      for (const each of measured) {
        afterDataStep(this.#context, each);
        ended(each);
      }
      failures = this.#countFailure(failures, measured.find(({ state }) => FAILED_RUN.includes(state)) ?? run);
    }
    this.#throwIfClosing();
    this.#stopRules.apply();
    await this.#end(this.#requests.stopping && !this.#isWhole() ? 'stop' : 'finish');
  }

  /** Whether a stop omitted nothing: the last trial was one that may be ended at any time. */
  #isWhole(): boolean {
    const tools = toolsOf(this.#context, this.#record.row().steps);
    const mayBeEnded = tools.every(({ endsOnRequest }) => endsOnRequest !== undefined);
    return mayBeEnded && this.#record.runs().every(({ state }) => state === 'done');
  }

  /** Yields the runs of the trials in order, those of parallel steps together, then those added meanwhile. */
  *#planned(): Generator<RunRow[]> {
    const { steps } = this.#record.row();
    let last = -1;
    for (
      let runs = this.#record.runs();
      runs.length > 0;
      runs = this.#record.runs().filter(({ trial }) => trial > last)
    )
      for (const part of turnsOf(runs.map((run) => ({ run, parallel: placeOf(run, steps) })))) {
        last = part[0]?.run.trial ?? last;
        yield part.map(({ run }) => run);
      }
  }

  /**
   * Returns how many trials in a row have failed; throws if there are too many. A refusal by a host or server concerns the cell alone and does not
   * count.
   */
  #countFailure(before: number, ended: RunRow): number {
    if (this.#world.isOfLevel(ended)) return before;
    const failures = FAILED_RUN.includes(ended.state) ? before + 1 : 0;
    const isPending = this.#record.runs().some(({ state }) => state === 'pending');
    if (failures >= FAILURES_IN_A_ROW && !this.#requests.stopping && isPending)
      throw tooManyFailures(this.#record.id, ended);
    return failures;
  }

  /** Runs these to their end, several at the same time. Returns those of a group that have ended already unchanged. */
  async #execute(runs: readonly RunRow[]): Promise<RunRow[]> {
    const [first] = runs;
    if (!first) return [];
    if (this.#record.row().state === 'starting') this.#record.move('measure');
    const open = runs.filter(({ state }) => !ENDED_RUN.includes(state));
    this.#currentRuns = open.map(({ id }) => id);
    this.#remainingChanges = remainingChanges(this.#context, this.#record, first.trial);
    if (this.#announced !== first.id) {
      const steps = wholeSteps(this.#record.snapshot().experiment.steps ?? []);
      for (const run of open) {
        const isAttached = run.state === 'running';
        const note = isAttached ? undefined : steps[run.step]?.note;
        const words = `${this.#nameOf(run)} ${isAttached ? 'is re-attached' : 'starts'}.${note === undefined ? '' : ` Note: ${note}`}`;
        this.#record.log('info', words, run.id, this.#beforeLaunch.takeSpent());
      }
    }
    this.#announced = first.id;
    try {
      const measured =
        runs.length === 1
          ? [await executeTrial(this.#context, first, this.#control(first.id))]
          : await executeParallel(
              this.#context,
              runs,
              ({ id }) => this.#control(id),
              (run) => this.#logEnd(run),
            );
      if (runs.length === 1) for (const run of measured) this.#logEnd(run);
      return [...runs.filter(({ state }) => ENDED_RUN.includes(state)), ...measured];
    } finally {
      this.#currentRuns = [];
      this.#record.changed();
    }
  }

  #logEnd(ended: RunRow): void {
    const message = ended.message ? `: ${ended.message}` : '.';
    const words = `${this.#nameOf(ended)} ${BECAME[ended.state]}${message}`;
    this.#record.log(ended.state === 'done' ? 'info' : 'warn', words, ended.id);
    this.#monitors.trialEnded(ended);
  }

  #nameOf(run: RunRow): string {
    return trialName(run, this.#record.row().steps);
  }

  #skip(run: RunRow, message: string): void {
    moveRun(this.#context, run.id, 'skip', { message });
    this.#record.log('warn', `${this.#nameOf(run)} ${BECAME.skipped}: ${message}`, run.id);
  }

  /** Whether a stop or a pause takes effect now. A job that is on its host is followed, or ended, first. */
  async #endsHere(attached: boolean): Promise<boolean> {
    this.#throwIfClosing();
    if (attached || !isAskedToEnd(this.#scope)) return false;
    if (this.#requests.stopping) await this.#end('stop');
    else await this.#pause();
    return true;
  }

  async #pause(): Promise<void> {
    if (this.#record.snapshot().experiment.measure.paused === 'restore') await this.#restoreChanges();
    this.#record.move('pause', 'Paused by user.');
    this.#over = true;
  }

  /** Restores hosts and servers first: when the session reports its end, nothing of it is left there. */
  async #end(trigger: 'finish' | 'stop'): Promise<void> {
    await this.#restoreChanges();
    this.#record.end(trigger, trigger === 'stop' ? 'Stopped by user.' : noneMeasured(this.#record.runs()));
    this.#over = true;
  }

  async #restoreChanges(): Promise<void> {
    const { activity } = this.#scope;
    // A user who stops it does not want to be asked for input: what is left is logged.
    await this.#world.restoreChanges(this.#control(), !this.#requests.stopping, (words) => activity.doing(words));
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
        if (host === undefined || !this.#isLoggedElsewhere(host)) this.#record.log(level, message, runId);
      },
    };
  }

  /** Whether a generator's link is down: the watcher of links has logged that. */
  #isLoggedElsewhere(host: string): boolean {
    return (
      jobHosts(this.#context, this.#record).includes(host) && this.#context.machines.get(host).link().state === 'down'
    );
  }
}

/** Runs with the same key belong to parallel steps of one trial. Undefined if the run is alone. */
function placeOf({ trial, step }: RunRow, steps: readonly SessionStep[]): string | undefined {
  const group = steps[step]?.parallel;
  return group === undefined ? undefined : `${trial} ${group}`;
}
