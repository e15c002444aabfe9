import type { Migration } from '../file/migrate.ts';

/** Priced configurations by name. Sessions have a price of their own, which does not change with these. */
export const configurations: Migration = {
  version: 10,
  up: (db) => {
    db.exec(`CREATE TABLE configuration (
      id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, spec TEXT NOT NULL, changed_at INTEGER NOT NULL
    ) STRICT`);
  },
};
