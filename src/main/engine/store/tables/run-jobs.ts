import type { ExitStatus } from '../../../../shared/model/session.ts';
import type { Connection } from '../file/connection.ts';
import { fromJson, orNull, toJson } from './rows.ts';

/** The job of one generator of a run. */
export interface RunJob {
  host: string;
  jobId: string;
  /**
   * The rest is set only for runs with several generators, or that start together with others. Offset of the host's clock and its accuracy,
   * milliseconds.
   */
  clock?: { offsetMs: number; roundTripMs: number };
  /**
   * Start of its tool on this computer's clock, epoch milliseconds with fractions. For parallel steps, also set before the end: the planned
   * start.
   */
  startedAt?: number;
  /** Second 0 of the tool on its host's clock, extrapolated by the uptime, epoch milliseconds, and its accuracy. */
  zero?: { hostMs: number; errorMs: number };
  exit?: ExitStatus;
  /** Final figures of the tool. */
  summary?: Record<string, number>;
  /** The part of it that is missing, a sentence. */
  message?: string;
}

const COLUMNS =
  'run_id, host, job_id, clock_offset_ms, clock_round_trip_ms, started_at, zero_ms, zero_error_ms, exit, summary, message FROM job WHERE';
const QUERIES = {
  ofSession: `SELECT ${COLUMNS} session_id = ? AND run_id IS NOT NULL ORDER BY run_id, generator`,
  ofRun: `SELECT ${COLUMNS} run_id = ? ORDER BY generator`,
  set: `INSERT INTO job (kind, session_id, run_id, generator, host, job_id, clock_offset_ms, clock_round_trip_ms, started_at, zero_ms, zero_error_ms, exit,
    summary, message) VALUES ('run', :session_id, :run_id, :generator, :host, :job_id, :clock_offset_ms, :clock_round_trip_ms,
    :started_at, :zero_ms, :zero_error_ms, :exit, :summary, :message)
    ON CONFLICT (run_id, generator) DO UPDATE SET host = :host, job_id = :job_id, clock_offset_ms = :clock_offset_ms,
    clock_round_trip_ms = :clock_round_trip_ms, started_at = :started_at, zero_ms = :zero_ms,
    zero_error_ms = :zero_error_ms, exit = :exit, summary = :summary, message = :message`,
  cut: 'DELETE FROM job WHERE run_id = ? AND generator >= ?',
};

interface Columns {
  run_id: number;
  host: string;
  job_id: string;
  clock_offset_ms: number | null;
  clock_round_trip_ms: number | null;
  started_at: number | null;
  zero_ms: number | null;
  zero_error_ms: number | null;
  exit: string | null;
  summary: string | null;
  message: string | null;
}

const toJob = (row: Columns): RunJob => ({
  host: row.host,
  jobId: row.job_id,
  ...(row.clock_offset_ms !== null && {
    clock: { offsetMs: row.clock_offset_ms, roundTripMs: row.clock_round_trip_ms ?? 0 },
  }),
  ...(row.started_at !== null && { startedAt: row.started_at }),
  ...(row.zero_ms !== null && { zero: { hostMs: row.zero_ms, errorMs: row.zero_error_ms ?? 0 } }),
  ...(row.exit !== null && { exit: fromJson<ExitStatus>(row.exit) }),
  ...(row.summary !== null && { summary: fromJson<Record<string, number>>(row.summary) }),
  ...(row.message !== null && { message: row.message }),
});

/** Jobs of runs, in the order of their generators. */
export interface RunJobs {
  ofSession(sessionId: number): Map<number, RunJob[]>;
  ofRun(runId: number): RunJob[];
  /** Call inside a transaction. */
  set(sessionId: number, runId: number, jobs: readonly RunJob[]): void;
}

export function runJobs({ db }: Connection): RunJobs {
  const ofSession = db.prepare<[number], Columns>(QUERIES.ofSession);
  const ofRun = db.prepare<[number], Columns>(QUERIES.ofRun);
  const set = db.prepare<[Columns & { session_id: number; generator: number }]>(QUERIES.set);
  const cut = db.prepare<[number, number]>(QUERIES.cut);
  return {
    ofSession(sessionId) {
      const found = new Map<number, RunJob[]>();
      for (const row of ofSession.all(sessionId)) {
        const jobs = found.get(row.run_id);
        if (jobs) jobs.push(toJob(row));
        else found.set(row.run_id, [toJob(row)]);
      }
      return found;
    },
    ofRun: (runId) => ofRun.all(runId).map(toJob),
    set(sessionId, runId, jobs) {
      cut.run(runId, jobs.length);
      jobs.forEach((job, generator) => {
        set.run({
          session_id: sessionId,
          run_id: runId,
          generator,
          host: job.host,
          job_id: job.jobId,
          clock_offset_ms: job.clock?.offsetMs ?? null,
          clock_round_trip_ms: job.clock?.roundTripMs ?? null,
          started_at: job.startedAt ?? null,
          zero_ms: job.zero?.hostMs ?? null,
          zero_error_ms: job.zero?.errorMs ?? null,
          exit: orNull(job.exit, toJson),
          summary: orNull(job.summary, (summary) => toJson(finiteOnly(summary))),
          message: job.message ?? null,
        });
      });
    },
  };
}

/** JSON has no NaN and would return null, so such a figure is left out. */
export const finiteOnly = (summary: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(summary).filter(([, value]) => Number.isFinite(value)));
