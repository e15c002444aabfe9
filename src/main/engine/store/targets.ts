import type { Target, TargetSpec } from '../../../shared/model/target.ts';
import { type Connection, guarded } from './connection.ts';
import { notFound } from './problems.ts';
import { fromJson, named, toJson } from './rows.ts';
import type { TargetRows } from './store.ts';

const TARGET = `SELECT id, spec, created_at, EXISTS (SELECT 1 FROM secret WHERE owner = 'target:' || target.id) AS has_secret FROM target`;
const QUERIES = {
  list: `${TARGET} ORDER BY name COLLATE NOCASE`,
  get: `${TARGET} WHERE id = ?`,
  byName: `${TARGET} WHERE name = ?`,
  insert: 'INSERT INTO target (name, spec, created_at) VALUES (?, ?, ?)',
  update: 'UPDATE target SET name = ?, spec = ? WHERE id = ?',
  remove: 'DELETE FROM target WHERE id = ?',
  removeSecret: 'DELETE FROM secret WHERE owner = ?',
};

interface Row {
  id: number;
  spec: string;
  created_at: number;
  has_secret: number;
}
const toTarget = (row: Row): Target => ({
  id: row.id,
  spec: fromJson<TargetSpec>(row.spec),
  hasSecret: row.has_secret === 1,
  createdAt: row.created_at,
});

export function targetRows(connection: Connection): TargetRows {
  const { db, write } = connection;
  const list = db.prepare<[], Row>(QUERIES.list);
  const byId = db.prepare<[number], Row>(QUERIES.get);
  const byName = db.prepare<[string], Row>(QUERIES.byName);
  const insert = db.prepare<[string, string, number]>(QUERIES.insert);
  const update = db.prepare<[string, string, number]>(QUERIES.update);
  const remove = db.prepare<[number]>(QUERIES.remove);
  const removeSecret = db.prepare<[string]>(QUERIES.removeSecret);

  const existing = (id: number): Target => {
    const row = byId.get(id);
    if (row === undefined) throw notFound('target', id);
    return toTarget(row);
  };
  return guarded<TargetRows>(connection, {
    list: () => list.all().map(toTarget),
    get: (id) => {
      const row = byId.get(id);
      return row && toTarget(row);
    },
    byName: (name) => {
      const row = byName.get(name);
      return row && toTarget(row);
    },
    insert: (spec, at) =>
      write(() =>
        existing(Number(named('target', spec.name, () => insert.run(spec.name, toJson(spec), at)).lastInsertRowid)),
      ),
    update: (id, spec) =>
      write(() => {
        existing(id);
        named('target', spec.name, () => update.run(spec.name, toJson(spec), id));
        return existing(id);
      }),
    remove: (id) =>
      write(() => {
        existing(id);
        removeSecret.run(`target:${id}`);
        remove.run(id);
      }),
  });
}
