import type { DataSetKind } from '../../../../shared/model/data-set.ts';
import { type Connection, guarded } from '../file/connection.ts';
import { notFound } from '../file/problems.ts';
import {
  FILES,
  fromShared,
  type KindTable,
  type NewDataSet,
  SHARED,
  type SharedColumns,
  TABLES,
  toShared,
} from './data-set-columns.ts';

/** Ids are unique per kind. */
export interface DataSetRow extends NewDataSet {
  kind: DataSetKind;
  id: number;
}

/** Data sets of one kind. They are deleted with their place; a deleted session is removed as their maker. */
export interface DataSetRows {
  /** Newest first. */
  list(): DataSetRow[];
  get(id: number): DataSetRow | undefined;
  /** Deletes the ones it replaces, in the same transaction. */
  insert(set: NewDataSet, replaces: readonly number[]): DataSetRow;
  update(id: number, change: Partial<NewDataSet>): DataSetRow;
  remove(id: number): void;
}

export const dataSetRows = (connection: Connection): Readonly<Record<DataSetKind, DataSetRows>> => ({
  tables: rowsOf(connection, TABLES),
  files: rowsOf(connection, FILES),
});

/** Data sets of one kind. Throws `not-found` for an unknown id. */
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
