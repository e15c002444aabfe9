import type { Migration } from '../file/migrate.ts';

/** Runs of before had the seed of their experiment plus their repeat. It was not recorded, so none is made up. */
export const seeds: Migration = {
  version: 8,
  up: (db) => {
    db.exec('ALTER TABLE run ADD COLUMN seed INTEGER');
  },
};
