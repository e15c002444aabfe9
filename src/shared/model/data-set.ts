import { z } from 'zod';
import { formatBytes, formatCount, formatNumber } from '../util/format.ts';
import type { StateWords } from './session-words.ts';

/**
 * making: a prepare step is under way. ready: counted, and nothing has written to it since. dirty: a trial that writes has run on it.
 * partial: rows are missing or too many, or its making was interrupted. gone: none of its tables was found.
 */
export const DataSetState = z.enum(['making', 'ready', 'dirty', 'partial', 'gone']);
export type DataSetState = z.infer<typeof DataSetState>;

/**
 * Rows expected, and rows found when it was counted last: null = no such table, absent = never counted. `runs`: what trials do to the
 * number of rows; add = they leave more, change = more or fewer, absent = they keep it.
 */
export const DataTable = z.object({
  name: z.string(),
  rows: z.number(),
  runs: z.enum(['add', 'change']).optional(),
  found: z.number().nullable().optional(),
});
export type DataTable = z.infer<typeof DataTable>;
/** A table as a workload needs it. */
export type WantedTable = Omit<DataTable, 'found'>;

/** Whether a count is what trials can have left of the rows that were made. */
export function rowsFit({ rows, runs }: WantedTable, found: number | null): boolean {
  if (found === null) return false;
  return found === rows || runs === 'change' || (runs === 'add' && found > rows);
}

/** Bytes that a file has to have at least, and those found when it was checked last: null = no such file, absent = never looked at. */
export const SetFile = z.object({ name: z.string(), bytes: z.number(), found: z.number().nullable().optional() });
export type SetFile = z.infer<typeof SetFile>;

/** What a data set consists of: tables of a target, or files on a host. */
export const DataSetKind = z.enum(['tables', 'files']);
export type DataSetKind = z.infer<typeof DataSetKind>;

/** Data that a workload needs, made once and used by many cells. Times in epoch milliseconds. */
const Made = z.object({
  /** Counts for each kind by itself. */
  id: z.number(),
  tool: z.string(),
  /** "4 tables × 10,000 rows, about 10 MiB", “2 files of 1 GiB”. */
  title: z.string(),
  state: DataSetState,
  /** Absent for data that was there before Kneepoint saw it. */
  madeAt: z.number().optional(),
  /** The session that made it; absent when it is deleted, and for data that was there before. */
  madeBy: z.number().optional(),
  /** When a trial that writes last began on it, and in which session. */
  writtenAt: z.number().optional(),
  writtenBy: z.number().optional(),
});

export const TableSet = Made.extend({
  kind: z.literal('tables'),
  targetId: z.number(),
  target: z.string(),
  tables: z.array(DataTable),
  /** Estimated. */
  bytes: z.number().optional(),
  /** How the rows are stored: engine, indexes, fill factor, field lengths. */
  shape: z.string(),
  countedAt: z.number().optional(),
});
export type TableSet = z.infer<typeof TableSet>;

export const FileSet = Made.extend({
  kind: z.literal('files'),
  hostId: z.number(),
  host: z.string(),
  /** Absolute; nothing else of it belongs to the set. */
  directory: z.string(),
  files: z.array(SetFile),
  checkedAt: z.number().optional(),
});
export type FileSet = z.infer<typeof FileSet>;

export const DataSet = z.discriminatedUnion('kind', [TableSet, FileSet]);
export type DataSet = z.infer<typeof DataSet>;

/** What a person reads of a data set's state. */
export const DATA_STATE_WORDS: Readonly<Record<DataSetState, StateWords>> = {
  making: { word: 'being prepared', tone: 'busy' },
  ready: { word: 'unchanged since it was prepared', tone: 'ok' },
  dirty: { word: 'modified since', tone: 'ok' },
  partial: { word: 'incomplete', tone: 'warn' },
  gone: { word: 'gone', tone: 'idle' },
};

/** Rows over all tables, as far as they were counted; beside those expected where a count is not what it should be. */
export function rowWords({ tables }: Pick<TableSet, 'tables'>): string {
  const expected = tables.reduce((sum, { rows }) => sum + rows, 0);
  const wrong = tables.some((table) => table.found !== undefined && !rowsFit(table, table.found));
  const found = tables.reduce((sum, table) => sum + (table.found === undefined ? table.rows : (table.found ?? 0)), 0);
  if (!wrong) return formatNumber(found);
  return `${formatNumber(found)} of ${formatNumber(expected)}`;
}

/** Names of its tables, the first few written out: “sbtest1, sbtest2, sbtest3 and 13 more”. */
export function tableWords({ tables }: Pick<TableSet, 'tables'>): string {
  const names = tables.map(({ name }) => name);
  const shown = names.length > 4 ? 3 : names.length;
  const rest = names.length - shown;
  return rest > 0 ? `${names.slice(0, shown).join(', ')} and ${rest} more` : names.join(', ');
}

/** “kneepoint-fio.0.0 and 3 more in /mnt/disk/kneepoint-fio”. */
export function fileWords({ files, directory }: Pick<FileSet, 'files' | 'directory'>): string {
  const more = files.length > 1 ? ` and ${formatCount(files.length - 1, 'more', 'more')}` : '';
  return `${files[0]?.name ?? 'no file'}${more} in ${directory}`;
}

/** Size of all files together: as found where it is less than expected. */
export function sizeWords({ files }: Pick<FileSet, 'files'>): string {
  const expected = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const found = files.reduce(
    (sum, file) => sum + Math.min(file.bytes, file.found ?? (file.found === null ? 0 : file.bytes)),
    0,
  );
  return found === expected ? formatBytes(expected) : `${formatBytes(found)} of ${formatBytes(expected)}`;
}
