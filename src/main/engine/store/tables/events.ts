import type { Finding } from '../../../../shared/model/finding.ts';
import type { EventKind, TimelineEvent } from '../../../../shared/model/session.ts';
import { type Connection, guarded } from '../file/connection.ts';
import { fromJson, toJson } from './rows.ts';

export interface NewEvent extends Omit<TimelineEvent, 'id'> {
  /** The content of the message, for programs. */
  detail?: unknown;
}

/** Stored with the log line for prepared data. */
export interface PreparedData {
  title: string;
  bytes?: number;
  seconds: number;
}

/** Stored with a trial's log line: seconds before its tool could be started. */
export interface SpentBefore {
  runId: number;
  at: number;
  seconds: number;
}

/** Stored with the log line for a stop rule that took effect. `cell` is the one that needs no more repeats. */
export interface StopEvent {
  rule: 'minutes' | 'cost' | 'interval';
  cell?: number;
}

export interface EventRows {
  add(event: NewEvent): TimelineEvent;
  /** Records the end of a run's warm-up. Only the first call for a run counts. */
  addWarmUpEnd(event: Omit<NewEvent, 'kind'> & { runId: number; t: number }): void;
  /** Events of these kinds in the order in which they were added. With `runIds`, only those of these runs and those without a run. */
  ofSession(
    sessionId: number,
    kinds: readonly EventKind[],
    afterId: number,
    limit: number,
    runIds?: readonly number[],
  ): TimelineEvent[];
  /** Whether a session has this event with exactly this message. */
  has(sessionId: number, kind: EventKind, message: string): boolean;
  /** Id of a session's latest event of any kind; 0 if it has none. */
  latest(sessionId: number): number;
  /** Time of a session's latest event of any kind. Undefined if it has none. */
  latestAt(sessionId: number): number | undefined;
  /** Data that a session made, in order; `at` is the time it was finished. */
  prepared(sessionId: number): (PreparedData & { at: number })[];
  /** Time before trials, in order. */
  spentBefore(sessionId: number): SpentBefore[];
  /** Stop rules that took effect, in order, with their messages. */
  stops(sessionId: number): (StopEvent & { message: string })[];
  /** Events of kind `finding`, in order. */
  findings(sessionId: number): Finding[];
}

const QUERIES = {
  add: `INSERT INTO event (session_id, run_id, kind, at, t, level, message, detail)
    VALUES (:session_id, :run_id, :kind, :at, :t, :level, :message, :detail)`,
  addWarmUpEnd: `INSERT INTO event (session_id, run_id, kind, at, t, level, message, detail)
    VALUES (:session_id, :run_id, :kind, :at, :t, :level, :message, :detail) ON CONFLICT (run_id) WHERE kind = 'warm-up-end' DO NOTHING`,
  ofSession: `SELECT * FROM event WHERE session_id = :session_id AND id > :after_id AND kind IN (SELECT value FROM json_each(:kinds))
    AND (run_id IS NULL OR :run_ids IS NULL OR run_id IN (SELECT value FROM json_each(:run_ids))) ORDER BY id LIMIT :limit`,
  has: 'SELECT 1 FROM event WHERE session_id = ? AND kind = ? AND message = ? LIMIT 1',
  latest: 'SELECT coalesce(max(id), 0) FROM event WHERE session_id = ?',
  latestAt: 'SELECT at FROM event WHERE session_id = ? ORDER BY id DESC LIMIT 1',
  prepared: `SELECT at, detail ->> '$.prepared' AS prepared FROM event
    WHERE session_id = ? AND kind = 'log' AND detail ->> '$.prepared' IS NOT NULL ORDER BY id`,
  spentBefore: `SELECT run_id AS runId, at, detail ->> '$.spentBefore' AS seconds FROM event
    WHERE session_id = ? AND run_id IS NOT NULL AND detail ->> '$.spentBefore' IS NOT NULL ORDER BY id`,
  stops: `SELECT message, detail ->> '$.stopped' AS stopped FROM event
    WHERE session_id = ? AND detail ->> '$.stopped' IS NOT NULL ORDER BY id`,
  findings: `SELECT detail FROM event WHERE session_id = ? AND kind = 'finding' ORDER BY id`,
};

interface NewRow {
  session_id: number;
  run_id: number | null;
  kind: string;
  at: number;
  t: number | null;
  level: string;
  message: string;
  detail: string | null;
}

const toNew = ({ detail, ...event }: NewEvent): NewRow => ({
  session_id: event.sessionId,
  run_id: event.runId ?? null,
  kind: event.kind,
  at: event.at,
  t: event.t ?? null,
  level: event.level,
  message: event.message,
  detail: detail === undefined ? null : toJson(detail),
});

interface Asked {
  session_id: number;
  after_id: number;
  kinds: string;
  run_ids: string | null;
  limit: number;
}

const toEvent = (row: NewRow & { id: number }): TimelineEvent => ({
  id: row.id,
  sessionId: row.session_id,
  ...(row.run_id !== null && { runId: row.run_id }),
  kind: row.kind as EventKind,
  at: row.at,
  ...(row.t !== null && { t: row.t }),
  level: row.level as TimelineEvent['level'],
  message: row.message,
});

export function eventRows(connection: Connection): EventRows {
  const { db, write } = connection;
  const add = db.prepare<[NewRow]>(QUERIES.add);
  const addWarmUpEnd = db.prepare<[NewRow]>(QUERIES.addWarmUpEnd);
  const ofSession = db.prepare<[Asked], NewRow & { id: number }>(QUERIES.ofSession);
  const has = db.prepare<[number, string, string]>(QUERIES.has);
  const latest = db.prepare<[number], number>(QUERIES.latest).pluck();
  const latestAt = db.prepare<[number], number>(QUERIES.latestAt).pluck();
  const findings = db.prepare<[number], { detail: string }>(QUERIES.findings);
  const prepared = db.prepare<[number], { at: number; prepared: string }>(QUERIES.prepared);
  const spentBefore = db.prepare<[number], SpentBefore>(QUERIES.spentBefore);
  const stops = db.prepare<[number], { message: string; stopped: string }>(QUERIES.stops);
  return guarded<EventRows>(connection, {
    add(event) {
      const { lastInsertRowid } = write(() => add.run(toNew(event)));
      const { detail: _, ...stored } = event;
      return { ...stored, id: Number(lastInsertRowid) };
    },
    addWarmUpEnd(event) {
      write(() => addWarmUpEnd.run(toNew({ ...event, kind: 'warm-up-end' })));
    },
    ofSession: (sessionId, kinds, afterId, limit, runIds) =>
      ofSession
        .all({
          session_id: sessionId,
          after_id: afterId,
          kinds: toJson(kinds),
          run_ids: runIds === undefined ? null : toJson(runIds),
          limit,
        })
        .map(toEvent),
    has: (sessionId, kind, message) => has.get(sessionId, kind, message) !== undefined,
    latest: (sessionId) => latest.get(sessionId) ?? 0,
    latestAt: (sessionId) => latestAt.get(sessionId),
    prepared: (sessionId) =>
      prepared.all(sessionId).map((row) => ({ at: row.at, ...fromJson<PreparedData>(row.prepared) })),
    spentBefore: (sessionId) => spentBefore.all(sessionId),
    stops: (sessionId) =>
      stops.all(sessionId).map(({ message, stopped }) => ({ message, ...fromJson<StopEvent>(stopped) })),
    findings: (sessionId) => findings.all(sessionId).map((row) => fromJson<Finding>(row.detail)),
  });
}
