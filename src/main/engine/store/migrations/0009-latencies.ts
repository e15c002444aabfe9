import type { Migration } from '../file/migrate.ts';

/**
 * How many events of a run took how long, so that percentiles of several runs can be taken of all their events. Runs of before have none until they are
 * read again. Figures of lists are worked out again: rates come from the tool's counters now where these cover what was measured.
 */
export const latencies: Migration = {
  version: 9,
  up: (db) => {
    db.exec(`CREATE TABLE latency (
      run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, family TEXT NOT NULL, parts BLOB NOT NULL,
      PRIMARY KEY (run_id, family)
    ) STRICT, WITHOUT ROWID`);
    // Seconds have fractions since they count for the time that they stand for.
    db.exec('ALTER TABLE run DROP COLUMN overview_seconds; ALTER TABLE run ADD COLUMN overview_seconds REAL');
    db.exec('UPDATE run SET overview_sum = NULL WHERE overview_sum IS NOT NULL');
    db.exec('UPDATE session SET overview = NULL WHERE overview IS NOT NULL');
  },
};
