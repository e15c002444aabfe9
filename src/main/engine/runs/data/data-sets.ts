import { rowsFit } from '../../../../shared/model/data-set.ts';
import { ENDED_SESSION } from '../../../../shared/model/session.ts';
import type { DataSetRow, Store } from '../../store/store.ts';
import type { RunsContext } from '../context.ts';
import { databaseKey } from '../occupied.ts';
import type { DataState } from './data-state.ts';
import type { Preparation } from './needs.ts';

type Context = Pick<RunsContext, 'store' | 'clock' | 'dataChanged'>;
type Counted = Preparation & { data: NonNullable<Preparation['data']> };

/** Data sets in the database of a target, under whatever name of a target it was reached. Newest first. */
export function dataSetsOf(store: Store, target: string): DataSetRow[] {
  const place = databaseKey(store, target);
  const here = store.targets.list().filter(({ spec }) => databaseKey(store, spec.name) === place);
  return store.dataSets.list().filter((set) => here.some(({ id }) => id === set.targetId));
}

/** Those of them that share a table with these. */
export function dataSetsIn(store: Store, target: string, tables: readonly { name: string }[]): DataSetRow[] {
  const names = new Set(tables.map(({ name }) => name));
  return dataSetsOf(store, target).filter((set) => set.tables.some(({ name }) => names.has(name)));
}

/** Whether a data set has all of these tables. */
export const covers = (set: DataSetRow, tables: readonly { name: string }[]): boolean =>
  tables.every(({ name }) => set.tables.some((table) => table.name === name));

/** Its making was begun and did not come to an end; nobody is at it, and neither is session `idle`. */
export function isBrokenOff(store: Store, set: DataSetRow, idle?: number): boolean {
  if (set.state !== 'making') return false;
  if (set.madeBy === idle) return true;
  const maker = set.madeBy === null ? undefined : store.sessions.get(set.madeBy);
  return maker === undefined || maker.state === 'paused' || ENDED_SESSION.includes(maker.state);
}

/**
 * Notes that data is about to be made. What had these tables until now is replaced: a data set that has no other table is forgotten,
 * one that has keeps the rest and is no longer whole.
 */
export function beginMaking(context: Context, target: string, sessionId: number, made: Counted): DataSetRow {
  const { store, clock } = context;
  const { within, beyond } = replacedBy(store, target, made);
  for (const { id } of beyond) store.dataSets.update(id, { state: 'partial' });
  const row = store.dataSets.insert(
    { ...newSet(context, target, made), state: 'making', madeAt: clock.now(), madeBy: sessionId },
    within.map(({ id }) => id),
  );
  context.dataChanged();
  return row;
}

/** Notes data that is there, though Kneepoint did not make it as it is. What is known of writing to its tables counts for it too. */
export function adopt(context: Context, target: string, found: Counted, state: DataState): DataSetRow {
  const { store } = context;
  const { within, beyond } = replacedBy(store, target, found);
  const written = [...within, ...beyond].find(({ writtenAt }) => writtenAt !== null);
  const set = store.dataSets.insert(
    {
      ...newSet(context, target, found),
      ...(written && { writtenAt: written.writtenAt, writtenBy: written.writtenBy }),
    },
    within.map(({ id }) => id),
  );
  return noteCount(context, set, state);
}

/** Data sets whose tables are all among these, and those that have others too. */
function replacedBy(store: Store, target: string, { data }: Counted): { within: DataSetRow[]; beyond: DataSetRow[] } {
  const sets = dataSetsIn(store, target, data.tables);
  const within = sets.filter((set) => set.tables.every(({ name }) => data.tables.some((table) => table.name === name)));
  return { within, beyond: sets.filter((set) => !within.includes(set)) };
}

function newSet({ store }: Context, target: string, { tool, data, recipe }: Counted) {
  return {
    targetId: store.targets.byName(target)?.id ?? 0,
    tool: tool.id,
    title: data.title,
    shape: data.shape,
    tables: data.tables.map(({ name, rows, runs }) => ({ name, rows, ...(runs && { runs }) })),
    bytes: data.bytes ?? null,
    recipe,
    state: 'ready' as const,
    madeAt: null,
    madeBy: null,
    countedAt: null,
    writtenAt: null,
    writtenBy: null,
  };
}

/** Notes what a count found, as far as it looked at the set's tables, and what it makes of the set. */
export function noteCount(context: Context, set: DataSetRow, { tables: counted }: DataState): DataSetRow {
  const { store, clock } = context;
  const tables = set.tables.map((table) => counted.find(({ name }) => name === table.name) ?? table);
  const isWhole = tables.every((table) => table.found === undefined || rowsFit(table, table.found));
  const isAsMade = tables.every(({ rows, found }) => found === undefined || found === rows);
  const state = isWhole
    ? set.writtenAt === null && isAsMade
      ? 'ready'
      : 'dirty'
    : tables.every(({ found }) => found === null)
      ? 'gone'
      : 'partial';
  const row = store.dataSets.update(set.id, { tables, state, countedAt: clock.now() });
  context.dataChanged();
  return row;
}

/** Notes, before it does so, that a trial of this session changes these tables. */
export function noteWriting(
  context: Context,
  target: string,
  tables: readonly { name: string }[],
  sessionId: number,
): void {
  const { store, clock } = context;
  for (const set of dataSetsIn(store, target, tables)) {
    const state = set.state === 'ready' ? 'dirty' : set.state;
    store.dataSets.update(set.id, { state, writtenAt: clock.now(), writtenBy: sessionId });
  }
  context.dataChanged();
}

/** Words on what has been done to it since it was made; undefined when nothing. */
export function writingWords({ store }: Pick<RunsContext, 'store'>, set: DataSetRow): string | undefined {
  if (set.writtenAt === null) return undefined;
  const writer = set.writtenBy === null ? undefined : store.sessions.get(set.writtenBy);
  const by = writer ? `session ${writer.id} (“${writer.name}”)` : 'a session that is deleted';
  return `It has been written to since it was made, last by ${by}.`;
}
