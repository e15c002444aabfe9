import type { Migration } from '../file/migrate.ts';

/** Data sets of targets. They outlive the sessions that made or wrote to them, and go with their target. */
const SCHEMA = `
CREATE TABLE data_set (
  id INTEGER PRIMARY KEY AUTOINCREMENT, target_id INTEGER NOT NULL REFERENCES target(id) ON DELETE CASCADE,
  tool TEXT NOT NULL, title TEXT NOT NULL, shape TEXT NOT NULL, tables TEXT NOT NULL, bytes INTEGER, recipe TEXT NOT NULL,
  state TEXT NOT NULL, made_at INTEGER, made_by INTEGER REFERENCES session(id) ON DELETE SET NULL, counted_at INTEGER,
  written_at INTEGER, written_by INTEGER REFERENCES session(id) ON DELETE SET NULL
) STRICT;
CREATE INDEX data_set_of_target ON data_set (target_id);
CREATE INDEX data_set_made_by ON data_set (made_by);
CREATE INDEX data_set_written_by ON data_set (written_by);
`;

export const dataSets: Migration = {
  version: 2,
  up: (db) => {
    db.exec(SCHEMA);
  },
};
