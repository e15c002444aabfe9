import { type FactsSnapshot, targetsOf, withNodes } from '../../../shared/model/session-snapshot.ts';
import { readPlaces, readStartFacts, readTables } from '../facts/index.ts';
import type { Machine } from '../hosts/machine.ts';
import { stepsOfCells } from '../plans/index.ts';
import type { CheckedStart } from '../preflight/index.ts';
import { toolOf, toolsOf, untilReachable } from '../runs/index.ts';
import type { RunRow } from '../store/store.ts';
import { actToolById } from '../tools/index.ts';
import { removeLeftoverSecrets, removeOldJobs } from '../world/index.ts';
import { generatorsUsed, jobHosts, type RunnerScope, withActivity } from './runner-scope.ts';

/** Facts of hosts and targets, read before the first trial of a session and of each later part. */
export class SessionFacts {
  readonly #scope: RunnerScope;

  constructor(scope: RunnerScope) {
    this.#scope = scope;
  }

  /** Reads facts of hosts and targets, unless `known` has just been read. Removes what earlier sessions left on the hosts. */
  async ofStart(known: CheckedStart['facts'] | undefined): Promise<void> {
    const { context, record, activity, control } = this.#scope;
    if (known) record.keepFacts(known);
    activity.doing('Reading facts of hosts and target');
    const machines = generatorsUsed(this.#scope);
    const facts = known ?? (await readStartFacts(context, this.#asked(), machines, control()));
    record.keepFacts({ ...facts, ...(await this.#places(facts)) });
    await Promise.all(jobHosts(context, record).map((name) => this.#cleanUp(context.machines.get(name))));
  }

  /** Reads facts before the first trial of a later part: hosts and targets can have changed since the start. */
  async ofPart(run: RunRow): Promise<void> {
    const { context, record, control } = this.#scope;
    const { later = [] } = record.snapshot();
    const part = later.findLast(({ from }) => from <= run.trial);
    if (!part || part.facts) return;
    await withActivity(this.#scope, 'Re-reading facts of hosts and target', async () => {
      const facts = await readStartFacts(context, this.#asked(), generatorsUsed(this.#scope), control());
      record.keepPartFacts(part.from, { ...facts, ...(await this.#places(facts)) });
    });
  }

  /** Reads the target's facts of the tables, once these exist. */
  async ofTables(): Promise<void> {
    const { context, record, control } = this.#scope;
    const facts = await readTables(context, record.snapshot(), control());
    if (facts) record.keepFacts(facts);
  }

  /** Folders and devices of all cells, and data folders of these targets; empty without any. */
  async #places(facts: FactsSnapshot): Promise<Pick<FactsSnapshot, 'places'>> {
    const { context, record, control } = this.#scope;
    const steps = stepsOfCells(record.snapshot(), (id) => toolOf(context, id));
    const places = await readPlaces(context, { steps, targets: withNodes(targetsOf(facts)) }, control().signal);
    return places.length > 0 ? { places } : {};
  }

  /** Tools and targets of the session. */
  #asked() {
    const { context, record } = this.#scope;
    const { steps, targets } = record.row();
    const loads = toolsOf(context, steps).filter(({ id }) => actToolById(id) === undefined);
    return { tools: loads, targets };
  }

  #cleanUp(machine: Machine): Promise<void> {
    const { context, control } = this.#scope;
    const waiting = control();
    return untilReachable(machine, waiting, async () => {
      await removeOldJobs(context, machine);
      await removeLeftoverSecrets(context, machine, waiting.signal);
    });
  }
}
