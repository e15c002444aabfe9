import type { DataSetRow } from '../../store/store.ts';
import type { DataNeed } from '../../tools/tool.ts';
import type { RunsContext } from '../context.ts';
import { covers, dataSetsIn, isBrokenOff } from './data-sets.ts';
import type { DataState } from './data-state.ts';
import type { Preparation } from './needs.ts';

/**
 * What the tables that are there are to a workload. broken-off: an earlier making by Kneepoint did not come to its end, and nothing else
 * is in them, so they can be made again without asking; `resumes`: it was the making of the same data, and goes on where it was.
 */
export type DataFit =
  | { kind: 'fits' | 'empty' | 'other-rows' }
  | { kind: 'broken-off'; resumes: boolean }
  | { kind: 'other-shape'; message: string };

/** Compares what was counted, and what is known of the data sets there, with what a workload needs; `sessionId`: whose own making is not under way. */
export function fitOf(
  context: Pick<RunsContext, 'store'>,
  target: string,
  { data, tool }: Preparation,
  state: DataState,
  sessionId?: number,
): DataFit {
  if (!data || state.empty) return { kind: data ? 'empty' : 'fits' };
  const known = dataSetsIn(context.store, target, data.tables);
  // Tables with more rows than were to be loaded are somebody's own.
  const isPart = state.tables.every(({ rows, found }) => (found ?? 0) <= rows);
  const brokenOff = known.filter(
    (set) => set.tool === tool.id && isBrokenOff(context.store, set, sessionId) && covers(set, data.tables),
  );
  // Also when all rows are in: indexes and keys come last, and are not counted.
  if (brokenOff.length > 0 && isPart)
    return { kind: 'broken-off', resumes: data.resumable === true && brokenOff.every((set) => isSame(set, data)) };
  if (!state.complete) return { kind: 'other-rows' };
  const other = known.find((set) => set.tool === tool.id && set.state !== 'gone' && set.shape !== data.shape);
  if (!other) return { kind: 'fits' };
  const message = `The tables on ${target} have the rows that are needed, but were made otherwise: with ${other.shape}, where this workload needs ${data.shape}.`;
  return { kind: 'other-shape', message };
}

const isSame = (set: DataSetRow, { shape, tables }: DataNeed): boolean =>
  set.shape === shape &&
  set.tables.length === tables.length &&
  tables.every(({ name, rows }) => set.tables.some((table) => table.name === name && table.rows === rows));
