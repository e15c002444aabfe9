import type { Migration } from '../file/migrate.ts';

/*
 * Feeds and streams belonged to a generator of a run. Now they belong to a source of its session, and the run is optional: a monitor
 * continues between runs. Their ids stay, because the checksums of samples and output cover them; so do the rows that refer to them.
 */
const SOURCE = `
CREATE TABLE source (
  id INTEGER PRIMARY KEY AUTOINCREMENT, session_id INTEGER NOT NULL REFERENCES session(id) ON DELETE CASCADE,
  kind TEXT NOT NULL, name TEXT NOT NULL, position INTEGER NOT NULL, clock_offset_ms REAL, clock_error_ms REAL, clock_at INTEGER,
  UNIQUE (session_id, kind, name, position)
) STRICT;
INSERT INTO source (session_id, kind, name, position)
  SELECT DISTINCT run.session_id, 'generator', coalesce(job.host, ''), part.generator
  FROM (SELECT run_id, generator FROM feed UNION SELECT run_id, generator FROM stream) AS part
  JOIN run ON run.id = part.run_id
  LEFT JOIN job ON job.run_id = part.run_id AND job.generator = part.generator
  ORDER BY 1, 4, 3;
`;

/** Preserves the highest id ever used, so none is used twice. */
const rebuilt = (table: 'feed' | 'stream', columns: readonly [name: string, type: string][]): string => {
  const names = columns.map(([name]) => name).join(', ');
  const [[unique] = ['']] = columns;
  return `
CREATE TABLE new_${table} (
  id INTEGER PRIMARY KEY AUTOINCREMENT, source_id INTEGER NOT NULL REFERENCES source(id) ON DELETE CASCADE,
  run_id INTEGER REFERENCES run(id) ON DELETE CASCADE, ${columns.map((column) => column.join(' ')).join(', ')}
) STRICT;
INSERT INTO sqlite_sequence (name, seq) SELECT 'new_${table}', seq FROM sqlite_sequence WHERE name = '${table}';
INSERT INTO new_${table} (id, source_id, run_id, ${names})
  SELECT old.id, source.id, old.run_id, ${columns.map(([name]) => `old.${name}`).join(', ')}
  FROM ${table} AS old
  JOIN run ON run.id = old.run_id
  LEFT JOIN job ON job.run_id = old.run_id AND job.generator = old.generator
  JOIN source ON source.session_id = run.session_id AND source.kind = 'generator' AND source.name = coalesce(job.host, '')
    AND source.position = old.generator
  ORDER BY old.id;
DROP TABLE ${table};
ALTER TABLE new_${table} RENAME TO ${table};
CREATE UNIQUE INDEX ${table}_once ON ${table} (source_id, coalesce(run_id, 0), ${unique});
CREATE INDEX ${table}_of_run ON ${table} (run_id);
`;
};

const FEED = rebuilt('feed', [
  ['kind', 'TEXT NOT NULL'],
  ['rows', 'INTEGER NOT NULL DEFAULT 0'],
  ['sealed', 'INTEGER NOT NULL DEFAULT 0'],
]);
const STREAM = rebuilt('stream', [
  ['name', 'TEXT NOT NULL'],
  ['size', 'INTEGER NOT NULL DEFAULT 0'],
  ['packed', 'INTEGER NOT NULL DEFAULT 0'],
]);

/** A run has at most one end of its warm-up. */
const WARM_UP = `CREATE UNIQUE INDEX event_warm_up_end ON event (run_id) WHERE kind = 'warm-up-end';`;

export const sources: Migration = {
  version: 7,
  replacesTables: true,
  up: (db) => {
    db.exec(`${SOURCE}${FEED}${STREAM}${WARM_UP}`);
  },
};
