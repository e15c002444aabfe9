import type { Migration } from '../file/migrate.ts';

/** What was read back of hosts and servers before the tool of a run was started. Runs of before have changed nothing there. */
export const runFacts: Migration = {
  version: 11,
  up: (db) => {
    db.exec(`ALTER TABLE run ADD COLUMN facts TEXT NOT NULL DEFAULT '[]'`);
  },
};
