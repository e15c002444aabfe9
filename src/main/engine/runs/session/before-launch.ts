import type { RunRow } from '../../store/store.ts';
import { beforeTrialActions } from '../before/index.ts';
import { prepareData } from '../data/prepare.ts';
import type { SessionMonitors } from '../monitors/index.ts';
import type { StartKnowledge } from '../start-knowledge.ts';
import type { Stage } from '../world/index.ts';
import { isAskedToEnd, type Leading, under } from './leading.ts';
import { BECAME, trialName } from './words.ts';

/** What comes between two trials: settings, data, rest, and what the document wants before each trial. */
export class BeforeLaunch {
  readonly #leading: Leading;
  readonly #monitors: SessionMonitors;
  /** When it began for the next trial, on the clock of waits. */
  #began: number | undefined;

  constructor(leading: Leading, monitors: SessionMonitors) {
    this.#leading = leading;
    this.#monitors = monitors;
  }

  /** The way to the next trial begins now: what it takes counts for the limits of the session. */
  begin(): void {
    this.#began = this.#leading.context.clock.monotonic();
  }

  /** Gives the trial when hosts or servers could not be made what it wants, and it has failed. `rest`: seconds. */
  async prepare(run: RunRow, rest: number): Promise<RunRow | undefined> {
    if (this.#began === undefined) this.begin();
    const unreached = await this.reach(run, 'data');
    if (unreached) return unreached;
    await this.data(run, undefined);
    await this.#rest(rest);
    // Before caches are dropped and servers restarted: nothing comes between that and the launch.
    await this.#firstSamples();
    if (isAskedToEnd(this.#leading)) return undefined;
    return (await this.#actions(run)) ?? this.reach(run, 'launch');
  }

  /** What it took for this trial, to be stored with the trial's next line of the log; it is told once. */
  takeSpent(): { spentBefore: number } | undefined {
    const began = this.#began;
    this.#began = undefined;
    return began === undefined ? undefined : { spentBefore: (this.#leading.context.clock.monotonic() - began) / 1000 };
  }

  /** Makes hosts and servers what the trial wants; gives it when that failed. */
  async reach(run: RunRow, stage: Stage): Promise<RunRow | undefined> {
    const { world, control, activity } = this.#leading;
    const failed = await world.reach(run, control(run.id), stage, (words) => activity.doing(words));
    activity.doing(undefined);
    return failed && this.#told(failed);
  }

  /** `known`: what was just found out of the data that is there. */
  async data(run: RunRow, known: StartKnowledge | undefined): Promise<void> {
    const { context, activity, control } = this.#leading;
    await prepareData(context, run, {
      control: control(),
      activity: (words) => activity.doing(words),
      seen: known?.seen ?? new Map(),
    });
  }

  async #rest(seconds: number): Promise<void> {
    if (seconds === 0) return;
    await under(this.#leading, `Waiting ${seconds} s before the next trial`, () =>
      this.#leading.requests.rest(seconds),
    );
  }

  async #firstSamples(): Promise<void> {
    const { activity } = this.#leading;
    await this.#monitors.firstSamples(
      () => isAskedToEnd(this.#leading),
      (words) => activity.doing(words),
    );
    activity.doing(undefined);
  }

  /** Gives the trial when something that was wanted before it was refused, and it has failed. */
  async #actions(run: RunRow): Promise<RunRow | undefined> {
    const { context, requests, activity, control } = this.#leading;
    const failed = await beforeTrialActions(context, run, {
      control: control(run.id),
      asked: () => isAskedToEnd(this.#leading) || requests.closing.aborted,
      activity: (words) => activity.doing(words),
      rest: (seconds) => requests.rest(seconds),
    });
    return failed && this.#told(failed);
  }

  #told(failed: RunRow): RunRow {
    const words = `${trialName(failed)} ${BECAME.failed}: ${failed.message ?? ''}`;
    this.#leading.record.log('warn', words, failed.id, this.takeSpent());
    return failed;
  }
}
