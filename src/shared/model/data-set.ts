import { z } from 'zod';
import { formatBytes, formatCount, formatNumber } from '../util/format.ts';
import type { StateWords } from './session-words.ts';

/**
 * making: a prepare step is in progress. ready: counted, and not written to since. dirty: a trial that writes has run on it. partial: rows
 * are missing or too many, or its preparation was interrupted. gone: none of its tables was found.
 */
export const DataSetState = z.enum(['making', 'ready', 'dirty', 'partial', 'gone']);
export type DataSetState = z.infer<typeof DataSetState>;

/**
 * Expected rows, and rows found at the last count: null = no such table, absent = never counted. `runs`: effect of trials on the number of
 * rows; add = more rows, change = more or fewer, absent = unchanged.
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

/** Whether a count is possible after trials on the prepared rows. */
export function rowsFit({ rows, runs }: WantedTable, found: number | null): boolean {
  if (found === null) return false;
  return found === rows || runs === 'change' || (runs === 'add' && found > rows);
}

/** Minimum bytes of a file, and bytes found at the last check: null = no such file, absent = never checked. */
export const SetFile = z.object({ name: z.string(), bytes: z.number(), found: z.number().nullable().optional() });
export type SetFile = z.infer<typeof SetFile>;

/** Content of a data set: tables of a target, or files on a host. */
export const DataSetKind = z.enum(['tables', 'files']);
export type DataSetKind = z.infer<typeof DataSetKind>;

/** Data that a workload needs, prepared once and used by many cells. Times in epoch milliseconds. */
const Made = z.object({
  /** Numbered separately for each kind. */
  id: z.number(),
  tool: z.string(),
  /** "4 tables × 10,000 rows, about 10 MiB", “2 files of 1 GiB”. */
  title: z.string(),
  state: DataSetState,
  /** Absent for data that existed before Kneepoint first saw it. */
  madeAt: z.number().optional(),
  /** The session that prepared it; absent if that is deleted, and for data that existed before. */
  madeBy: z.number().optional(),
  /** Start of the last trial that writes to it, and the session of that trial. */
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
  /** Storage layout of the rows: engine, indexes, fill factor, field lengths. */
  shape: z.string(),
  countedAt: z.number().optional(),
});
export type TableSet = z.infer<typeof TableSet>;

export const FileSet = Made.extend({
  kind: z.literal('files'),
  hostId: z.number(),
  host: z.string(),
  /** Absolute path; nothing else in it belongs to the set. */
  directory: z.string(),
  files: z.array(SetFile),
  checkedAt: z.number().optional(),
});
export type FileSet = z.infer<typeof FileSet>;

export const DataSet = z.discriminatedUnion('kind', [TableSet, FileSet]);
export type DataSet = z.infer<typeof DataSet>;

/** Words for the state of a data set. */
export const DATA_STATE_WORDS: Readonly<Record<DataSetState, StateWords>> = {
  making: { word: 'being prepared', tone: 'busy' },
  ready: { word: 'unchanged since it was prepared', tone: 'ok' },
  dirty: { word: 'modified since', tone: 'ok' },
  partial: { word: 'incomplete', tone: 'warn' },
  gone: { word: 'missing', tone: 'idle' },
};

/** Rows over all tables, as far as counted; with the expected number if a count does not fit. */
export function rowWords({ tables }: Pick<TableSet, 'tables'>): string {
  const expected = tables.reduce((sum, { rows }) => sum + rows, 0);
  const wrong = tables.some((table) => table.found !== undefined && !rowsFit(table, table.found));
  const found = tables.reduce((sum, table) => sum + (table.found === undefined ? table.rows : (table.found ?? 0)), 0);
  if (!wrong) return formatNumber(found);
  return `${formatNumber(found)} of ${formatNumber(expected)}`;
}

/** Names of its tables, only the first few in full: “sbtest1, sbtest2, sbtest3 and 13 more”. */
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

/** Total size of all files; the size found if that is less than expected. */
export function sizeWords({ files }: Pick<FileSet, 'files'>): string {
  const expected = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const found = files.reduce(
    (sum, file) => sum + Math.min(file.bytes, file.found ?? (file.found === null ? 0 : file.bytes)),
    0,
  );
  return found === expected ? formatBytes(expected) : `${formatBytes(found)} of ${formatBytes(expected)}`;
}
