import type { DataSetState } from '../../../shared/model/data-set.ts';
import type { SetFile } from '../../../shared/model/file-set.ts';
import { type Connection, guarded } from './connection.ts';
import { notFound } from './problems.ts';
import { fromJson, toJson } from './rows.ts';
import type { DataRecipe, FileSetRow, FileSetRows, NewFileSet } from './store.ts';

const COLUMNS = [
  ...['host_id', 'directory', 'tool', 'title', 'files', 'recipe', 'state'],
  ...['made_at', 'made_by', 'checked_at', 'written_at', 'written_by'],
];
const QUERIES = {
  list: 'SELECT * FROM file_set ORDER BY id DESC',
  get: 'SELECT * FROM file_set WHERE id = ?',
  insert: `INSERT INTO file_set (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map((name) => `:${name}`).join(', ')})`,
  update: `UPDATE file_set SET ${COLUMNS.map((name) => `${name} = :${name}`).join(', ')} WHERE id = :id`,
  remove: 'DELETE FROM file_set WHERE id = ?',
};

interface NewRow {
  host_id: number;
  directory: string;
  tool: string;
  title: string;
  files: string;
  recipe: string;
  state: string;
  made_at: number | null;
  made_by: number | null;
  checked_at: number | null;
  written_at: number | null;
  written_by: number | null;
}
interface Row extends NewRow {
  id: number;
}

const fromFileSet = (set: NewFileSet): NewRow => ({
  host_id: set.hostId,
  directory: set.directory,
  tool: set.tool,
  title: set.title,
  files: toJson(set.files),
  recipe: toJson(set.recipe),
  state: set.state,
  made_at: set.madeAt,
  made_by: set.madeBy,
  checked_at: set.checkedAt,
  written_at: set.writtenAt,
  written_by: set.writtenBy,
});

const toFileSet = (row: Row): FileSetRow => ({
  id: row.id,
  hostId: row.host_id,
  directory: row.directory,
  tool: row.tool,
  title: row.title,
  files: fromJson<SetFile[]>(row.files),
  recipe: fromJson<DataRecipe>(row.recipe),
  state: row.state as DataSetState,
  madeAt: row.made_at,
  madeBy: row.made_by,
  checkedAt: row.checked_at,
  writtenAt: row.written_at,
  writtenBy: row.written_by,
});

export function fileSetRows(connection: Connection): FileSetRows {
  const { db, write } = connection;
  const list = db.prepare<[], Row>(QUERIES.list);
  const byId = db.prepare<[number], Row>(QUERIES.get);
  const insert = db.prepare<[NewRow]>(QUERIES.insert);
  const update = db.prepare<[Row]>(QUERIES.update);
  const remove = db.prepare<[number]>(QUERIES.remove);

  const existing = (id: number): FileSetRow => {
    const row = byId.get(id);
    if (row === undefined) throw notFound('file set', id);
    return toFileSet(row);
  };
  return guarded<FileSetRows>(connection, {
    list: () => list.all().map(toFileSet),
    get: (id) => {
      const row = byId.get(id);
      return row && toFileSet(row);
    },
    insert: (set, replaces) =>
      write(() => {
        for (const id of replaces) remove.run(id);
        return existing(Number(insert.run(fromFileSet(set)).lastInsertRowid));
      }),
    update: (id, change) =>
      write(() => {
        const changed = { ...existing(id), ...change };
        update.run({ id, ...fromFileSet(changed) });
        return changed;
      }),
    remove: (id) => {
      if (write(() => remove.run(id)).changes === 0) throw notFound('file set', id);
    },
  });
}
