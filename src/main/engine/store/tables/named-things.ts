import type { TargetSpec } from '../../../../shared/model/target.ts';
import { type Connection, guarded } from '../file/connection.ts';
import { notFound } from '../file/problems.ts';
import { fromJson, named, toJson } from './rows.ts';

/** Something that the user adds, names and gives a password: a host, a target. */
interface Thing<Spec> {
  id: number;
  spec: Spec;
  hasSecret: boolean;
  /** Epoch milliseconds. */
  createdAt: number;
}

export interface NamedThings<Spec> {
  /** By name, ignoring case, numbers by value. */
  list(): Thing<Spec>[];
  get(id: number): Thing<Spec> | undefined;
  byName(name: string): Thing<Spec> | undefined;
  insert(spec: Spec, at: number): Thing<Spec>;
  update(id: number, spec: Spec): Thing<Spec>;
  /** Deletes its stored password too. */
  remove(id: number): void;
}

interface Row {
  id: number;
  spec: string;
  created_at: number;
  has_secret: number;
}

const { compare: inOrder } = new Intl.Collator('en', { numeric: true });

const queriesOf = (table: 'host' | 'target') => {
  const select = `SELECT id, spec, created_at, EXISTS (SELECT 1 FROM secret WHERE owner = '${table}:' || ${table}.id) AS has_secret FROM ${table}`;
  return {
    list: select,
    get: `${select} WHERE id = ?`,
    byName: `${select} WHERE name = ?`,
    insert: `INSERT INTO ${table} (name, spec, created_at) VALUES (?, ?, ?)`,
    update: `UPDATE ${table} SET name = ?, spec = ? WHERE id = ?`,
    remove: `DELETE FROM ${table} WHERE id = ?`,
    removeSecret: 'DELETE FROM secret WHERE owner = ?',
  };
};

/** Rows of a table with unique names. Throws `not-found` for an unknown id, `conflict` for a name that is already used. */
export function namedThings<Spec extends { name: string }>(
  { db, write }: Connection,
  table: 'host' | 'target',
): NamedThings<Spec> {
  const queries = queriesOf(table);
  const list = db.prepare<[], Row>(queries.list);
  const byId = db.prepare<[number], Row>(queries.get);
  const byName = db.prepare<[string], Row>(queries.byName);
  const insert = db.prepare<[string, string, number]>(queries.insert);
  const update = db.prepare<[string, string, number]>(queries.update);
  const remove = db.prepare<[number]>(queries.remove);
  const removeSecret = db.prepare<[string]>(queries.removeSecret);

  const thing = (row: Row): Thing<Spec> => ({
    id: row.id,
    spec: fromJson<Spec>(row.spec),
    hasSecret: row.has_secret === 1,
    createdAt: row.created_at,
  });
  const found = (row: Row | undefined): Thing<Spec> | undefined => row && thing(row);
  const existing = (id: number): Thing<Spec> => {
    const row = byId.get(id);
    if (row === undefined) throw notFound(table, id);
    return thing(row);
  };
  return {
    list: () =>
      list
        .all()
        .map(thing)
        .toSorted((a, b) => inOrder(a.spec.name, b.spec.name)),
    get: (id) => found(byId.get(id)),
    byName: (name) => found(byName.get(name)),
    insert: (spec, at) =>
      write(() => {
        const { lastInsertRowid } = named(table, spec.name, () => insert.run(spec.name, toJson(spec), at));
        return existing(Number(lastInsertRowid));
      }),
    update: (id, spec) =>
      write(() => {
        existing(id);
        named(table, spec.name, () => update.run(spec.name, toJson(spec), id));
        return existing(id);
      }),
    remove: (id) =>
      write(() => {
        existing(id);
        removeSecret.run(`${table}:${id}`);
        remove.run(id);
      }),
  };
}

export type TargetRows = NamedThings<TargetSpec>;

export const targetRows = (connection: Connection): TargetRows =>
  guarded<TargetRows>(connection, namedThings<TargetSpec>(connection, 'target'));
