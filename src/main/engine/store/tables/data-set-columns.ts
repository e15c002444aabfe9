import type { DataSetKind, DataSetState, DataTable, SetFile } from '../../../../shared/model/data-set.ts';
import { fromJson, toJson } from './rows.ts';

/** Inputs for planning the tool's steps, to clean up the data set later. */
export interface DataRecipe {
  /** Host that ran the tool. */
  generator: string;
  options: Record<string, unknown>;
  warmup: number;
  duration: number;
  seed: number;
}

/** A table or file with the number of rows or bytes that a workload needs. */
export interface DataPart {
  name: string;
  /** Rows or bytes. */
  size: number;
  /** Effect of trials on the number of rows (`shared/model/data-set.ts`). */
  runs?: DataTable['runs'] | undefined;
  /** Result of the last check: null if it does not exist, undefined if it was never checked. */
  found?: number | null | undefined;
}

/** Data made by a workload: its place, content, origin and state. */
export interface NewDataSet {
  /** Id of the target with the tables, or of the host with the files. */
  placeId: number;
  /** Folder of files, absolute; empty for tables. */
  directory: string;
  tool: string;
  title: string;
  /** Storage format of rows; empty for files. */
  shape: string;
  parts: DataPart[];
  /** Estimated size of tables. */
  bytes: number | null;
  recipe: DataRecipe;
  state: DataSetState;
  madeAt: number | null;
  madeBy: number | null;
  lookedAt: number | null;
  writtenAt: number | null;
  writtenBy: number | null;
}

/** Columns that the tables of both kinds have. */
export interface SharedColumns {
  tool: string;
  title: string;
  recipe: string;
  state: string;
  made_at: number | null;
  made_by: number | null;
  written_at: number | null;
  written_by: number | null;
}

type OwnFields = Pick<NewDataSet, 'placeId' | 'directory' | 'shape' | 'parts' | 'bytes' | 'lookedAt'>;

/** The database table of one kind of data set, and its own columns. */
export interface KindTable<Columns> {
  kind: DataSetKind;
  table: string;
  /** For error messages. */
  noun: string;
  columns: readonly (keyof Columns & string)[];
  toColumns(set: NewDataSet): Columns;
  fromColumns(row: Columns): OwnFields;
}

interface TableColumns {
  target_id: number;
  shape: string;
  tables: string;
  bytes: number | null;
  counted_at: number | null;
}

export const TABLES: KindTable<TableColumns> = {
  kind: 'tables',
  table: 'data_set',
  noun: 'data set',
  columns: ['target_id', 'shape', 'tables', 'bytes', 'counted_at'],
  toColumns: (set) => ({
    target_id: set.placeId,
    shape: set.shape,
    tables: toJson(set.parts.map(({ size, ...same }): DataTable => ({ ...same, rows: size }))),
    bytes: set.bytes,
    counted_at: set.lookedAt,
  }),
  fromColumns: (row) => ({
    placeId: row.target_id,
    directory: '',
    shape: row.shape,
    parts: fromJson<DataTable[]>(row.tables).map(({ rows, ...same }): DataPart => ({ ...same, size: rows })),
    bytes: row.bytes,
    lookedAt: row.counted_at,
  }),
};

interface FileColumns {
  host_id: number;
  directory: string;
  files: string;
  checked_at: number | null;
}

export const FILES: KindTable<FileColumns> = {
  kind: 'files',
  table: 'file_set',
  noun: 'file set',
  columns: ['host_id', 'directory', 'files', 'checked_at'],
  toColumns: (set) => ({
    host_id: set.placeId,
    directory: set.directory,
    files: toJson(set.parts.map(({ size, runs: _, ...same }): SetFile => ({ ...same, bytes: size }))),
    checked_at: set.lookedAt,
  }),
  fromColumns: (row) => ({
    placeId: row.host_id,
    directory: row.directory,
    shape: '',
    parts: fromJson<SetFile[]>(row.files).map(({ bytes, ...same }): DataPart => ({ ...same, size: bytes })),
    bytes: null,
    lookedAt: row.checked_at,
  }),
};

export const SHARED: readonly (keyof SharedColumns)[] = [
  ...(['tool', 'title', 'recipe', 'state'] as const),
  ...(['made_at', 'made_by', 'written_at', 'written_by'] as const),
];

export const toShared = (set: NewDataSet): SharedColumns => ({
  tool: set.tool,
  title: set.title,
  recipe: toJson(set.recipe),
  state: set.state,
  made_at: set.madeAt,
  made_by: set.madeBy,
  written_at: set.writtenAt,
  written_by: set.writtenBy,
});

export const fromShared = (row: SharedColumns): Omit<NewDataSet, keyof OwnFields> => ({
  tool: row.tool,
  title: row.title,
  recipe: fromJson<DataRecipe>(row.recipe),
  state: row.state as DataSetState,
  madeAt: row.made_at,
  madeBy: row.made_by,
  writtenAt: row.written_at,
  writtenBy: row.written_by,
});
