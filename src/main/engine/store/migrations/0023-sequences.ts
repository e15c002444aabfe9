import type { Migration } from '../file/migrate.ts';

/**
 * A run has the place of its step in the trial, and a session its steps where they are several. Sessions have an origin. Earlier versions of
 * Kneepoint cannot read snapshots of sessions that begin from now on (version 4).
 */
export const sequences: Migration = {
  version: 23,
  up: (db) =>
    void db.exec(`ALTER TABLE run ADD COLUMN step INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE session ADD COLUMN steps TEXT;
      ALTER TABLE session ADD COLUMN origin TEXT NOT NULL DEFAULT 'measured';`),
};
