import type { SessionState } from '../../../../shared/model/session.ts';
import { type Connection, guarded, readWhole } from '../file/connection.ts';
import { notFound } from '../file/problems.ts';
import { type DataProgressRows, dataProgressRows } from './data-progress.ts';
import { staleHeadline } from './headlines.ts';
import { toJson } from './rows.ts';
import type { NewRun } from './run-row.ts';
import { insertRuns } from './runs.ts';
import {
  type ChangeableColumns,
  fromNew,
  fromSession,
  type NewSession,
  type NewSessionColumns,
  type SessionChange,
  type SessionColumns,
  type SessionRow,
  targetColumns,
  toSession,
} from './session-row.ts';
import { requireStart, type SnapshotRows, snapshotRows } from './snapshots.ts';

export interface SessionList {
  /** Newest first. */
  sessions: SessionRow[];
  /** Sessions, archived or not, whose own rows cannot be read. */
  damaged: number[];
}

export interface SessionRows extends SnapshotRows, DataProgressRows {
  /** `most`: maximum number, the newest ones. Default: all. */
  list(archived: boolean, most?: number): SessionList;
  /** Sessions in one of these states, including archived ones, oldest first. */
  inState(states: readonly SessionState[]): SessionRow[];
  get(id: number): SessionRow | undefined;
  /** Finished sessions that were measured here with single-step trials of this tool on these targets and generators, newest first. */
  doneLike(kind: Pick<SessionRow, 'targets' | 'generators'> & { tool: string }, limit: number): SessionRow[];
  /** Creates runs from the plan's trials in the same transaction. Throws `bad-request` if the snapshot does not fit its schema. */
  insert(row: NewSession, runs: readonly NewRun[]): SessionRow;
  update(id: number, change: SessionChange): SessionRow;
  /** Its jobs on hosts may be removed from then on. */
  remove(id: number, now: number): void;
}

/** SQLite's value for no limit. */
const ALL = -1;
const QUERIES = {
  list: 'SELECT * FROM session WHERE archived = ? ORDER BY created_at DESC, id DESC LIMIT ?',
  inState: 'SELECT * FROM session WHERE state IN (SELECT value FROM json_each(?)) ORDER BY id',
  /** Read from an index alone, which a damaged page of the table does not affect. */
  ids: 'SELECT id FROM session INDEXED BY sqlite_autoindex_session_1',
  get: 'SELECT * FROM session WHERE id = ?',
  doneLike: `SELECT * FROM session WHERE tool = ? AND target IS ? AND targets IS ? AND generators = ? AND state = 'done'
    AND steps IS NULL AND origin = 'measured' AND mechanics = 0
    ORDER BY id DESC LIMIT ?`,
  insert: `INSERT INTO session (uuid, name, experiment, question, state, tool, target, targets, generators, primary_metric, steps, cells, repeats,
    planned_seconds, trials_total, trials_missing, tags, created_at, origin, mechanics) VALUES (:uuid, :name, :experiment, :question, :state, :tool, :target,
    :targets, :generators, :primary_metric, :steps, :cells, :repeats, :planned_seconds, :trials_total, :trials_missing, :tags, :created_at, :origin, :mechanics)`,
  update: `UPDATE session SET name = :name, cells = :cells, planned_seconds = :planned_seconds, state = :state, message = :message, tags = :tags, note = :note, tested = :tested,
    archived = :archived, cost = :cost, started_at = :started_at, ended_at = :ended_at, idle_ms = :idle_ms, revision = revision + 1 WHERE id = :id`,
  release: 'UPDATE job SET remove_at = coalesce(remove_at, ?), under_way = 0 WHERE session_id = ?',
  remove: 'DELETE FROM session WHERE id = ?',
};

export function sessionRows(connection: Connection): SessionRows {
  const { db, write } = connection;
  const list = db.prepare<[number, number], SessionColumns>(QUERIES.list);
  const inState = db.prepare<[string], SessionColumns>(QUERIES.inState);
  const ids = db.prepare<[], number>(QUERIES.ids).pluck();
  const byId = db.prepare<[number], SessionColumns>(QUERIES.get);
  const doneLike = db.prepare<[string, string | null, string | null, string, number], SessionColumns>(QUERIES.doneLike);
  const insert = db.prepare<[NewSessionColumns]>(QUERIES.insert);
  const update = db.prepare<[ChangeableColumns]>(QUERIES.update);
  const release = db.prepare<[number, number]>(QUERIES.release);
  const remove = db.prepare<[number]>(QUERIES.remove);
  const stale = staleHeadline(connection);
  const addRuns = insertRuns(connection);
  const snapshots = snapshotRows(connection);

  const get = (id: number): SessionRow | undefined => {
    const row = byId.get(id);
    return row && toSession(row);
  };
  const existing = (id: number): SessionRow => {
    const row = get(id);
    if (row === undefined) throw notFound('session', id);
    return row;
  };
  const readList = (archived: boolean, most = ALL): SessionList => {
    const wanted = archived ? 1 : 0;
    const { rows, damaged } = readWhole(connection, {
      all: () => list.all(wanted, most).map(toSession),
      ids: () => ids.all().sort((left, right) => right - left),
      one: (id) => get(id),
    });
    return { sessions: rows.filter((row) => row.archived === archived), damaged };
  };
  return guarded<SessionRows>(connection, {
    list: readList,
    inState(states) {
      const { rows } = readWhole(connection, {
        all: () => inState.all(toJson(states)).map(toSession),
        ids: () => ids.all().sort((left, right) => left - right),
        one: (id) => get(id),
      });
      return rows.filter(({ state }) => states.includes(state));
    },
    get,
    doneLike({ tool, targets: names, generators }, limit) {
      const { target, targets } = targetColumns(names);
      return doneLike.all(tool, target, targets, toJson(generators), limit).map(toSession);
    },
    insert(row, runs) {
      requireStart(row.snapshot);
      return write(() => {
        const id = Number(insert.run(fromNew(row, runs)).lastInsertRowid);
        snapshots.addStart(id, row.snapshot);
        addRuns(id, runs);
        return existing(id);
      });
    },
    update: (id, change) =>
      write(() => {
        const before = existing(id);
        const changed = { ...before, ...change };
        update.run(fromSession(changed));
        if (changed.tested !== before.tested) stale(id);
        return { ...changed, revision: changed.revision + 1 };
      }),
    remove(id, now) {
      write(() => {
        release.run(now, id);
        if (remove.run(id).changes === 0) throw notFound('session', id);
      });
      snapshots.invalidate(id);
    },
    snapshot: snapshots.snapshot,
    keepFacts: snapshots.keepFacts,
    addPart: snapshots.addPart,
    keepMeasures: snapshots.keepMeasures,
    keepCharts: snapshots.keepCharts,
    keepPartFacts: snapshots.keepPartFacts,
    ...dataProgressRows(connection),
  });
}
