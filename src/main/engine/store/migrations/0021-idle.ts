import type { Migration } from '../file/migrate.ts';

/** How long nobody executed a session between its start and its end. Of sessions of before it is not known. */
export const idle: Migration = {
  version: 21,
  up: (db) => {
    db.exec('ALTER TABLE session ADD COLUMN idle_ms INTEGER NOT NULL DEFAULT 0');
  },
};
