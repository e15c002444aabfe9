import type { Migration } from '../file/migrate.ts';

export const ROWS = 20_000;

/**
 * Two formats of a small library: the second moves every row to a table of another shape, which takes a while; `moved` is called for each.
 */
export const testMigrations = (moved: (id: number) => void = () => undefined): readonly Migration[] => [
  {
    version: 1,
    up: (db) => {
      db.exec('CREATE TABLE old (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT');
      const insert = db.prepare('INSERT INTO old VALUES (?, ?)');
      for (let id = 1; id <= ROWS; id += 1) insert.run(id, `row ${id}`);
    },
  },
  {
    version: 2,
    up: (db) => {
      db.exec('CREATE TABLE new (id INTEGER PRIMARY KEY, text TEXT NOT NULL, length INTEGER NOT NULL) STRICT');
      const insert = db.prepare('INSERT INTO new SELECT id, text, length(text) FROM old WHERE id = ?');
      const remove = db.prepare('DELETE FROM old WHERE id = ?');
      for (let id = 1; id <= ROWS; id += 1) {
        insert.run(id);
        remove.run(id);
        moved(id);
      }
      db.exec('DROP TABLE old');
    },
  },
];

export const TEST_MIGRATIONS = testMigrations();
