import { describeProblem, KneepointError, type Problem, problemOf } from '../../../shared/model/problem.ts';
import { ENDED_RUN } from '../../../shared/model/states.ts';
import { formatDuration } from '../../../shared/util/format.ts';
import { prepareData } from '../data/index.ts';
import { isAct } from '../plans/index.ts';
import { type CheckedStart, inServerWords } from '../preflight/index.ts';
import { pauseFor, stepOf, unlessReset } from '../runs/index.ts';
import type { RunRow } from '../store/store.ts';
import { targetByKind } from '../targets/index.ts';
import { beforeTrialActions, neverStarted, takeSizes } from '../trial/index.ts';
import type { SessionMonitors } from '../watching/index.ts';
import type { Stage } from '../world/index.ts';
import { isAskedToEnd, type RunnerScope, withActivity } from './runner-scope.ts';
import { BECAME, trialName } from './words.ts';

const POLL_MS = 500;

/** The work between two trials: settings, data, rest, and the document's actions before each trial. */
export class BeforeLaunch {
  readonly #scope: RunnerScope;
  readonly #monitors: SessionMonitors;
  /** Start of the preparation of the next trial, on the clock of waits. */
  #startedAt: number | undefined;
  #waiting: { run: number; problem: Problem } | undefined;

  constructor(scope: RunnerScope, monitors: SessionMonitors) {
    this.#scope = scope;
    this.#monitors = monitors;
  }

  /** The trial whose server does not accept connections, and the problem shown while the session waits for it. */
  get waiting(): { readonly run: number; readonly problem: Problem } | undefined {
    return this.#waiting;
  }

  /** Starts the preparation of the next trial; its time counts for the limits of the session. */
  start(): void {
    this.#startedAt = this.#scope.context.clock.monotonic();
  }

  /**
   * Resolves with the run if a host or server could not reach the wanted state, which failed the run, or if a user skipped it.
   * `runs`: several for parallel steps. `rest`: seconds.
   * `continues`: a later step of the trial under way, which starts from the state that the step before it has left.
   * `onThere`: called once the server is available.
   */
  async prepare(
    runs: readonly RunRow[],
    { rest, continues }: { rest: number; continues: boolean },
    onThere: () => Promise<void>,
  ): Promise<RunRow | undefined> {
    const [run] = runs;
    if (!run) return undefined;
    if (this.#startedAt === undefined) this.start();
    for (const each of runs) {
      const unreached = await this.reach(each, 'data');
      if (unreached) return unreached;
    }
    if (!isAskedToEnd(this.#scope)) await onThere();
    for (const each of runs) await this.data(each, undefined);
    for (const each of runs) await this.#sizes(each);
    await this.#rest(rest);
    // Before caches are dropped and servers restarted: nothing may come between that and the launch.
    await this.#firstSamples();
    if (isAskedToEnd(this.#scope)) return undefined;
    const failed = continues ? undefined : await this.#actions(run);
    if (failed) return failed;
    for (const each of runs) {
      const unreached = await this.reach(each, 'launch');
      if (unreached) return unreached;
    }
    return undefined;
  }

  /** Time spent on the preparation of this trial, to be stored with the trial's next line of the log. Returned once. */
  takeSpent(): { spentBefore: number } | undefined {
    const began = this.#startedAt;
    this.#startedAt = undefined;
    return began === undefined ? undefined : { spentBefore: (this.#scope.context.clock.monotonic() - began) / 1000 };
  }

  /**
   * Brings hosts and servers to the state that the trial wants, once its server is available. Resolves with the run if that failed, or if a user
   * skipped it.
   */
  async reach(run: RunRow, stage: Stage): Promise<RunRow | undefined> {
    const server = stage === 'data' ? this.#serverOf(run) : undefined;
    if (server && !server.isStartable) {
      const skipped = await this.#untilThere(run, server.target);
      if (skipped) return this.#logEnd(skipped);
      if (isAskedToEnd(this.#scope)) return undefined;
    }
    const { world, control, activity } = this.#scope;
    const failed = await world.reach(run, control(run.id), stage, (words) => activity.doing(words));
    activity.doing(undefined);
    const ended = failed ?? (server?.isStartable ? await this.#untilThere(run, server.target) : undefined);
    return ended && this.#logEnd(ended);
  }

  /**
   * The server that a trial needs. `isStartable`: settings of the trial may start it, since a server that is down may have been left so by a change.
   */
  #serverOf(run: RunRow): { target: string; isStartable: boolean } | undefined {
    const { context, record } = this.#scope;
    const { experiment, tool, step } = stepOf(context, run);
    const { target } = step;
    // A wait may be for the server itself.
    if (isAct(step) && tool.needs(step.options).length === 0) return undefined;
    if (target === undefined || experiment.measure.before?.restart || record.step()) return undefined;
    // Before the first trial, the facts of the server have just been read.
    if (!record.runs().some(({ state }) => ENDED_RUN.includes(state))) return undefined;
    const { kind, server } = context.targets.spec(target);
    if (!targetByKind(kind).monitoring) return undefined;
    return { target, isStartable: server !== undefined && server.control.kind !== 'none' };
  }

  /** Waits for an unavailable server until it is back or a user intervenes. Resolves with the run if it was skipped. */
  async #untilThere(run: RunRow, target: string): Promise<RunRow | undefined> {
    const { context, record, activity } = this.#scope;
    const control = this.#scope.control(run.id);
    const start = context.clock.monotonic();
    try {
      for (let gone = await this.#gone(target, control.signal); gone; ) {
        if (control.ended() === 'skipped') return neverStarted(context, run, control);
        if (isAskedToEnd(this.#scope)) return undefined;
        if (!this.#waiting) {
          const problem = await this.#waitingProblem(run, target, gone, control.signal);
          this.#waiting = { run: run.id, problem };
          record.log('warn', `The session is waiting. ${describeProblem(problem)}`, run.id);
          activity.doing(`Waiting for “${target}” to accept connections`);
        }
        await pauseFor(POLL_MS, control.signal);
        gone = await this.#gone(target, control.signal);
      }
      if (!this.#waiting) return undefined;
      const waited = formatDuration(Math.round((context.clock.monotonic() - start) / 1000));
      record.log('info', `“${target}” accepts connections again, after ${waited}. The session continues.`, run.id);
      return undefined;
    } finally {
      if (this.#waiting) this.#notSpent(context.clock.monotonic() - start);
      this.#waiting = undefined;
      activity.doing(undefined);
    }
  }

  /** Excludes milliseconds from the limits of the session, as for every wait for a user. */
  #notSpent(waited: number): void {
    if (this.#startedAt !== undefined) this.#startedAt += waited;
  }

  /** Why a server does not accept connections. Undefined if it does, or if only the trial can show it. */
  async #gone(target: string, signal: AbortSignal): Promise<KneepointError | undefined> {
    const { targets, machines } = this.#scope.context;
    try {
      await unlessReset(signal, async () => {
        const session = await targets.open(target, signal);
        await session?.ping().finally(() => session.close());
      });
      return undefined;
    } catch (error) {
      if (signal.aborted || !(error instanceof KneepointError)) throw error;
      const { via } = targets.spec(target);
      // Generators may reach a server that the app cannot see. If it was down before that, the session keeps waiting for it.
      const isUnreachable =
        error.code === 'host-unreachable' || (via !== null && machines.get(via).link().state !== 'up');
      if (isUnreachable) return this.#waiting && error;
      return error.code === 'target-unreachable' ? error : undefined;
    }
  }

  async #waitingProblem(run: RunRow, target: string, gone: KneepointError, signal: AbortSignal): Promise<Problem> {
    const { message, next = 'Start the server.' } = problemOf(
      await inServerWords(this.#scope.context, target, gone, signal),
    );
    return {
      code: 'target-unreachable',
      target,
      run: run.id,
      message: `Trial ${run.trial + 1} is waiting for “${target}” to accept connections. ${message}`,
      safe: 'The trial was not started. Measured data is stored.',
      next: `${next} The session continues once the server responds; Skip omits this trial.`,
    };
  }

  /** `known`: what the preflight has just found of existing data. Starts nothing for a session that is about to pause or end. */
  async data(run: RunRow, known: CheckedStart | undefined): Promise<void> {
    const { context, record, activity, control } = this.#scope;
    if (isAskedToEnd(this.#scope) && !record.step()) return;
    await prepareData(context, run, {
      control: control(),
      activity: (words) => activity.doing(words),
      seen: known?.seen ?? new Map(),
    });
  }

  /** Runs before caches are dropped, because reading sizes is no part of a cold start. */
  async #sizes(run: RunRow): Promise<void> {
    if (isAskedToEnd(this.#scope)) return;
    const { context, control } = this.#scope;
    await withActivity(this.#scope, 'Reading sizes on disk', () => takeSizes(context, run, 'start', control(run.id)));
  }

  async #rest(seconds: number): Promise<void> {
    if (seconds === 0) return;
    await withActivity(this.#scope, `Waiting ${seconds} s before the next trial`, () =>
      this.#scope.requests.rest(seconds),
    );
  }

  async #firstSamples(): Promise<void> {
    const { activity } = this.#scope;
    await this.#monitors.firstSamples(
      () => isAskedToEnd(this.#scope),
      (words) => activity.doing(words),
    );
    activity.doing(undefined);
  }

  /** Resolves with the run if an action before it was refused, which failed the run. */
  async #actions(run: RunRow): Promise<RunRow | undefined> {
    const { context, requests, activity, control } = this.#scope;
    const failed = await beforeTrialActions(context, run, {
      control: control(run.id),
      asked: () => isAskedToEnd(this.#scope) || requests.closing.aborted,
      activity: (words) => activity.doing(words),
      rest: (seconds) => requests.rest(seconds),
    });
    return failed && this.#logEnd(failed);
  }

  #logEnd(ended: RunRow): RunRow {
    const words = `${trialName(ended, this.#scope.record.row().steps)} ${BECAME[ended.state]}: ${ended.message ?? ''}`;
    this.#scope.record.log('warn', words, ended.id, this.takeSpent());
    return ended;
  }
}
