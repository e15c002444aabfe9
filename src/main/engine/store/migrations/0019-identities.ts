import type { Migration } from '../file/migrate.ts';

/** Which machine or server an entry of the journal was written for; null for those of earlier versions. */
export const identities: Migration = {
  version: 19,
  up: (db) => {
    db.exec('ALTER TABLE journal ADD COLUMN identity TEXT');
  },
};
