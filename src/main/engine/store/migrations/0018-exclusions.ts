import type { Migration } from '../file/migrate.ts';

/** Why a person has excluded a run from the figures, and when. Runs of before all count. */
export const exclusions: Migration = {
  version: 18,
  up: (db) => {
    db.exec('ALTER TABLE run ADD COLUMN excluded TEXT');
  },
};
