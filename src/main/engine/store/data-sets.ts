import type { DataSetState, DataTable } from '../../../shared/model/data-set.ts';
import { type Connection, guarded } from './connection.ts';
import { notFound } from './problems.ts';
import { fromJson, toJson } from './rows.ts';
import type { DataRecipe, DataSetRow, DataSetRows, NewDataSet } from './store.ts';

const COLUMNS = [
  ...['target_id', 'tool', 'title', 'shape', 'tables', 'bytes', 'recipe', 'state'],
  ...['made_at', 'made_by', 'counted_at', 'written_at', 'written_by'],
];
const QUERIES = {
  list: 'SELECT * FROM data_set ORDER BY id DESC',
  get: 'SELECT * FROM data_set WHERE id = ?',
  insert: `INSERT INTO data_set (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map((name) => `:${name}`).join(', ')})`,
  update: `UPDATE data_set SET ${COLUMNS.map((name) => `${name} = :${name}`).join(', ')} WHERE id = :id`,
  remove: 'DELETE FROM data_set WHERE id = ?',
};

interface NewRow {
  target_id: number;
  tool: string;
  title: string;
  shape: string;
  tables: string;
  bytes: number | null;
  recipe: string;
  state: string;
  made_at: number | null;
  made_by: number | null;
  counted_at: number | null;
  written_at: number | null;
  written_by: number | null;
}
interface Row extends NewRow {
  id: number;
}

const fromDataSet = (set: NewDataSet): NewRow => ({
  target_id: set.targetId,
  tool: set.tool,
  title: set.title,
  shape: set.shape,
  tables: toJson(set.tables),
  bytes: set.bytes,
  recipe: toJson(set.recipe),
  state: set.state,
  made_at: set.madeAt,
  made_by: set.madeBy,
  counted_at: set.countedAt,
  written_at: set.writtenAt,
  written_by: set.writtenBy,
});

const toDataSet = (row: Row): DataSetRow => ({
  id: row.id,
  targetId: row.target_id,
  tool: row.tool,
  title: row.title,
  shape: row.shape,
  tables: fromJson<DataTable[]>(row.tables),
  bytes: row.bytes,
  recipe: fromJson<DataRecipe>(row.recipe),
  state: row.state as DataSetState,
  madeAt: row.made_at,
  madeBy: row.made_by,
  countedAt: row.counted_at,
  writtenAt: row.written_at,
  writtenBy: row.written_by,
});

export function dataSetRows(connection: Connection): DataSetRows {
  const { db, write } = connection;
  const list = db.prepare<[], Row>(QUERIES.list);
  const byId = db.prepare<[number], Row>(QUERIES.get);
  const insert = db.prepare<[NewRow]>(QUERIES.insert);
  const update = db.prepare<[Row]>(QUERIES.update);
  const remove = db.prepare<[number]>(QUERIES.remove);

  const existing = (id: number): DataSetRow => {
    const row = byId.get(id);
    if (row === undefined) throw notFound('data set', id);
    return toDataSet(row);
  };
  return guarded<DataSetRows>(connection, {
    list: () => list.all().map(toDataSet),
    get: (id) => {
      const row = byId.get(id);
      return row && toDataSet(row);
    },
    insert: (set, replaces) =>
      write(() => {
        for (const id of replaces) remove.run(id);
        return existing(Number(insert.run(fromDataSet(set)).lastInsertRowid));
      }),
    update: (id, change) =>
      write(() => {
        const changed = { ...existing(id), ...change };
        update.run({ id, ...fromDataSet(changed) });
        return changed;
      }),
    remove: (id) => {
      if (write(() => remove.run(id)).changes === 0) throw notFound('data set', id);
    },
  });
}
