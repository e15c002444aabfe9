import type { CostSpec } from '../../../shared/model/cost.ts';
import type { SessionState } from '../../../shared/model/session.ts';
import { type Connection, guarded, readWhole } from './connection.ts';
import { notFound } from './problems.ts';
import { fromJson, orNull, toJson } from './rows.ts';
import { insertRuns } from './runs.ts';
import { requireStart, snapshotRows } from './snapshots.ts';
import type {
  DataProgress,
  NewSession,
  SessionList,
  SessionOverview,
  SessionRow,
  SessionRows,
  UsedSet,
} from './store.ts';

const QUERIES = {
  list: 'SELECT * FROM session WHERE archived = ? ORDER BY created_at DESC, id DESC',
  inState: 'SELECT * FROM session WHERE state IN (SELECT value FROM json_each(?)) ORDER BY id',
  /** From an index alone, which a damaged page of the table leaves whole. */
  ids: 'SELECT id FROM session INDEXED BY sqlite_autoindex_session_1',
  get: 'SELECT * FROM session WHERE id = ?',
  insert: `INSERT INTO session (uuid, name, question, state, tool, target, generators, primary_metric, cells, repeats, planned_seconds,
    trials_total, tags, created_at) VALUES (:uuid, :name, :question, :state, :tool, :target, :generators, :primary_metric, :cells,
    :repeats, :planned_seconds, :trials_total, :tags, :created_at)`,
  update: `UPDATE session SET name = :name, state = :state, message = :message, overview = :overview, tags = :tags, note = :note,
    archived = :archived, cost = :cost, started_at = :started_at, ended_at = :ended_at, revision = revision + 1 WHERE id = :id`,
  release: 'UPDATE job SET remove_at = coalesce(remove_at, ?), under_way = 0 WHERE session_id = ?',
  remove: 'DELETE FROM session WHERE id = ?',
  progress: 'SELECT data_group, keys, sets, complete, run_id FROM data_progress WHERE session_id = ?',
  setProgress: `INSERT OR REPLACE INTO data_progress (session_id, data_group, keys, sets, complete, run_id)
    VALUES (?, ?, ?, ?, ?, ?)`,
};

interface NewRow {
  uuid: string;
  name: string;
  question: string | null;
  state: string;
  tool: string;
  target: string | null;
  generators: string;
  primary_metric: string;
  cells: number;
  repeats: number;
  planned_seconds: number;
  trials_total: number;
  tags: string;
  created_at: number;
}
interface Changeable {
  id: number;
  name: string;
  state: string;
  message: string | null;
  overview: string | null;
  tags: string;
  note: string;
  archived: number;
  cost: string | null;
  started_at: number | null;
  ended_at: number | null;
}
interface Row extends NewRow, Changeable {
  name: string;
  state: string;
  tags: string;
  trials_ended: number;
  trials_failed: number;
  revision: number;
}

const toSession = (row: Row): SessionRow => ({
  id: row.id,
  uuid: row.uuid,
  name: row.name,
  question: row.question,
  state: row.state as SessionState,
  message: row.message,
  tool: row.tool,
  target: row.target,
  generators: fromJson<string[]>(row.generators),
  primaryMetric: row.primary_metric,
  cells: row.cells,
  repeats: row.repeats,
  plannedSeconds: row.planned_seconds,
  trialsTotal: row.trials_total,
  trialsEnded: row.trials_ended,
  trialsFailed: row.trials_failed,
  overview: orNull(row.overview, fromJson<SessionOverview>),
  tags: fromJson<string[]>(row.tags),
  note: row.note,
  archived: row.archived === 1,
  cost: orNull(row.cost, fromJson<CostSpec>),
  createdAt: row.created_at,
  startedAt: row.started_at,
  endedAt: row.ended_at,
  revision: row.revision,
});

const fromNew = ({ uuid, state, tags, createdAt, snapshot }: NewSession, trials: number): NewRow => {
  const { experiment, plan, primaryMetric } = snapshot;
  return {
    uuid,
    name: experiment.name,
    question: experiment.question ?? null,
    state,
    tool: experiment.workload.tool,
    target: experiment.where.target ?? null,
    generators: toJson(experiment.where.generators),
    primary_metric: primaryMetric,
    cells: plan.cells.length,
    repeats: experiment.measure.repeats,
    planned_seconds: plan.seconds,
    trials_total: trials,
    tags: toJson(tags),
    created_at: createdAt,
  };
};

const fromSession = (row: SessionRow): Changeable => ({
  id: row.id,
  name: row.name,
  state: row.state,
  message: row.message,
  overview: orNull(row.overview, toJson),
  tags: toJson(row.tags),
  note: row.note,
  archived: row.archived ? 1 : 0,
  cost: orNull(row.cost, toJson),
  started_at: row.startedAt,
  ended_at: row.endedAt,
});

export function sessionRows(connection: Connection): SessionRows {
  const { db, write } = connection;
  const list = db.prepare<[number], Row>(QUERIES.list);
  const inState = db.prepare<[string], Row>(QUERIES.inState);
  const ids = db.prepare<[], number>(QUERIES.ids).pluck();
  const byId = db.prepare<[number], Row>(QUERIES.get);
  const insert = db.prepare<[NewRow]>(QUERIES.insert);
  const update = db.prepare<[Changeable]>(QUERIES.update);
  const release = db.prepare<[number, number]>(QUERIES.release);
  const remove = db.prepare<[number]>(QUERIES.remove);
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
  const readList = (archived: boolean): SessionList => {
    const wanted = archived ? 1 : 0;
    const { rows, damaged } = readWhole(connection, {
      all: () => list.all(wanted).map(toSession),
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
    insert(row, runs) {
      requireStart(row.snapshot);
      return write(() => {
        const id = Number(insert.run(fromNew(row, runs.length)).lastInsertRowid);
        snapshots.addStart(id, row.snapshot);
        addRuns(id, runs);
        return existing(id);
      });
    },
    update: (id, change) =>
      write(() => {
        const changed = { ...existing(id), ...change };
        update.run(fromSession(changed));
        return { ...changed, revision: changed.revision + 1 };
      }),
    remove(id, now) {
      write(() => {
        release.run(now, id);
        if (remove.run(id).changes === 0) throw notFound('session', id);
      });
      snapshots.forget(id);
    },
    snapshot: snapshots.snapshot,
    keepFacts: snapshots.keepFacts,
    ...dataProgressRows(connection),
  });
}

interface ProgressRow {
  data_group: number;
  keys: string;
  sets: string;
  complete: number;
  run_id: number | null;
}

/** Earlier versions stored the ids of tables alone. */
const usedSet = (stored: UsedSet | number): UsedSet =>
  typeof stored === 'number' ? { kind: 'tables', id: stored } : stored;

function dataProgressRows({ db, write }: Connection): Pick<SessionRows, 'dataProgress' | 'setDataProgress'> {
  const get = db.prepare<[number], ProgressRow>(QUERIES.progress);
  const set = db.prepare<[number, number, string, string, number, number | null]>(QUERIES.setProgress);
  return {
    dataProgress(sessionId) {
      const row = get.get(sessionId);
      if (row === undefined) return undefined;
      return {
        group: row.data_group,
        keys: fromJson<string[]>(row.keys),
        sets: fromJson<(UsedSet | number)[]>(row.sets).map(usedSet),
        complete: row.complete === 1,
        ...(row.run_id !== null && { run: row.run_id }),
      };
    },
    setDataProgress(sessionId, { group, keys, sets, complete, run }: DataProgress) {
      write(() => set.run(sessionId, group, toJson(keys), toJson(sets), complete ? 1 : 0, run ?? null));
    },
  };
}
