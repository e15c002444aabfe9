import type { Migration } from '../file/migrate.ts';

/** File sets of hosts. They outlive the sessions that made or wrote to them, and go with their host. */
const SCHEMA = `
CREATE TABLE file_set (
  id INTEGER PRIMARY KEY AUTOINCREMENT, host_id INTEGER NOT NULL REFERENCES host(id) ON DELETE CASCADE,
  directory TEXT NOT NULL, tool TEXT NOT NULL, title TEXT NOT NULL, files TEXT NOT NULL, recipe TEXT NOT NULL,
  state TEXT NOT NULL, made_at INTEGER, made_by INTEGER REFERENCES session(id) ON DELETE SET NULL, checked_at INTEGER,
  written_at INTEGER, written_by INTEGER REFERENCES session(id) ON DELETE SET NULL
) STRICT;
CREATE INDEX file_set_of_host ON file_set (host_id);
CREATE INDEX file_set_made_by ON file_set (made_by);
CREATE INDEX file_set_written_by ON file_set (written_by);
`;

export const fileSets: Migration = {
  version: 4,
  up: (db) => {
    db.exec(SCHEMA);
  },
};
