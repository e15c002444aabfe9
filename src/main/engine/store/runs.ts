import type { Levels } from '../../../shared/model/experiment.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import type { ExitStatus, RunState } from '../../../shared/model/session.ts';
import { type Connection, guarded } from './connection.ts';
import { notFound } from './problems.ts';
import { fromJson, orNull, toJson } from './rows.ts';
import type { NewRun, RunRow, RunRows } from './store.ts';

const QUERIES = {
  ofSession: 'SELECT * FROM run WHERE session_id = ? ORDER BY trial, id',
  get: 'SELECT * FROM run WHERE id = ?',
  insert: `INSERT INTO run (session_id, trial, cell, repeat, levels, warmup, duration)
    VALUES (:session_id, :trial, :cell, :repeat, :levels, :warmup, :duration)`,
  update: `UPDATE run SET trial = :trial, cell = :cell, repeat = :repeat, levels = :levels, warmup = :warmup, duration = :duration,
    state = :state, message = :message, exit = :exit, command = :command, started_at = :started_at, ended_at = :ended_at,
    summary = :summary, findings = :findings, partial = :partial, jobs = :jobs WHERE id = :id`,
  skipPending: `UPDATE run SET state = 'skipped', message = ? WHERE session_id = ? AND state = 'pending'`,
};

interface NewRow {
  session_id: number;
  trial: number;
  cell: number;
  repeat: number;
  levels: string;
  warmup: number;
  duration: number;
}
interface Row extends NewRow {
  id: number;
  state: string;
  message: string | null;
  exit: string | null;
  command: string | null;
  started_at: number | null;
  ended_at: number | null;
  summary: string;
  findings: string;
  partial: number;
  jobs: string;
}

const toRun = (row: Row): RunRow => ({
  id: row.id,
  sessionId: row.session_id,
  trial: row.trial,
  cell: row.cell,
  repeat: row.repeat,
  levels: fromJson<Levels>(row.levels),
  warmup: row.warmup,
  duration: row.duration,
  state: row.state as RunState,
  message: row.message,
  exit: orNull(row.exit, fromJson<ExitStatus>),
  command: row.command,
  startedAt: row.started_at,
  endedAt: row.ended_at,
  summary: fromJson<Record<string, number>>(row.summary),
  findings: fromJson<Finding[]>(row.findings),
  partial: row.partial === 1,
  jobs: fromJson<RunRow['jobs']>(row.jobs),
});

const fromNewRun = (sessionId: number, run: NewRun): NewRow => ({
  session_id: sessionId,
  trial: run.trial,
  cell: run.cell,
  repeat: run.repeat,
  levels: toJson(run.levels),
  warmup: run.warmup,
  duration: run.duration,
});

const fromRun = (run: RunRow): Row => ({
  ...fromNewRun(run.sessionId, run),
  id: run.id,
  state: run.state,
  message: run.message,
  exit: orNull(run.exit, toJson),
  command: run.command,
  started_at: run.startedAt,
  ended_at: run.endedAt,
  summary: toJson(finiteOnly(run.summary)),
  findings: toJson(run.findings),
  partial: run.partial ? 1 : 0,
  jobs: toJson(run.jobs),
});

/** JSON has no NaN: a figure that is none would come back as null, so it is left out. */
const finiteOnly = (summary: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(summary).filter(([, value]) => Number.isFinite(value)));

export function insertRuns({ db, write }: Connection): (sessionId: number, runs: readonly NewRun[]) => void {
  const insert = db.prepare<[NewRow]>(QUERIES.insert);
  return (sessionId, runs) =>
    write(() => {
      for (const run of runs) insert.run(fromNewRun(sessionId, run));
    });
}

export function runRows(connection: Connection): RunRows {
  const { db, write } = connection;
  const ofSession = db.prepare<[number], Row>(QUERIES.ofSession);
  const byId = db.prepare<[number], Row>(QUERIES.get);
  const update = db.prepare<[Row]>(QUERIES.update);
  const skipPending = db.prepare<[string, number]>(QUERIES.skipPending);
  return guarded<RunRows>(connection, {
    ofSession: (sessionId) => ofSession.all(sessionId).map(toRun),
    get: (id) => {
      const row = byId.get(id);
      return row && toRun(row);
    },
    update: (id, change) =>
      write(() => {
        const row = byId.get(id);
        if (row === undefined) throw notFound('run', id);
        const changed = { ...toRun(row), ...change };
        update.run(fromRun(changed));
        return changed;
      }),
    skipPending: (sessionId, message) => {
      write(() => skipPending.run(message, sessionId));
    },
  });
}
