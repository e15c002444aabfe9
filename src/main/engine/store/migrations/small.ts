import Database from 'better-sqlite3';
import { checksumOf } from '../codec/integers.ts';
import type { Migration } from '../file/migrate.ts';
import { unlessDamaged } from './0015-wide-ids.ts';

/** Data sets of targets. They outlive the sessions that made or changed them, and are deleted with their target. */
const DATA_SETS = `
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
    db.exec(DATA_SETS);
  },
};

/**
 * Runs with several generators: `run.jobs` holds a job of each, with its result. Tables and content stay the same, but a version that knows
 * only one job would follow the first and consider the trial complete, so it must not open this.
 */
export const generators: Migration = { version: 3, up: () => {} };

/** File sets of hosts. They outlive the sessions that made or changed them, and are deleted with their host. */
const FILE_SETS = `
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
    db.exec(FILE_SETS);
  },
};

/** `feed_metric.chunks` counts a metric's chunks, so a missing one is detected. */
const CHECKSUMS = `
ALTER TABLE chunk ADD COLUMN checksum INTEGER;
ALTER TABLE tail ADD COLUMN checksum INTEGER;
ALTER TABLE raw ADD COLUMN checksum INTEGER;
ALTER TABLE feed_metric ADD COLUMN chunks INTEGER NOT NULL DEFAULT 0;
`;
const OF_FEED = [
  'UPDATE chunk SET checksum = kneepoint_checksum(feed_id, metric_id, first, count, data) WHERE feed_id = ?',
  'UPDATE tail SET checksum = kneepoint_checksum(feed_id, row, t, 0, data) WHERE feed_id = ?',
  `UPDATE feed_metric SET chunks = (SELECT count(*) FROM chunk
    WHERE chunk.feed_id = feed_metric.feed_id AND chunk.metric_id = feed_metric.metric_id) WHERE feed_id = ?`,
];
const OF_STREAM = [
  'UPDATE raw SET checksum = kneepoint_checksum(stream_id, offset, size, 0, data) WHERE stream_id = ?',
];

/** Adds checksums to blocks of samples and raw output. Unreadable blocks get none, and count as damaged. */
export const checksums: Migration = {
  version: 6,
  up: (db) => {
    db.exec(CHECKSUMS);
    db.function('kneepoint_checksum', { deterministic: true }, (a, b, c, d, data) =>
      checksumOf([Number(a), Number(b), Number(c), Number(d)], data as Uint8Array),
    );
    fill(db, 'SELECT id FROM feed', OF_FEED);
    fill(db, 'SELECT id FROM stream', OF_STREAM);
  },
};

function fill(db: Database.Database, owners: string, updates: readonly string[]): void {
  const statements = updates.map((update) => db.prepare<[number]>(update));
  for (const id of db.prepare<[], number>(owners).pluck().all()) {
    for (const statement of statements) {
      try {
        statement.run(id);
      } catch (error) {
        if (!(error instanceof Database.SqliteError && error.code.startsWith('SQLITE_CORRUPT'))) throw error;
      }
    }
  }
}

/** Earlier runs used the seed of their experiment plus their repeat. It was not recorded, so none is filled in. */
export const seeds: Migration = {
  version: 8,
  up: (db) => {
    db.exec('ALTER TABLE run ADD COLUMN seed INTEGER');
  },
};

/**
 * Histograms of event durations per run, so percentiles of several runs can be taken over all their events. Earlier runs have none until
 * they are read again. Figures in lists are calculated again: rates now come from the tool's counters if these cover the measured time.
 */
export const latencies: Migration = {
  version: 9,
  up: (db) => {
    db.exec(`CREATE TABLE latency (
      run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, family TEXT NOT NULL, parts BLOB NOT NULL,
      PRIMARY KEY (run_id, family)
    ) STRICT, WITHOUT ROWID`);
    // Fractional seconds, as samples count for the time that they cover.
    db.exec('ALTER TABLE run DROP COLUMN overview_seconds; ALTER TABLE run ADD COLUMN overview_seconds REAL');
    db.exec('UPDATE run SET overview_sum = NULL WHERE overview_sum IS NOT NULL');
    db.exec('UPDATE session SET overview = NULL WHERE overview IS NOT NULL');
  },
};

/** Priced configurations by name. Sessions have their own price, which does not change with these. */
export const configurations: Migration = {
  version: 10,
  up: (db) => {
    db.exec(`CREATE TABLE configuration (
      id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, spec TEXT NOT NULL, changed_at INTEGER NOT NULL
    ) STRICT`);
  },
};

/** Facts of hosts and servers read before a run's tool was started. Earlier runs have changed nothing there. */
export const runFacts: Migration = {
  version: 11,
  up: (db) => {
    db.exec(`ALTER TABLE run ADD COLUMN facts TEXT NOT NULL DEFAULT '[]'`);
  },
};

/** Target names of a session whose cells use several. A single one is in `target` as before. */
export const sessionTargets: Migration = {
  version: 12,
  up: (db) => {
    db.exec('ALTER TABLE session ADD COLUMN targets TEXT');
  },
};

/*
 * Monitoring belongs to a session. `about` describes a source (roles, kind of target, rules of its series); `monitor_job` has the offset up
 * to which the output of each of its jobs was read; `source_clock` has repeated readings of its clock's offset, by its own time.
 * `zero_ms` is the tool's second 0 on its host's clock. `run_judgement` has the conclusions from all of it for a run.
 */
const MONITORS = `
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
    db.exec(MONITORS);
  },
};

/** Summaries of samples. Empty at first: a summary is calculated on first use, so no samples are read here. */
export const summaries: Migration = {
  version: 14,
  up: (db) => {
    db.exec(`CREATE TABLE summary (
      id INTEGER PRIMARY KEY, feed_id INTEGER NOT NULL REFERENCES feed(id) ON DELETE CASCADE, key TEXT NOT NULL, stamp TEXT NOT NULL,
      data BLOB NOT NULL, checksum INTEGER NOT NULL, UNIQUE (feed_id, key)
    ) STRICT`);
  },
};

/**
 * Moves a session's summary for lists from its row to a separate table, with the version of the rules used to calculate it. Counts and
 * names that a list needs immediately become columns. Session by session: in a copy that is only read, a page may be damaged, and sessions
 * on other pages have to stay readable.
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
    // Read from an index alone, which a damaged page of the table does not affect.
    const ids = db.prepare<[], number>('SELECT id FROM session INDEXED BY sqlite_autoindex_session_1').pluck();
    unlessDamaged(() => {
      for (const id of ids.all()) for (const step of steps) unlessDamaged(() => step.run(id));
    });
  },
};

/** Removes totals of runs: a list now uses the figures of cells, like results. */
export const oneFigure: Migration = {
  version: 17,
  up: (db) => {
    for (const column of ['overview_sum', 'overview_seconds'])
      unlessDamaged(() => db.exec(`ALTER TABLE run DROP COLUMN ${column}`));
  },
};

/** Why and when the user excluded a run from the figures. Earlier runs all count. */
export const exclusions: Migration = {
  version: 18,
  up: (db) => {
    db.exec('ALTER TABLE run ADD COLUMN excluded TEXT');
  },
};

/** Machine or server that a journal entry was written for; null for entries of earlier versions. */
export const identities: Migration = {
  version: 19,
  up: (db) => {
    db.exec('ALTER TABLE journal ADD COLUMN identity TEXT');
  },
};

/** Claims of sessions on hosts, until they are known to be released: if the host was unreachable, that happens later. */
export const claims: Migration = {
  version: 20,
  up: (db) => {
    db.exec(`CREATE TABLE claim (
      id INTEGER PRIMARY KEY, host TEXT NOT NULL, path TEXT NOT NULL, owner TEXT NOT NULL, UNIQUE (host, path, owner)
    ) STRICT;`);
  },
};

/** Time between a session's start and end during which it was not executed. Unknown for earlier sessions. */
export const idle: Migration = {
  version: 21,
  up: (db) => {
    db.exec('ALTER TABLE session ADD COLUMN idle_ms INTEGER NOT NULL DEFAULT 0');
  },
};

/** Snapshots of new sessions have the steps of their cells (version 2), which earlier versions of Kneepoint cannot read. */
export const steps: Migration = { version: 22, up: () => {} };

/**
 * A run has the place of its step in the trial, and a session its steps if there are several. Sessions have an origin. Earlier versions of
 * Kneepoint cannot read snapshots of new sessions (version 4).
 */
export const sequences: Migration = {
  version: 23,
  up: (db) =>
    void db.exec(`ALTER TABLE run ADD COLUMN step INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE session ADD COLUMN steps TEXT;
      ALTER TABLE session ADD COLUMN origin TEXT NOT NULL DEFAULT 'measured';`),
};

/** The factor that a session's question is about, if the user chose it later. The answers shown in lists are calculated again. */
export const tested: Migration = {
  version: 24,
  up: (db) => void db.exec('ALTER TABLE session ADD COLUMN tested TEXT'),
};

/**
 * Texts and tables captured in runs, as deflated JSON (`data`; null if nothing could be stored, or nothing existed); a file as a line
 * of JSON and its bytes. Earlier versions of
 * Kneepoint cannot read documents that have captures.
 */
export const captures: Migration = {
  version: 25,
  up: (db) =>
    void db.exec(`CREATE TABLE capture (
      id INTEGER PRIMARY KEY, run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, name TEXT NOT NULL, form TEXT NOT NULL,
      moment TEXT NOT NULL, at INTEGER NOT NULL, t REAL, took_ms REAL NOT NULL, bytes INTEGER NOT NULL, left_out INTEGER, left_unit TEXT,
      problem TEXT, times INTEGER NOT NULL DEFAULT 1, data BLOB
    ) STRICT;
    CREATE INDEX capture_of_run ON capture (run_id);`),
};

/** Whether a session only shows that its experiment runs. Earlier sessions are all real measurements. */
export const mechanics: Migration = {
  version: 26,
  up: (db) => void db.exec('ALTER TABLE session ADD COLUMN mechanics INTEGER NOT NULL DEFAULT 0'),
};

/**
 * The target of any kind names the server behind a proxy. Before, only a managed PgBouncer had one, in its control. Earlier versions of
 * Kneepoint would measure a proxy as if it were the server.
 */
export const proxies: Migration = {
  version: 27,
  up: (db) =>
    void db.exec(`UPDATE target SET spec = json_remove(
        json_set(spec, '$.behind', json_extract(spec, '$.server.control.upstream')), '$.server.control.upstream')
      WHERE json_extract(spec, '$.server.control.upstream') IS NOT NULL;`),
};
