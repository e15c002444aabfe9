import type { Migration } from '../file/migrate.ts';

/** Claims that sessions have made on hosts, until they are known to be gone: one whose host was out of reach is released later. */
export const claims: Migration = {
  version: 20,
  up: (db) => {
    db.exec(`CREATE TABLE claim (
      id INTEGER PRIMARY KEY, host TEXT NOT NULL, path TEXT NOT NULL, owner TEXT NOT NULL, UNIQUE (host, path, owner)
    ) STRICT;`);
  },
};
