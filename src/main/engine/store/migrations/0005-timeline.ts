import type Database from 'better-sqlite3';
import type { Migration } from '../file/migrate.ts';

/*
 * The JSON in `session.context` held the state at the start together with current activity, and was parsed for every list and rewritten
 * at every change. Now `session` has small typed columns and counters, `session_snapshot` everything that never changes, and current
 * activity has separate tables. `job` has every folder on a host, `event` everything that happened, `journal` every change to a host or
 * server that has to be undone; jobs and journal outlive their session.
 * `revision` increases with each change of a session or its runs, so readers can find what is new.
 */
const SCHEMA = `
ALTER TABLE session ADD COLUMN question TEXT;
ALTER TABLE session ADD COLUMN tool TEXT NOT NULL DEFAULT '';
ALTER TABLE session ADD COLUMN target TEXT;
ALTER TABLE session ADD COLUMN generators TEXT NOT NULL DEFAULT '[]';
ALTER TABLE session ADD COLUMN primary_metric TEXT NOT NULL DEFAULT '';
ALTER TABLE session ADD COLUMN cells INTEGER NOT NULL DEFAULT 0;
ALTER TABLE session ADD COLUMN repeats INTEGER NOT NULL DEFAULT 1;
ALTER TABLE session ADD COLUMN planned_seconds REAL NOT NULL DEFAULT 0;
ALTER TABLE session ADD COLUMN trials_total INTEGER NOT NULL DEFAULT 0;
ALTER TABLE session ADD COLUMN trials_ended INTEGER NOT NULL DEFAULT 0;
ALTER TABLE session ADD COLUMN trials_failed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE session ADD COLUMN overview TEXT;
ALTER TABLE session ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
CREATE INDEX session_listed ON session (archived, created_at DESC, id DESC);
CREATE INDEX session_not_ended ON session (id) WHERE state NOT IN ('done', 'failed', 'stopped');

CREATE TABLE session_snapshot (
  session_id INTEGER NOT NULL REFERENCES session(id) ON DELETE CASCADE, part TEXT NOT NULL, version INTEGER NOT NULL,
  document TEXT NOT NULL, PRIMARY KEY (session_id, part)
) STRICT, WITHOUT ROWID;

CREATE TABLE data_progress (
  session_id INTEGER NOT NULL PRIMARY KEY REFERENCES session(id) ON DELETE CASCADE, data_group INTEGER NOT NULL,
  keys TEXT NOT NULL, sets TEXT NOT NULL, complete INTEGER NOT NULL, run_id INTEGER
) STRICT;

CREATE TABLE job (
  id INTEGER PRIMARY KEY AUTOINCREMENT, job_id TEXT NOT NULL, host TEXT NOT NULL, kind TEXT NOT NULL,
  session_id INTEGER REFERENCES session(id) ON DELETE SET NULL, run_id INTEGER REFERENCES run(id) ON DELETE SET NULL,
  generator INTEGER NOT NULL DEFAULT 0, prepares TEXT, under_way INTEGER NOT NULL DEFAULT 0, remove_at INTEGER,
  clock_offset_ms REAL, clock_round_trip_ms REAL, started_at REAL, exit TEXT, summary TEXT, message TEXT,
  UNIQUE (run_id, generator)
) STRICT;
CREATE INDEX job_of_session ON job (session_id, run_id);
CREATE INDEX job_by_name ON job (job_id);
CREATE INDEX job_to_remove ON job (host, remove_at) WHERE remove_at IS NOT NULL;

CREATE TABLE event (
  id INTEGER PRIMARY KEY AUTOINCREMENT, session_id INTEGER NOT NULL REFERENCES session(id) ON DELETE CASCADE, run_id INTEGER,
  kind TEXT NOT NULL, at INTEGER NOT NULL, t REAL, level TEXT NOT NULL, message TEXT NOT NULL, detail TEXT
) STRICT;
CREATE INDEX event_of_session ON event (session_id, id);

CREATE TABLE journal (
  id INTEGER PRIMARY KEY AUTOINCREMENT, session_id INTEGER REFERENCES session(id) ON DELETE SET NULL,
  run_id INTEGER REFERENCES run(id) ON DELETE SET NULL, place_kind TEXT NOT NULL, place TEXT NOT NULL, what TEXT NOT NULL,
  old_value TEXT, wanted TEXT, read_back TEXT, state TEXT NOT NULL, undo TEXT NOT NULL, message TEXT,
  written_at INTEGER NOT NULL, closed_at INTEGER
) STRICT;
CREATE INDEX journal_open ON journal (place_kind, place) WHERE closed_at IS NULL;
CREATE INDEX journal_of_session ON journal (session_id);
CREATE INDEX journal_of_run ON journal (run_id);

ALTER TABLE run ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
ALTER TABLE run ADD COLUMN overview_sum REAL;
ALTER TABLE run ADD COLUMN overview_seconds INTEGER;
CREATE INDEX run_changed ON run (session_id, revision);
CREATE INDEX run_open ON run (session_id) WHERE state IN ('launching', 'running');

INSERT INTO event (id, session_id, run_id, kind, at, level, message)
  SELECT id, session_id, run_id, CASE level WHEN 'note' THEN 'note' ELSE 'log' END, at, level, message FROM log;
DROP TABLE log;
`;

const ENDED = `state IN ('done', 'failed', 'skipped', 'stopped', 'lost')`;

/** Counts each session's runs. */
const COUNT = `UPDATE session SET
  trials_total = (SELECT count(*) FROM run WHERE session_id = session.id),
  trials_ended = (SELECT count(*) FROM run WHERE session_id = session.id AND ${ENDED}),
  trials_failed = (SELECT count(*) FROM run WHERE session_id = session.id AND state IN ('failed', 'lost'))`;

type Json = Record<string, unknown>;
const object = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const number = (value: unknown): number | null => (typeof value === 'number' ? value : null);
const json = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));

interface OldSession {
  id: number;
  experiment_text: string;
  context: string;
}

function moveSessions(db: Database.Database): void {
  const setColumns =
    db.prepare(`UPDATE session SET question = ?, tool = ?, target = ?, generators = ?, primary_metric = ?, cells = ?,
    repeats = ?, planned_seconds = ? WHERE id = ?`);
  const addSnapshot = db.prepare(
    'INSERT INTO session_snapshot (session_id, part, version, document) VALUES (?, ?, 1, ?)',
  );
  const addData = db.prepare(
    'INSERT INTO data_progress (session_id, data_group, keys, sets, complete, run_id) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const addJob = db.prepare(
    'INSERT INTO job (job_id, host, kind, session_id, prepares, under_way) VALUES (?, ?, ?, ?, ?, 1)',
  );
  for (const row of db.prepare<[], OldSession>('SELECT id, experiment_text, context FROM session').all()) {
    const context = object(JSON.parse(row.context));
    const { experiment, plan, findings, appVersion, primaryMetric, granted, hosts, target, toolVersion } = context;
    const { question, workload, where, measure } = object(experiment) as Record<string, unknown>;
    setColumns.run(
      text(question),
      text(object(workload).tool) ?? '',
      text(object(where).target) ?? text(object(target).name),
      JSON.stringify(list(object(where).generators)),
      text(primaryMetric) ?? '',
      list(object(plan).cells).length,
      number(object(measure).repeats) ?? 1,
      number(object(plan).seconds) ?? 0,
      row.id,
    );
    const start = {
      experiment,
      experimentText: row.experiment_text,
      plan,
      findings,
      appVersion,
      primaryMetric,
      granted,
    };
    addSnapshot.run(row.id, 'start', JSON.stringify(start));
    if (list(hosts).some((host) => object(host).facts !== undefined) || target !== undefined)
      addSnapshot.run(row.id, 'facts', JSON.stringify({ hosts, target, toolVersion }));
    const { data, prepareJob } = context;
    if (data !== undefined) {
      const { group, keys, sets, complete, run } = object(data);
      addData.run(
        row.id,
        number(group) ?? 0,
        JSON.stringify(list(keys)),
        JSON.stringify(list(sets)),
        complete === true ? 1 : 0,
        number(run),
      );
    }
    if (prepareJob !== undefined) {
      const { host, jobId, step, key } = object(prepareJob);
      addJob.run(text(jobId), text(host), text(step), row.id, text(key));
    }
  }
}

/** Moves jobs of runs, and the times from which their folders may be removed from hosts, out of a single JSON setting. */
function moveJobs(db: Database.Database): void {
  const add =
    db.prepare(`INSERT INTO job (job_id, host, kind, session_id, run_id, generator, clock_offset_ms, clock_round_trip_ms,
    started_at, exit, summary, message) VALUES (?, ?, 'run', ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const runs = db.prepare<[], { id: number; session_id: number; jobs: string }>('SELECT id, session_id, jobs FROM run');
  for (const run of runs.all()) {
    list(JSON.parse(run.jobs)).forEach((entry, generator) => {
      const { host, jobId, clock, startedAt, exit, summary, message } = object(entry);
      const { offsetMs, roundTripMs } = object(clock);
      add.run(
        text(jobId),
        text(host),
        run.session_id,
        run.id,
        generator,
        number(offsetMs),
        number(roundTripMs),
        number(startedAt),
        json(exit),
        json(summary),
        text(message),
      );
    });
  }
  const setting = db.prepare<[], { value: string }>(`SELECT value FROM setting WHERE key = 'runs.jobs-on-hosts'`).get();
  const keep = db.prepare('UPDATE job SET remove_at = ? WHERE job_id = ?');
  const addKept = db.prepare(`INSERT INTO job (job_id, host, kind, remove_at) VALUES (?, ?, 'prepare', ?)`);
  for (const entry of setting ? list(JSON.parse(setting.value)) : []) {
    const { host, jobId, until } = object(entry);
    if (keep.run(number(until), text(jobId)).changes === 0) addKept.run(text(jobId), text(host), number(until));
  }
  db.exec(`DELETE FROM setting WHERE key = 'runs.jobs-on-hosts'`);
}

export const timeline: Migration = {
  version: 5,
  up: (db) => {
    db.exec(SCHEMA);
    moveSessions(db);
    moveJobs(db);
    db.exec(COUNT);
    db.exec(`ALTER TABLE session DROP COLUMN context; ALTER TABLE session DROP COLUMN experiment_text;
      ALTER TABLE run DROP COLUMN jobs;`);
  },
};
