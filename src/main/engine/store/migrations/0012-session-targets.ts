import type { Migration } from '../file/migrate.ts';

/** Names of the targets of a session whose cells meet several; of one, `target` has its name as before. */
export const sessionTargets: Migration = {
  version: 12,
  up: (db) => {
    db.exec('ALTER TABLE session ADD COLUMN targets TEXT');
  },
};
