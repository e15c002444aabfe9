import { type Connection, guarded } from '../file/connection.ts';
import { notFound } from '../file/problems.ts';

export interface ExperimentRow {
  id: number;
  name: string;
  text: string;
  changedAt: number;
}

export interface ExperimentRows {
  list(): ExperimentRow[];
  get(id: number): ExperimentRow | undefined;
  insert(name: string, text: string, at: number): ExperimentRow;
  update(id: number, name: string, text: string, at: number): ExperimentRow;
  remove(id: number): void;
}

const EXPERIMENT = 'SELECT id, name, text, changed_at AS changedAt FROM experiment';
const QUERIES = {
  list: `${EXPERIMENT} ORDER BY changed_at DESC, id DESC`,
  get: `${EXPERIMENT} WHERE id = ?`,
  insert: 'INSERT INTO experiment (name, text, changed_at) VALUES (?, ?, ?)',
  update: 'UPDATE experiment SET name = ?, text = ?, changed_at = ? WHERE id = ?',
  remove: 'DELETE FROM experiment WHERE id = ?',
};

export function experimentRows(connection: Connection): ExperimentRows {
  const { db, write } = connection;
  const list = db.prepare<[], ExperimentRow>(QUERIES.list);
  const get = db.prepare<[number], ExperimentRow>(QUERIES.get);
  const insert = db.prepare<[string, string, number]>(QUERIES.insert);
  const update = db.prepare<[string, string, number, number]>(QUERIES.update);
  const remove = db.prepare<[number]>(QUERIES.remove);
  return guarded<ExperimentRows>(connection, {
    list: () => list.all(),
    get: (id) => get.get(id),
    insert: (name, text, at) => {
      const { lastInsertRowid } = write(() => insert.run(name, text, at));
      return { id: Number(lastInsertRowid), name, text, changedAt: at };
    },
    update: (id, name, text, at) => {
      if (write(() => update.run(name, text, at, id)).changes === 0) throw notFound('experiment', id);
      return { id, name, text, changedAt: at };
    },
    remove: (id) => {
      if (write(() => remove.run(id)).changes === 0) throw notFound('experiment', id);
    },
  });
}
