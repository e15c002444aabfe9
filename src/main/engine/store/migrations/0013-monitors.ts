import type { Migration } from '../file/migrate.ts';

/*
 * What is watched beside the tool belongs to a session. `about` says what a source is (roles, kind of target, rules of its series);
 * `monitor_job` how far the output of each of its jobs was read; `source_clock` what its clock was off, again and again, by its own time.
 * `zero_ms` is the tool's second 0 by the clock of its host. `run_judgement` keeps what was worked out of a run from all of it.
 */
const SCHEMA = `
ALTER TABLE source ADD COLUMN about TEXT;
ALTER TABLE source ADD COLUMN problem TEXT;
CREATE TABLE source_clock (
  source_id INTEGER NOT NULL REFERENCES source(id) ON DELETE CASCADE, t REAL NOT NULL, offset_ms REAL NOT NULL, error_ms REAL NOT NULL,
  PRIMARY KEY (source_id, t)
) STRICT, WITHOUT ROWID;
CREATE TABLE monitor_job (
  job_id TEXT PRIMARY KEY, source_id INTEGER NOT NULL REFERENCES source(id) ON DELETE CASCADE, host TEXT NOT NULL,
  read_bytes INTEGER NOT NULL DEFAULT 0, ended INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX monitor_job_of_source ON monitor_job (source_id);
CREATE TABLE run_judgement (run_id INTEGER PRIMARY KEY REFERENCES run(id) ON DELETE CASCADE, document TEXT NOT NULL) STRICT;
ALTER TABLE job ADD COLUMN zero_ms REAL;
ALTER TABLE job ADD COLUMN zero_error_ms REAL;
`;

export const monitors: Migration = {
  version: 13,
  up: (db) => {
    db.exec(SCHEMA);
  },
};
