import { KneepointError } from '../../../../shared/model/problem.ts';
import type { DataSetRow } from '../../store/store.ts';
import { cleanUp } from '../clean-up.ts';
import type { RunsContext } from '../context.ts';
import { occupiedProblem } from '../occupied.ts';
import type { Sessions } from '../sessions.ts';
import { alone } from './data-busy.ts';
import { dataSetsIn, noteCount } from './data-sets.ts';
import { type DataState, dataState, wrongWords } from './data-state.ts';

type Occupancy = Pick<Sessions, 'occupant'>;

/** Counts the rows of a data set and notes what was found. Throws `conflict` while a session loads its server. */
export async function countDataSet(
  context: RunsContext,
  sessions: Occupancy,
  id: number,
  signal: AbortSignal,
): Promise<DataSetRow> {
  const { set, target } = find(context, id);
  requireFree(sessions, { generators: [], target });
  return alone(context, target, `Data set ${id} is being counted.`, async () =>
    noteCount(context, set, await dataState(context, target, set.tables, { signal })),
  );
}

/**
 * Has the tool that made a data set clean it up, on a generator, and forgets it when its tables are gone. Throws `conflict` while a
 * session uses generator or server, or another data set uses one of the tables; `run-failed` when the step failed or left tables.
 */
export async function removeDataSet(
  context: RunsContext,
  sessions: Occupancy,
  { id, generator }: { id: number; generator?: string | undefined },
  signal: AbortSignal,
): Promise<DataSetRow> {
  const { set, target } = find(context, id);
  const machine = context.machines.get(generator ?? set.recipe.generator);
  requireFree(sessions, { generators: [machine.name], target });
  requireOwnTables(context, set, target);
  return alone(context, target, `Data set ${id} is being removed.`, async () => {
    const connection = await context.targets.connection(target);
    await cleanUp(context, set, { machine, connection, target }, WORDS, signal);
    const state = await dataState(context, target, set.tables, { signal });
    if (!state.empty) throw leftOver(state, noteCount(context, set, state), target);
    context.store.dataSets.remove(id);
    context.dataChanged();
    return { ...set, state: 'gone', tables: state.tables };
  });
}

const WORDS = { what: 'this data', noun: 'data set', byHand: 'Drop the tables on the server by hand.' };

function find({ store }: RunsContext, id: number): { set: DataSetRow; target: string } {
  const set = store.dataSets.get(id);
  const target = set && store.targets.get(set.targetId)?.spec.name;
  if (set && target !== undefined) return { set, target };
  throw new KneepointError({
    code: 'not-found',
    message: `There is no data set ${id}.`,
    safe: 'Nothing was changed.',
    next: 'It may have been removed or replaced since: look at the list again.',
  });
}

function requireFree(sessions: Occupancy, where: { generators: string[]; target: string }): void {
  const occupant = sessions.occupant({ where });
  if (occupant) throw occupiedProblem(occupant);
}

/** What was made later has the tables now. */
function requireOwnTables({ store }: RunsContext, set: DataSetRow, target: string): void {
  const other = dataSetsIn(store, target, set.tables).find(({ id, state }) => id > set.id && state !== 'gone');
  if (!other) return;
  const shared = set.tables.filter(({ name }) => other.tables.some((table) => table.name === name));
  throw new KneepointError({
    code: 'conflict',
    message: `Data set ${other.id} (${other.title}) uses some of these tables now: ${shared.map(({ name }) => name).join(', ')}.`,
    target,
    safe: 'Nothing was changed.',
    next: `Remove data set ${other.id} first.`,
  });
}

const leftOver = (state: DataState, set: DataSetRow, target: string): KneepointError =>
  new KneepointError({
    code: 'run-failed',
    message: `The clean-up step of ${set.tool} ended, but tables are still there (${wrongWords(state)}).`,
    target,
    safe: `Data set ${set.id} stays listed.`,
    next: 'Something may have made them again; count again, or drop them on the server by hand.',
  });
