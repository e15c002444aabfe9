import type { CostSpec } from '../../../shared/model/cost.ts';
import type { LogEntry, SessionState } from '../../../shared/model/session.ts';
import { type Connection, guarded } from './connection.ts';
import { notFound } from './problems.ts';
import { fromJson, orNull, toJson } from './rows.ts';
import { insertRuns } from './runs.ts';
import type { SessionRow, SessionRows } from './store.ts';

const QUERIES = {
  list: 'SELECT * FROM session WHERE archived = ? ORDER BY created_at DESC, id DESC',
  get: 'SELECT * FROM session WHERE id = ?',
  insert: `INSERT INTO session (uuid, name, state, message, experiment_text, context, tags, created_at)
    VALUES (:uuid, :name, :state, :message, :experiment_text, :context, :tags, :created_at)`,
  update: `UPDATE session SET name = :name, state = :state, message = :message, experiment_text = :experiment_text, context = :context,
    tags = :tags, note = :note, archived = :archived, cost = :cost, created_at = :created_at, started_at = :started_at,
    ended_at = :ended_at WHERE id = :id`,
  remove: 'DELETE FROM session WHERE id = ?',
  log: 'SELECT * FROM log WHERE session_id = ? AND id > ? ORDER BY id LIMIT ?',
  addLog: 'INSERT INTO log (session_id, run_id, at, level, message) VALUES (?, ?, ?, ?, ?)',
};

interface NewRow {
  uuid: string;
  name: string;
  state: string;
  message: string | null;
  experiment_text: string;
  context: string;
  tags: string;
  created_at: number;
}
interface Row extends NewRow {
  id: number;
  note: string;
  archived: number;
  cost: string | null;
  started_at: number | null;
  ended_at: number | null;
}
interface LogLine {
  id: number;
  session_id: number;
  run_id: number | null;
  at: number;
  level: string;
  message: string;
}

const toSession = (row: Row): SessionRow => ({
  id: row.id,
  uuid: row.uuid,
  name: row.name,
  state: row.state as SessionState,
  message: row.message,
  experimentText: row.experiment_text,
  context: fromJson<Record<string, unknown>>(row.context),
  tags: fromJson<string[]>(row.tags),
  note: row.note,
  archived: row.archived === 1,
  cost: orNull(row.cost, fromJson<CostSpec>),
  createdAt: row.created_at,
  startedAt: row.started_at,
  endedAt: row.ended_at,
});

const fromNewSession = (row: Parameters<SessionRows['insert']>[0]): NewRow => ({
  uuid: row.uuid,
  name: row.name,
  state: row.state,
  message: row.message,
  experiment_text: row.experimentText,
  context: toJson(row.context),
  tags: toJson(row.tags),
  created_at: row.createdAt,
});

const fromSession = (row: SessionRow): Row => ({
  ...fromNewSession(row),
  id: row.id,
  note: row.note,
  archived: row.archived ? 1 : 0,
  cost: orNull(row.cost, toJson),
  started_at: row.startedAt,
  ended_at: row.endedAt,
});

const toLogEntry = (line: LogLine): LogEntry => ({
  id: line.id,
  sessionId: line.session_id,
  ...(line.run_id === null ? {} : { runId: line.run_id }),
  at: line.at,
  level: line.level as LogEntry['level'],
  message: line.message,
});

export function sessionRows(connection: Connection): SessionRows {
  const { db, write } = connection;
  const list = db.prepare<[number], Row>(QUERIES.list);
  const byId = db.prepare<[number], Row>(QUERIES.get);
  const insert = db.prepare<[NewRow]>(QUERIES.insert);
  const update = db.prepare<[Row]>(QUERIES.update);
  const remove = db.prepare<[number]>(QUERIES.remove);
  const addRuns = insertRuns(connection);

  const existing = (id: number): SessionRow => {
    const row = byId.get(id);
    if (row === undefined) throw notFound('session', id);
    return toSession(row);
  };
  return guarded<SessionRows>(connection, {
    list: (archived) => list.all(archived ? 1 : 0).map(toSession),
    get: (id) => {
      const row = byId.get(id);
      return row && toSession(row);
    },
    insert: (row, runs) =>
      write(() => {
        const id = Number(insert.run(fromNewSession(row)).lastInsertRowid);
        addRuns(id, runs);
        return existing(id);
      }),
    update: (id, change) =>
      write(() => {
        const changed = { ...existing(id), ...change };
        update.run(fromSession(changed));
        return changed;
      }),
    remove: (id) => {
      if (write(() => remove.run(id)).changes === 0) throw notFound('session', id);
    },
    ...logRows(connection),
  });
}

function logRows({ db, write }: Connection): Pick<SessionRows, 'log' | 'addLog'> {
  const log = db.prepare<[number, number, number], LogLine>(QUERIES.log);
  const addLog = db.prepare<[number, number | null, number, string, string]>(QUERIES.addLog);
  return {
    log: (id, afterId, limit) => log.all(id, afterId, limit).map(toLogEntry),
    addLog: (entry) => {
      const { sessionId, runId, at, level, message } = entry;
      const { lastInsertRowid } = write(() => addLog.run(sessionId, runId ?? null, at, level, message));
      return { ...entry, id: Number(lastInsertRowid) };
    },
  };
}
