import type { Changes } from '../../../shared/model/plan.ts';
import { type KneepointError, problemKind } from '../../../shared/model/problem.ts';
import { changesOf, costsFor } from '../plans/index.ts';
import { type RunsContext, type SessionRecord, stepOf, toolOf } from '../runs/index.ts';
import type { RunRow } from '../store/store.ts';
import { failBeforeLaunch, type TrialControl } from '../trial/index.ts';
import { isOfChange, putSessionBack, reachWorld, restoredWords, type Stage } from '../world/index.ts';
import type { SessionContext } from './activity.ts';
import { telling } from './telling.ts';

/** So long hosts and servers are put back when the session breaks off, and nobody waits for them. */
const BREAKING_OFF_MS = 60_000;

/** What the trials of a session want of hosts and servers, and that it is put back. */
export class SessionWorld {
  readonly #context: SessionContext;
  readonly #record: SessionRecord;
  /** Settings that a host or server has refused, as all that a cell wants: it would refuse them again, after another restart. */
  readonly #refused = new Map<string, KneepointError>();
  /** Trials that failed because a level was refused. */
  readonly #ofLevels = new Set<number>();

  constructor(context: SessionContext, record: SessionRecord) {
    this.#context = context;
    this.#record = record;
  }

  /** Whether a failed trial says something of its cell alone, and nothing of the system as a whole. */
  isOfLevel({ id }: Pick<RunRow, 'id'>): boolean {
    return this.#ofLevels.has(id);
  }

  /** Makes hosts and servers what the trial wants, and tells each step. Gives the trial when that failed, and the trial with it. */
  async reach(
    run: RunRow,
    control: TrialControl,
    stage: Stage,
    tell: (words: string) => void,
  ): Promise<RunRow | undefined> {
    const wanted = this.#wantedBy(run);
    try {
      const refused = this.#refused.get(wanted);
      if (refused) throw refused;
      await reachWorld(telling(this.#context, tell), run, control, stage);
      return undefined;
    } catch (error) {
      if (control.signal.aborted || !isOfChange(error)) throw error;
      if (error.code === 'change-refused') this.#refused.set(wanted, error);
      if (problemKind(error)?.about === 'cell') this.#ofLevels.add(run.id);
      return failBeforeLaunch(this.#context, run, error);
    }
  }

  #wantedBy(run: RunRow): string {
    return JSON.stringify(stepOf(this.#context, run).step.settings);
  }

  /** At the end, or at a pause: waits for hosts that are out of reach. `throwForPerson`: throws what a person has to give first. */
  async putBack(
    { signal, ...waiting }: TrialControl,
    throwForPerson: boolean,
    tell: (words: string) => void,
  ): Promise<void> {
    await this.#putBack({ signal, waiting: { signal, ...waiting }, throwForPerson }, tell);
  }

  /** When the session cannot go on: what cannot be reached now stays in the journal, for a person to have it put back. */
  async putBackAtOnce(): Promise<void> {
    await this.#putBack({ signal: AbortSignal.timeout(BREAKING_OFF_MS) });
  }

  async #putBack(
    options: Parameters<typeof putSessionBack>[2],
    tell: (words: string) => void = () => {},
  ): Promise<void> {
    const results = await putSessionBack(telling(this.#context, tell), this.#record.id, options);
    const { done, left } = restoredWords(results);
    if (done) this.#record.log('info', done);
    for (const words of left) this.#record.log('error', words);
    if (left.length > 0)
      this.#record.log('error', `Restore what is left with “kneepoint restore ${this.#record.id}”, or in the app.`);
  }
}

/**
 * Restarts and reloads that are still to come, at most, the way back at the end included: after the trial with this number, or from the start
 * on. Undefined where the plan has none.
 */
export function changesLeft(
  context: Pick<RunsContext, 'tools'>,
  record: SessionRecord,
  after: number | undefined,
): Changes | undefined {
  const { experiment, plan } = record.snapshot();
  if (!plan.estimate?.changes) return undefined;
  const runs = record.runs();
  const left = runs.filter(({ state, trial }) => state === 'pending' && trial !== after);
  const byTrial = new Map(left.map(({ cell, repeat, trial }) => [trial, { index: trial, cell, repeat }]));
  const trials = [...byTrial.values()];
  const from = runs.find(({ trial }) => trial === after)?.levels;
  const tool = toolOf(context, experiment.workload.tool);
  return changesOf(experiment, { cells: plan.cells, trials }, costsFor(tool), from);
}
