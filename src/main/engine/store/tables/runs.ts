import { isDeepStrictEqual } from 'node:util';
import { codesBy } from '../../../../shared/checks/index.ts';
import { ENDED_RUN } from '../../../../shared/model/session.ts';
import { FAILED_RUN, OPEN_RUN } from '../../../../shared/model/states.ts';
import { type Connection, guarded } from '../file/connection.ts';
import { notFound } from '../file/problems.ts';
import { staleHeadline } from './headlines.ts';
import { listed } from './rows.ts';
import { runJobs } from './run-jobs.ts';
import {
  fromNewRun,
  fromRun,
  type NewRun,
  type NewRunColumns,
  type RunColumns,
  type RunRow,
  toRun,
} from './run-row.ts';

export interface RunRows {
  ofSession(sessionId: number): RunRow[];
  /** Runs changed after a revision of their session, in the order of the plan. */
  changedSince(sessionId: number, revision: number): RunRow[];
  /** Runs whose tool may be running on a host. */
  open(sessionId: number): RunRow[];
  get(id: number): RunRow | undefined;
  update(id: number, change: Partial<Omit<RunRow, 'id' | 'sessionId' | 'revision'>>): RunRow;
  /**
   * Plans these runs once more, at the end of their session: each replaces the previous run in its cell, repeat and step, if there is one.
   * Steps of one trial are consecutive.
   */
  appendRuns(sessionId: number, runs: readonly Omit<NewRun, 'trial'>[]): RunRow[];
  /** Number of a session's planned trials without a complete measurement that a stop rule has skipped. */
  notNeeded(sessionId: number): number;
  /** Share of the load seconds of all its runs that is still pending, 0 to 1. Reads every run. */
  remainingShare(sessionId: number): number;
  /** Marks every pending run of a session as skipped, in one transaction; returns them in the order of the plan. */
  skipPending(sessionId: number, message: string): Pick<RunRow, 'id' | 'trial'>[];
  /** Marks everything calculated from its samples as outdated, as they have changed. */
  forgetOverview(id: number): void;
}

/** How a trial counts in its session, 0 or 1 each, or the change of these counts. */
interface Counted {
  ended: number;
  failed: number;
  missing: number;
}
const NOT_PLANNED: Counted = { ended: 0, failed: 0, missing: 0 };

const QUERIES = {
  ofSession: 'SELECT * FROM run WHERE session_id = ? ORDER BY trial, id',
  changed: 'SELECT * FROM run INDEXED BY run_changed WHERE session_id = ? AND revision > ? ORDER BY trial, id',
  // Without the hint, SQLite reads all runs of a session to have them in order.
  open: `SELECT * FROM run INDEXED BY run_open WHERE session_id = ? AND state IN (${listed(OPEN_RUN)}) ORDER BY trial, id`,
  get: 'SELECT * FROM run WHERE id = ?',
  insert: `INSERT INTO run (session_id, trial, cell, repeat, step, levels, warmup, duration, seed)
    VALUES (:session_id, :trial, :cell, :repeat, :step, :levels, :warmup, :duration, :seed)`,
  update: `UPDATE run SET trial = :trial, cell = :cell, repeat = :repeat, step = :step, levels = :levels, warmup = :warmup, duration = :duration, seed = :seed,
    state = :state, message = :message, exit = :exit, command = :command, started_at = :started_at, ended_at = :ended_at,
    summary = :summary, findings = :findings, partial = :partial, facts = :facts, excluded = :excluded, revision = :revision WHERE id = :id`,
  skipPending: `UPDATE run SET state = 'skipped', message = ?, revision = ? WHERE session_id = ? AND state = 'pending'
    RETURNING id, trial`,
  // Counts are derived from the states alone, in the same transaction, so they cannot drift.
  count: `UPDATE session SET revision = revision + 1, trials_ended = trials_ended + :ended, trials_failed = trials_failed + :failed,
    trials_missing = trials_missing + :missing WHERE id = :id RETURNING revision`,
  total: 'UPDATE session SET trials_total = trials_total + 1 WHERE id = ?',
  lastTrial: 'SELECT coalesce(max(trial), -1) FROM run WHERE session_id = ?',
  // Latest execution of each step: SQLite takes the state of the row with the highest id. A trial has ended when all its steps have, and is
  // missing as long as a step has no complete run, however it was executed last.
  trialAt: `SELECT min(state IN (${listed(ENDED_RUN)})) AS ended, max(state IN (${listed(FAILED_RUN)})) AS failed, max(NOT done) AS missing
    FROM (SELECT state, max(id), sum(state = 'done') > 0 AS done FROM run WHERE session_id = ? AND cell = ? AND repeat = ? GROUP BY step)
    HAVING count(*) > 0`,
  endedBySkipping: `SELECT count(*) FROM (SELECT 1 FROM run WHERE session_id = ? GROUP BY cell, repeat
    HAVING sum(state = 'pending') > 0 AND sum(state IN (${listed(OPEN_RUN)})) = 0)`,
  notNeeded: `SELECT count(*) FROM (SELECT DISTINCT cell, repeat FROM (SELECT cell, repeat, step FROM run
    WHERE session_id = :id AND state = 'skipped'
      AND EXISTS (SELECT 1 FROM json_each(findings) WHERE value ->> 'code' IN (${listed(codesBy('rule'))}))
    EXCEPT SELECT cell, repeat, step FROM run WHERE session_id = :id AND state = 'done'))`,
  remainingShare: `SELECT coalesce(sum(warmup + duration) FILTER (WHERE state = 'pending') * 1.0 / sum(warmup + duration), 0) FROM run
    WHERE session_id = ?`,
  touch: 'UPDATE run SET revision = ? WHERE id = ?',
};

export function insertRuns({ db, write }: Connection): (sessionId: number, runs: readonly NewRun[]) => void {
  const insert = db.prepare<[NewRunColumns]>(QUERIES.insert);
  return (sessionId, runs) =>
    write(() => {
      for (const run of runs) insert.run(fromNewRun(sessionId, run));
    });
}

/** Whether a run is a later step of the same trial as the run before it. */
const isNextStep = (
  before: Omit<NewRun, 'trial'> | undefined,
  { cell, repeat, step = 0 }: Omit<NewRun, 'trial'>,
): boolean => before?.cell === cell && before.repeat === repeat && (before.step ?? 0) < step;

const prepared = (db: Connection['db']) => ({
  ofSession: db.prepare<[number], RunColumns>(QUERIES.ofSession),
  changed: db.prepare<[number, number], RunColumns>(QUERIES.changed),
  open: db.prepare<[number], RunColumns>(QUERIES.open),
  byId: db.prepare<[number], RunColumns>(QUERIES.get),
  update: db.prepare<[RunColumns]>(QUERIES.update),
  skipPending: db.prepare<[string, number, number], Pick<RunRow, 'id' | 'trial'>>(QUERIES.skipPending),
  count: db.prepare<[Counted & { id: number }], number>(QUERIES.count).pluck(),
  total: db.prepare<[number]>(QUERIES.total),
  lastTrial: db.prepare<[number], number>(QUERIES.lastTrial).pluck(),
  trialAt: db.prepare<[number, number, number], Counted>(QUERIES.trialAt),
  endedBySkipping: db.prepare<[number], number>(QUERIES.endedBySkipping).pluck(),
  notNeeded: db.prepare<[{ id: number }], number>(QUERIES.notNeeded).pluck(),
  remainingShare: db.prepare<[number], number>(QUERIES.remainingShare).pluck(),
  touch: db.prepare<[number, number]>(QUERIES.touch),
  insert: db.prepare<[NewRunColumns]>(QUERIES.insert),
});

export function runRows(connection: Connection): RunRows {
  const { db, write } = connection;
  const stored = prepared(db);
  const jobs = runJobs(connection);
  const staleSession = staleHeadline(connection);

  const each = (row: RunColumns): RunRow => toRun(row, jobs.ofRun(row.id));
  /** A few are read one by one, many with one query for all jobs. */
  const all = (sessionId: number, rows: readonly RunColumns[]): RunRow[] => {
    if (rows.length < 10) return rows.map(each);
    const found = jobs.ofSession(sessionId);
    return rows.map((row) => toRun(row, found.get(row.id) ?? []));
  };
  const counted = (id: number, { ended = 0, failed = 0, missing = 0 }: Partial<Counted> = {}): number => {
    const revision = stored.count.get({ id, ended, failed, missing });
    if (revision === undefined) throw notFound('session', id);
    return revision;
  };
  /** Runs `work` on one trial's runs, updates the counts of their session, and returns its revision. */
  const recounted = (id: number, { cell, repeat }: Pick<NewRun, 'cell' | 'repeat'>, work: () => void): number => {
    const before = stored.trialAt.get(id, cell, repeat) ?? NOT_PLANNED;
    work();
    const after = stored.trialAt.get(id, cell, repeat) ?? NOT_PLANNED;
    return counted(id, {
      ended: after.ended - before.ended,
      failed: after.failed - before.failed,
      missing: after.missing - before.missing,
    });
  };
  return guarded<RunRows>(connection, {
    ofSession: (sessionId) => all(sessionId, stored.ofSession.all(sessionId)),
    changedSince: (sessionId, revision) => all(sessionId, stored.changed.all(sessionId, revision)),
    open: (sessionId) => stored.open.all(sessionId).map(each),
    get: (id) => {
      const row = stored.byId.get(id);
      return row && each(row);
    },
    update: (id, change) =>
      write(() => {
        const row = stored.byId.get(id);
        if (row === undefined) throw notFound('run', id);
        const before = each(row);
        const after = { ...before, ...change };
        after.revision = recounted(row.session_id, row, () => stored.update.run(fromRun(after)));
        stored.touch.run(after.revision, id);
        if (change.jobs) jobs.set(row.session_id, id, change.jobs);
        const isOther =
          after.state !== before.state ||
          after.partial !== before.partial ||
          (after.excluded === null) !== (before.excluded === null);
        if (isOther || (change.summary && !isDeepStrictEqual(before.summary, change.summary)))
          staleSession(after.sessionId);
        return after;
      }),
    appendRuns: (sessionId, runs) =>
      write(() =>
        runs.map((run, index) => {
          if (!stored.trialAt.get(sessionId, run.cell, run.repeat)) stored.total.run(sessionId);
          const last = stored.lastTrial.get(sessionId) ?? -1;
          const trial = isNextStep(runs[index - 1], run) ? last : last + 1;
          let id = 0;
          const revision = recounted(sessionId, run, () => {
            id = Number(stored.insert.run(fromNewRun(sessionId, { ...run, trial })).lastInsertRowid);
          });
          stored.touch.run(revision, id);
          return each(stored.byId.get(id) as RunColumns);
        }),
      ),
    notNeeded: (sessionId) => stored.notNeeded.get({ id: sessionId }) ?? 0,
    remainingShare: (sessionId) => stored.remainingShare.get(sessionId) ?? 0,
    skipPending: (sessionId, message) =>
      write(() => {
        const revision = counted(sessionId, { ended: stored.endedBySkipping.get(sessionId) ?? 0 });
        const skipped = stored.skipPending.all(message, revision, sessionId);
        // SQLite returns changed rows in no particular order.
        return skipped.sort((one, other) => one.trial - other.trial || one.id - other.id);
      }),
    forgetOverview(id) {
      const row = stored.byId.get(id);
      if (row) write(() => staleSession(row.session_id));
    },
  });
}
