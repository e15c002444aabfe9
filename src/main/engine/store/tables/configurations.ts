import type { CostSpec } from '../../../../shared/model/cost.ts';
import { type Connection, guarded } from '../file/connection.ts';
import { notFound } from '../file/problems.ts';
import { fromJson, named, toJson } from './rows.ts';

/** A priced configuration; its name is the spec's label. */
export interface ConfigurationRow {
  id: number;
  spec: CostSpec;
  /** Epoch milliseconds. */
  changedAt: number;
}

export interface ConfigurationRows {
  /** By name. */
  list(): ConfigurationRow[];
  /** Throws `conflict` for a name that is already used. */
  insert(spec: CostSpec, at: number): ConfigurationRow;
  update(id: number, spec: CostSpec, at: number): ConfigurationRow;
  remove(id: number): void;
}

interface Row {
  id: number;
  spec: string;
  changedAt: number;
}

const QUERIES = {
  list: 'SELECT id, spec, changed_at AS changedAt FROM configuration ORDER BY name, id',
  insert: 'INSERT INTO configuration (name, spec, changed_at) VALUES (?, ?, ?)',
  update: 'UPDATE configuration SET name = ?, spec = ?, changed_at = ? WHERE id = ?',
  remove: 'DELETE FROM configuration WHERE id = ?',
};

export function configurationRows(connection: Connection): ConfigurationRows {
  const { db, write } = connection;
  const list = db.prepare<[], Row>(QUERIES.list);
  const insert = db.prepare<[string, string, number]>(QUERIES.insert);
  const update = db.prepare<[string, string, number, number]>(QUERIES.update);
  const remove = db.prepare<[number]>(QUERIES.remove);
  const what = 'configuration';
  return guarded<ConfigurationRows>(connection, {
    list: () => list.all().map((row) => ({ ...row, spec: fromJson<CostSpec>(row.spec) })),
    insert: (spec, at) => {
      const { lastInsertRowid } = write(() => named(what, spec.label, () => insert.run(spec.label, toJson(spec), at)));
      return { id: Number(lastInsertRowid), spec, changedAt: at };
    },
    update: (id, spec, at) => {
      const { changes } = write(() => named(what, spec.label, () => update.run(spec.label, toJson(spec), at, id)));
      if (changes === 0) throw notFound(what, id);
      return { id, spec, changedAt: at };
    },
    remove: (id) => {
      if (write(() => remove.run(id)).changes === 0) throw notFound(what, id);
    },
  });
}
