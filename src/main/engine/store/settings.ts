import { type Connection, guarded } from './connection.ts';
import { fromJson, toJson } from './rows.ts';
import type { SettingRows } from './store.ts';

const QUERIES = {
  get: 'SELECT value FROM setting WHERE key = ?',
  set: 'INSERT OR REPLACE INTO setting (key, value) VALUES (?, ?)',
  remove: 'DELETE FROM setting WHERE key = ?',
};

/** `undefined` removes a key. */
export function settingRows(connection: Connection): SettingRows {
  const { db, write } = connection;
  const get = db.prepare<[string], { value: string }>(QUERIES.get);
  const set = db.prepare<[string, string]>(QUERIES.set);
  const remove = db.prepare<[string]>(QUERIES.remove);
  return guarded<SettingRows>(connection, {
    get: (key) => {
      const row = get.get(key);
      return row && fromJson<unknown>(row.value);
    },
    set: (key, value) => {
      write(() => (value === undefined ? remove.run(key) : set.run(key, toJson(value))));
    },
  });
}
