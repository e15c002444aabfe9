import type { Migration } from '../file/migrate.ts';
import { unlessDamaged } from './0015-wide-ids.ts';

/**
 * What a list shows of a session beside its own row moves into a table of its own, with the version of the rules that it was worked out by. Counts
 * and names that a list needs at once become columns. Session by session: of a copy that is only read, a page may be damaged, and the sessions on
 * others are read all the same.
 */
export const headlines: Migration = {
  version: 16,
  up: (db) => {
    db.exec(`CREATE TABLE headline (
      session_id INTEGER PRIMARY KEY REFERENCES session(id) ON DELETE CASCADE, version INTEGER NOT NULL, stale INTEGER NOT NULL,
      document TEXT NOT NULL
    ) STRICT;
    ALTER TABLE session ADD COLUMN experiment TEXT;
    ALTER TABLE session ADD COLUMN trials_missing INTEGER NOT NULL DEFAULT 0;`);
    unlessDamaged(() => db.exec('CREATE INDEX run_of_cell ON run (session_id, cell, repeat)'));
    const steps = [
      `UPDATE session SET experiment = (SELECT CASE WHEN json_valid(document) THEN document ->> '$.experiment.name' END FROM session_snapshot
        WHERE session_id = session.id AND part = 'start') WHERE id = ?`,
      `UPDATE session SET trials_missing = (SELECT count(DISTINCT cell || ' ' || repeat)
        - count(DISTINCT cell || ' ' || repeat) FILTER (WHERE state = 'done') FROM run WHERE session_id = session.id) WHERE id = ?`,
      `INSERT INTO headline (session_id, version, stale, document)
        SELECT id, overview ->> '$.version', 0, json_remove(overview, '$.version', '$.experiment') FROM session
        WHERE id = ? AND json_valid(overview) AND overview ->> '$.version' IS NOT NULL`,
      'UPDATE session SET overview = NULL WHERE id = ? AND overview IS NOT NULL',
    ].map((sql) => db.prepare<[number]>(sql));
    // From an index alone, which a damaged page of the table leaves whole.
    const ids = db.prepare<[], number>('SELECT id FROM session INDEXED BY sqlite_autoindex_session_1').pluck();
    unlessDamaged(() => {
      for (const id of ids.all()) for (const step of steps) unlessDamaged(() => step.run(id));
    });
  },
};
