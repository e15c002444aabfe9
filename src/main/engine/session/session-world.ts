import type { Changes } from '../../../shared/model/plan.ts';
import { type KneepointError, problemKind } from '../../../shared/model/problem.ts';
import type { At, Changer, DesiredSetting } from '../factors/change.ts';
import { changesOf, costsFor } from '../plans/index.ts';
import { type RunsContext, type SessionRecord, stepOf, toolOf } from '../runs/index.ts';
import type { Server, Servers } from '../servers/server.ts';
import type { RunRow } from '../store/store.ts';
import { failBeforeLaunch, type TrialControl } from '../trial/index.ts';
import { isOfChange, placeWords, reachWorld, restoredWords, restoreSession, type Stage } from '../world/index.ts';
import type { SessionContext } from './activity.ts';

/** Time limit to restore hosts and servers when the session is aborted: no one waits for them. */
const ABORT_MS = 60_000;

/** Applies the settings that trials of a session want on hosts and servers, and restores them. */
export class SessionWorld {
  readonly #context: SessionContext;
  readonly #record: SessionRecord;
  /** Refusals of a host or server, by all settings of a cell: it would refuse them again, after another restart. */
  readonly #refused = new Map<string, KneepointError>();
  /** Trials that failed because a level was refused. */
  readonly #ofLevels = new Set<number>();

  constructor(context: SessionContext, record: SessionRecord) {
    this.#context = context;
    this.#record = record;
  }

  /** Whether a failed trial concerns its cell alone, and not the system as a whole. */
  isOfLevel({ id }: Pick<RunRow, 'id'>): boolean {
    return this.#ofLevels.has(id);
  }

  /** Brings hosts and servers to the state that the trial wants, and reports each step. Resolves with the run if that failed, which fails the run. */
  async reach(
    run: RunRow,
    control: TrialControl,
    stage: Stage,
    report: (words: string) => void,
  ): Promise<RunRow | undefined> {
    const wanted = this.#wantedBy(run);
    try {
      const refused = this.#refused.get(wanted);
      if (refused) throw refused;
      await reachWorld(withProgress(this.#context, report), run, control, stage);
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

  /** Restores at the end, or at a pause, waiting for unreachable hosts. `throwForPerson`: throws a problem that needs a user. */
  async restoreChanges(
    { signal, ...waiting }: TrialControl,
    throwForPerson: boolean,
    report: (words: string) => void,
  ): Promise<void> {
    await this.#restore({ signal, waiting: { signal, ...waiting }, throwForPerson }, report);
  }

  /** Restores when the session cannot continue. Whatever is unreachable now stays in the journal, for a user to restore. */
  async restoreImmediately(): Promise<void> {
    await this.#restore({ signal: AbortSignal.timeout(ABORT_MS) });
  }

  async #restore(
    options: Parameters<typeof restoreSession>[2],
    report: (words: string) => void = () => {},
  ): Promise<void> {
    const results = await restoreSession(withProgress(this.#context, report), this.#record.id, options);
    const { done, left: remaining } = restoredWords(results);
    if (done) this.#record.log('info', done);
    for (const words of remaining) this.#record.log('error', words);
    if (remaining.length > 0)
      this.#record.log(
        'error',
        `Restore the remaining changes with “kneepoint restore ${this.#record.id}”, or in the app.`,
      );
  }
}

/**
 * Restarts and reloads still to come, at most, including the restore at the end: after the trial with this number, or from the start. Undefined if
 * the plan has none.
 */
export function remainingChanges(
  context: Pick<RunsContext, 'tools'>,
  record: SessionRecord,
  after: number | undefined,
): Changes | undefined {
  const { experiment, plan } = record.snapshot();
  if (!plan.estimate?.changes) return undefined;
  const runs = record.runs();
  const remaining = runs.filter(({ state, trial }) => state === 'pending' && trial !== after);
  const byTrial = new Map(remaining.map(({ cell, repeat, trial }) => [trial, { index: trial, cell, repeat }]));
  const trials = [...byTrial.values()];
  const from = runs.find(({ trial }) => trial === after)?.levels;
  const tool = toolOf(context, experiment.workload.tool);
  return changesOf(experiment, { cells: plan.cells, trials }, costsFor(tool), from);
}

/** Number of things that a step names; it counts the others. */
const NAMED = 2;

/** Returns the same context with changers and servers that report each step: “Restarting the server of “db””. */
function withProgress(context: SessionContext, report: (words: string) => void): SessionContext {
  return {
    ...context,
    changers: context.changers.map((changer) => reportingChanger(changer, report)),
    servers: reportingServers(context.servers, report),
  };
}

function reportingChanger(changer: Changer, report: (words: string) => void): Changer {
  const at = (words: string, { place }: At): void => report(`${words} ${placeWords(place)}`);
  return {
    name: changer.name,
    ...(changer.needsData && { needsData: true }),
    ...(changer.ofTables && { ofTables: changer.ofTables.bind(changer) }),
    ...(changer.affected && { affected: changer.affected.bind(changer) }),
    ...(changer.isJoint && { isJoint: changer.isJoint.bind(changer) }),
    examine: (place, settings) => changer.examine(place, settings),
    matches: (setting, value) => changer.matches(setting, value),
    read(place, settings) {
      at(`Reading ${named(settings.map(({ what }) => what))} of`, place);
      return changer.read(place, settings);
    },
    apply(place, changes, alreadySet) {
      at(`Setting ${named(changes.map(({ setting }) => settingWords(setting)))} on`, place);
      return changer.apply(place, changes, alreadySet);
    },
    restore(place, things) {
      at(`Restoring ${named(things.map(({ what }) => what))} of`, place);
      return changer.restore(place, things);
    },
  };
}

const settingWords = ({ what, value }: DesiredSetting): string => `${what} = ${value}`;

const named = (all: readonly string[]): string =>
  [...all.slice(0, NAMED), ...(all.length > NAMED ? [`${all.length - NAMED} more`] : [])].join(', ');

function reportingServers(servers: Servers, report: (words: string) => void): Servers {
  return {
    of(target) {
      const server = servers.of(target);
      const reporting =
        (words: string, act: (signal: AbortSignal) => Promise<void>): Server['start'] =>
        (signal) => {
          report(`${words} the server of “${target}”`);
          return act(signal);
        };
      return {
        control: server.control,
        settingsFile: server.settingsFile,
        state: (signal) => server.state(signal),
        start: reporting('Starting', (signal) => server.start(signal)),
        stop: reporting('Stopping', (signal) => server.stop(signal)),
        restart: reporting('Restarting', (signal) => server.restart(signal)),
        reload: reporting('Reloading', (signal) => server.reload(signal)),
      };
    },
  };
}
