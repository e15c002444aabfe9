import { LOADING_SESSION, OPEN_RUN } from '../../../../shared/model/states.ts';
import { type Connection, guarded } from '../file/connection.ts';
import { listed } from './rows.ts';

/** A step that prepares or removes data, running on a host. */
export interface StepJob {
  host: string;
  jobId: string;
  step: 'prepare' | 'cleanup';
  /** Key of the preparation. */
  key: string;
}

/** A job whose run has ended, or, for a step, whose session is not executed and will not continue by itself. */
export interface OrphanJob {
  jobId: string;
  /** Null if the session was deleted. */
  sessionId: number | null;
  /** Null for a step that prepares or removes data, and for a monitor. */
  runId: number | null;
  kind: 'run' | StepJob['step'] | 'monitor';
}

/**
 * Jobs whose folders Kneepoint created on hosts, in addition to those of runs. They outlive their session, because the folders have to be
 * removed.
 */
export interface JobRows {
  /** The running step of a session; a restart follows it instead of starting a second one. */
  step(sessionId: number): StepJob | undefined;
  /** Call before the launch. */
  beginStep(sessionId: number, job: StepJob): void;
  endStep(sessionId: number): void;
  /** Call before launching a monitor for a session; it continues between runs. */
  beginMonitor(sessionId: number, job: { host: string; jobId: string }): void;
  /** Call before launching a run's tools. */
  runLaunched(runId: number): void;
  /** Jobs on a host that are no longer followed and whose end is unknown: their tools may still be running. */
  orphanJobs(host: string): OrphanJob[];
  /** Records that nothing of it is running any more. */
  jobEnded(host: string, jobId: string): void;
  /** Allows the removal of a job's folder from this time on. */
  removeAfter(job: { host: string; jobId: string }, at: number): void;
  /** Names of the jobs whose folders may be removed from a host now. */
  due(host: string, now: number): string[];
  /** Records that its folder was removed. */
  removed(host: string, jobId: string): void;
}

const QUERIES = {
  step: `SELECT host, job_id, kind, prepares FROM job WHERE session_id = ? AND under_way = 1 AND kind IN ('prepare', 'cleanup') ORDER BY id DESC LIMIT 1`,
  beginMonitor: `INSERT INTO job (job_id, host, kind, session_id, under_way) VALUES (?, ?, 'monitor', ?, 1)`,
  begin: 'INSERT INTO job (job_id, host, kind, session_id, prepares, under_way) VALUES (?, ?, ?, ?, ?, 1)',
  end: `UPDATE job SET under_way = 0 WHERE session_id = ? AND kind IN ('prepare', 'cleanup')`,
  launched: `UPDATE job SET under_way = 1 WHERE run_id = ?`,
  orphanJobs: `SELECT job.job_id AS jobId, job.session_id AS sessionId, run_id AS runId, job.kind FROM job
    LEFT JOIN run ON run.id = job.run_id LEFT JOIN session ON session.id = job.session_id
    WHERE job.host = ? AND job.under_way = 1 AND CASE job.kind WHEN 'run' THEN coalesce(run.state NOT IN (${listed(OPEN_RUN)}), 1)
      ELSE coalesce(session.state NOT IN (${listed(LOADING_SESSION)}), 1) END ORDER BY job.id`,
  ended: 'UPDATE job SET under_way = 0 WHERE host = ? AND job_id = ?',
  keep: 'UPDATE job SET remove_at = ? WHERE job_id = ? AND host = ?',
  addKept: `INSERT INTO job (job_id, host, kind, remove_at) VALUES (?, ?, 'cleanup', ?)`,
  due: 'SELECT job_id FROM job WHERE host = ? AND remove_at < ? ORDER BY id',
  // Jobs of runs stay as part of the run; others are deleted.
  removed: 'UPDATE job SET remove_at = NULL WHERE host = ? AND job_id = ?',
  forget: 'DELETE FROM job WHERE host = ? AND job_id = ? AND run_id IS NULL AND under_way = 0',
};

export function jobRows(connection: Connection): JobRows {
  const { db, write } = connection;
  const step = db.prepare<[number], { host: string; job_id: string; kind: StepJob['step']; prepares: string }>(
    QUERIES.step,
  );
  const begin = db.prepare<[string, string, string, number, string]>(QUERIES.begin);
  const beginMonitor = db.prepare<[string, string, number]>(QUERIES.beginMonitor);
  const end = db.prepare<[number]>(QUERIES.end);
  const launched = db.prepare<[number]>(QUERIES.launched);
  const orphanJobs = db.prepare<[string], OrphanJob>(QUERIES.orphanJobs);
  const ended = db.prepare<[string, string]>(QUERIES.ended);
  const keep = db.prepare<[number, string, string]>(QUERIES.keep);
  const addKept = db.prepare<[string, string, number]>(QUERIES.addKept);
  const due = db.prepare<[string, number], { job_id: string }>(QUERIES.due);
  const removed = db.prepare<[string, string]>(QUERIES.removed);
  const forget = db.prepare<[string, string]>(QUERIES.forget);
  return guarded<JobRows>(connection, {
    step(sessionId) {
      const row = step.get(sessionId);
      return row && { host: row.host, jobId: row.job_id, step: row.kind, key: row.prepares };
    },
    beginStep(sessionId, job) {
      write(() => {
        const known = step.get(sessionId);
        if (known?.job_id === job.jobId) return;
        end.run(sessionId);
        begin.run(job.jobId, job.host, job.step, sessionId, job.key);
      });
    },
    endStep(sessionId) {
      write(() => end.run(sessionId));
    },
    beginMonitor(sessionId, { host, jobId }) {
      write(() => beginMonitor.run(jobId, host, sessionId));
    },
    runLaunched(runId) {
      write(() => launched.run(runId));
    },
    orphanJobs: (host) => orphanJobs.all(host),
    jobEnded(host, jobId) {
      write(() => ended.run(host, jobId));
    },
    removeAfter({ host, jobId }, at) {
      write(() => {
        if (keep.run(at, jobId, host).changes === 0) addKept.run(jobId, host, at);
      });
    },
    due: (host, now) => due.all(host, now).map((row) => row.job_id),
    removed(host, jobId) {
      write(() => {
        removed.run(host, jobId);
        forget.run(host, jobId);
      });
    },
  });
}
