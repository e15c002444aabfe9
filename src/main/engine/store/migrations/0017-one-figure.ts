import type { Migration } from '../file/migrate.ts';
import { unlessDamaged } from './0015-wide-ids.ts';

/** Totals of runs go: a list takes the figures of cells as results work them out. */
export const oneFigure: Migration = {
  version: 17,
  up: (db) => {
    for (const column of ['overview_sum', 'overview_seconds'])
      unlessDamaged(() => db.exec(`ALTER TABLE run DROP COLUMN ${column}`));
  },
};
