import type { DataSetKind, DataSetState, DataTable, SetFile } from '../../../shared/model/data-set.ts';
import { type Connection, guarded } from './connection.ts';
import { notFound } from './problems.ts';
import { fromJson, toJson } from './rows.ts';
import type { DataPart, DataRecipe, DataSetRow, DataSetRows, NewDataSet, Store } from './store.ts';

/** Columns that the tables of both kinds have. */
interface SharedColumns {
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

/** A table that holds one kind of data set, and what its own columns hold. */
interface KindTable<Columns> {
  kind: DataSetKind;
  table: string;
  /** In an error. */
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

const TABLES: KindTable<TableColumns> = {
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

const FILES: KindTable<FileColumns> = {
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

const SHARED: readonly (keyof SharedColumns)[] = [
  ...(['tool', 'title', 'recipe', 'state'] as const),
  ...(['made_at', 'made_by', 'written_at', 'written_by'] as const),
];

const toShared = (set: NewDataSet): SharedColumns => ({
  tool: set.tool,
  title: set.title,
  recipe: toJson(set.recipe),
  state: set.state,
  made_at: set.madeAt,
  made_by: set.madeBy,
  written_at: set.writtenAt,
  written_by: set.writtenBy,
});

const fromShared = (row: SharedColumns): Omit<NewDataSet, keyof OwnFields> => ({
  tool: row.tool,
  title: row.title,
  recipe: fromJson<DataRecipe>(row.recipe),
  state: row.state as DataSetState,
  madeAt: row.made_at,
  madeBy: row.made_by,
  writtenAt: row.written_at,
  writtenBy: row.written_by,
});

export const dataSetRows = (connection: Connection): Store['dataSets'] => ({
  tables: rowsOf(connection, TABLES),
  files: rowsOf(connection, FILES),
});

/** Data sets of one kind. Errors: not-found for an id that is not there. */
function rowsOf<Columns extends object>(
  connection: Connection,
  { kind, table, noun, columns, toColumns, fromColumns }: KindTable<Columns>,
): DataSetRows {
  type Row = Columns & SharedColumns & { id: number };
  const { db, write } = connection;
  const names = [...SHARED, ...columns];
  const values = names.map((name) => `:${name}`).join(', ');
  const list = db.prepare<[], Row>(`SELECT * FROM ${table} ORDER BY id DESC`);
  const byId = db.prepare<[number], Row>(`SELECT * FROM ${table} WHERE id = ?`);
  const insert = db.prepare<[object]>(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${values})`);
  const changes = names.map((name) => `${name} = :${name}`).join(', ');
  const update = db.prepare<[object]>(`UPDATE ${table} SET ${changes} WHERE id = :id`);
  const remove = db.prepare<[number]>(`DELETE FROM ${table} WHERE id = ?`);

  const toSet = (row: Row): DataSetRow => ({ kind, id: row.id, ...fromShared(row), ...fromColumns(row) });
  const toRow = (set: NewDataSet) => ({ ...toShared(set), ...toColumns(set) });
  const existing = (id: number): DataSetRow => {
    const row = byId.get(id);
    if (row === undefined) throw notFound(noun, id);
    return toSet(row);
  };
  return guarded<DataSetRows>(connection, {
    list: () => list.all().map(toSet),
    get: (id) => {
      const row = byId.get(id);
      return row && toSet(row);
    },
    insert: (set, replaces) =>
      write(() => {
        for (const id of replaces) remove.run(id);
        return existing(Number(insert.run(toRow(set)).lastInsertRowid));
      }),
    update: (id, change) =>
      write(() => {
        const changed = { ...existing(id), ...change };
        update.run({ id, ...toRow(changed) });
        return changed;
      }),
    remove: (id) => {
      if (write(() => remove.run(id)).changes === 0) throw notFound(noun, id);
    },
  });
}
