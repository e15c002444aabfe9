import type { Migration } from '../file/migrate.ts';

/**
 * How many events of a run took how long, so that percentiles of several runs can be taken of all their events. Runs of before have none until they are
 * read again. Figures of lists are worked out anew: rates come from the tool's counters now where these cover what was measured.
 */
export const latencies: Migration = {
  version: 9,
  up: (db) => {
    db.exec(`CREATE TABLE latency (
      run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, family TEXT NOT NULL, parts BLOB NOT NULL,
      PRIMARY KEY (run_id, family)
    ) STRICT, WITHOUT ROWID`);
    db.exec('UPDATE run SET overview_sum = NULL, overview_seconds = NULL WHERE overview_sum IS NOT NULL');
    db.exec('UPDATE session SET overview = NULL WHERE overview IS NOT NULL');
  },
};
