import type { Migration } from '../file/migrate.ts';

/*
 * Documents (spec, context, levels, …) are JSON of the schemas in shared/model; times are epoch milliseconds.
 * A feed is a sequence of rows of one generator: its samples, or the host-clock index of its output.
 * Rows are in `tail` until a chunk of every metric is full, then in `chunk`; metric 0 is their time.
 * A stream's bytes before `stream.packed` are zstd blocks in `raw`, later ones are the pieces as they were received.
 */
const SCHEMA = `
CREATE TABLE host (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, spec TEXT NOT NULL, facts TEXT, created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE host_key (
  address TEXT NOT NULL, port INTEGER NOT NULL, key TEXT NOT NULL, set_at INTEGER NOT NULL, PRIMARY KEY (address, port)
) STRICT, WITHOUT ROWID;
CREATE TABLE tunnel (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, spec TEXT NOT NULL) STRICT;
CREATE TABLE target (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, spec TEXT NOT NULL, created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE secret (owner TEXT NOT NULL PRIMARY KEY, sealed BLOB NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE setting (key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE experiment (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, text TEXT NOT NULL, changed_at INTEGER NOT NULL
) STRICT;

CREATE TABLE session (
  id INTEGER PRIMARY KEY AUTOINCREMENT, uuid TEXT NOT NULL UNIQUE, name TEXT NOT NULL, state TEXT NOT NULL, message TEXT,
  experiment_text TEXT NOT NULL, context TEXT NOT NULL, tags TEXT NOT NULL, note TEXT NOT NULL DEFAULT '',
  archived INTEGER NOT NULL DEFAULT 0, cost TEXT, created_at INTEGER NOT NULL, started_at INTEGER, ended_at INTEGER
) STRICT;
CREATE TABLE log (
  id INTEGER PRIMARY KEY AUTOINCREMENT, session_id INTEGER NOT NULL REFERENCES session(id) ON DELETE CASCADE,
  run_id INTEGER, at INTEGER NOT NULL, level TEXT NOT NULL, message TEXT NOT NULL
) STRICT;
CREATE INDEX log_of_session ON log (session_id, id);

CREATE TABLE run (
  id INTEGER PRIMARY KEY AUTOINCREMENT, session_id INTEGER NOT NULL REFERENCES session(id) ON DELETE CASCADE,
  trial INTEGER NOT NULL, cell INTEGER NOT NULL, repeat INTEGER NOT NULL, levels TEXT NOT NULL,
  warmup REAL NOT NULL, duration REAL NOT NULL, state TEXT NOT NULL DEFAULT 'pending', message TEXT, exit TEXT, command TEXT,
  started_at INTEGER, ended_at INTEGER, summary TEXT NOT NULL DEFAULT '{}', findings TEXT NOT NULL DEFAULT '[]',
  partial INTEGER NOT NULL DEFAULT 0, jobs TEXT NOT NULL DEFAULT '[]', digest TEXT
) STRICT;
CREATE INDEX run_of_session ON run (session_id, trial, id);

CREATE TABLE metric (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
INSERT INTO metric (id, name) VALUES (0, 't');
CREATE TABLE feed (
  id INTEGER PRIMARY KEY AUTOINCREMENT, run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
  generator INTEGER NOT NULL, kind TEXT NOT NULL, rows INTEGER NOT NULL DEFAULT 0, sealed INTEGER NOT NULL DEFAULT 0,
  UNIQUE (run_id, generator, kind)
) STRICT;
CREATE TABLE feed_metric (
  feed_id INTEGER NOT NULL REFERENCES feed(id) ON DELETE CASCADE, metric_id INTEGER NOT NULL REFERENCES metric(id),
  position INTEGER NOT NULL, PRIMARY KEY (feed_id, metric_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE tail (
  feed_id INTEGER NOT NULL REFERENCES feed(id) ON DELETE CASCADE, row INTEGER NOT NULL, t REAL NOT NULL, data BLOB NOT NULL,
  PRIMARY KEY (feed_id, row)
) STRICT, WITHOUT ROWID;
CREATE TABLE chunk (
  id INTEGER PRIMARY KEY, feed_id INTEGER NOT NULL REFERENCES feed(id) ON DELETE CASCADE, metric_id INTEGER NOT NULL,
  first INTEGER NOT NULL, count INTEGER NOT NULL, data BLOB NOT NULL, UNIQUE (feed_id, metric_id, first)
) STRICT;

CREATE TABLE stream (
  id INTEGER PRIMARY KEY AUTOINCREMENT, run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
  generator INTEGER NOT NULL, name TEXT NOT NULL, size INTEGER NOT NULL DEFAULT 0, packed INTEGER NOT NULL DEFAULT 0,
  UNIQUE (run_id, generator, name)
) STRICT;
CREATE TABLE raw (
  id INTEGER PRIMARY KEY, stream_id INTEGER NOT NULL REFERENCES stream(id) ON DELETE CASCADE, offset INTEGER NOT NULL,
  size INTEGER NOT NULL, data BLOB NOT NULL, UNIQUE (stream_id, offset)
) STRICT;

INSERT INTO host (name, spec, created_at) VALUES ('this computer', '{"kind":"local","name":"this computer"}', 0);
`;

export const library: Migration = {
  version: 1,
  up: (db) => {
    db.exec(SCHEMA);
  },
};
