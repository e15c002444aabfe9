import type { Migration } from '../file/migrate.ts';

/** What was worked out from samples. It is empty at first: a summary is made when somebody asks for it, so that no sample is read here. */
export const summaries: Migration = {
  version: 14,
  up: (db) => {
    db.exec(`CREATE TABLE summary (
      id INTEGER PRIMARY KEY, feed_id INTEGER NOT NULL REFERENCES feed(id) ON DELETE CASCADE, key TEXT NOT NULL, stamp TEXT NOT NULL,
      data BLOB NOT NULL, checksum INTEGER NOT NULL, UNIQUE (feed_id, key)
    ) STRICT`);
  },
};
