import type { Bound, RunJudgement } from '../../../../shared/model/analysis.ts';
import { ENDED_RUN } from '../../../../shared/model/states.ts';
import { type Connection, guarded } from '../file/connection.ts';
import { staleHeadline } from './headlines.ts';
import { fromJson, listed, toJson } from './rows.ts';

/** A run's bottleneck, with evidence. */
export type RunBound = Pick<Bound, 'verdict' | 'sentence' | 'evidence'>;

/** Conclusions from everything monitored in a run. Deleted with the run; can be calculated again. */
export interface JudgementRows {
  /** Replaces the stored one. */
  set(runId: number, judgement: RunJudgement): void;
  /** Replaces the stored one: these rules have no result for the run. */
  setNothing(runId: number, version: number): void;
  get(runId: number): RunJudgement | undefined;
  /** Version of the rules that the run was judged by, even if they had no result. */
  version(runId: number): number | undefined;
  /** Bottleneck of each judged run of a session that has a result. */
  bounds(sessionId: number): Map<number, RunBound>;
  forget(runId: number): void;
  /** Deletes the judgements of all its runs that have a result. */
  forgetSession(sessionId: number): void;
  /** Sessions that have ended or are paused, with a measured run that was not judged by the rules of this version. */
  missing(version: number): number[];
}

interface BoundColumns {
  runId: number;
  verdict: Bound['verdict'];
  sentence: string;
  evidence: string;
}

const BOUNDS = `SELECT run.id AS runId, document ->> '$.bound.verdict' AS verdict, document ->> '$.bound.sentence' AS sentence,
    document -> '$.bound.evidence' AS evidence
  FROM run JOIN run_judgement ON run_id = run.id WHERE session_id = ? AND document -> '$.bound' IS NOT NULL`;

// Other sessions are executed or resumed, which judges their runs once all monitored data has arrived.
const MISSING = `SELECT DISTINCT run.session_id FROM run JOIN session ON session.id = run.session_id
  WHERE (session.ended_at IS NOT NULL OR session.state = 'paused')
    AND run.started_at IS NOT NULL AND run.state IN (${listed(ENDED_RUN)})
    AND NOT EXISTS (SELECT 1 FROM run_judgement WHERE run_id = run.id AND document ->> '$.version' = ?)
  ORDER BY run.session_id`;

export function judgementRows(connection: Connection): JudgementRows {
  const { db, write } = connection;
  const set = db.prepare<[number, string]>('INSERT OR REPLACE INTO run_judgement (run_id, document) VALUES (?, ?)');
  const get = db
    .prepare<[number], string>(
      "SELECT document FROM run_judgement WHERE run_id = ? AND document -> '$.bound' IS NOT NULL",
    )
    .pluck();
  const version = db
    .prepare<[number], number>("SELECT document ->> '$.version' FROM run_judgement WHERE run_id = ?")
    .pluck();
  const bounds = db.prepare<[number], BoundColumns>(BOUNDS);
  const sessionOf = db.prepare<[number], number>('SELECT session_id FROM run WHERE id = ?').pluck();
  const staleSession = staleHeadline(connection);
  /** Lists show the bottleneck of a session's best cell. */
  const stale = (runId: number): void => staleSession(sessionOf.get(runId) ?? 0);
  const forget = db.prepare<[number]>('DELETE FROM run_judgement WHERE run_id = ?');
  const forgetSession = db.prepare<[number]>(
    "DELETE FROM run_judgement WHERE run_id IN (SELECT id FROM run WHERE session_id = ?) AND document -> '$.bound' IS NOT NULL",
  );
  const missing = db.prepare<[number], number>(MISSING).pluck();
  return guarded<JudgementRows>(connection, {
    set(runId, judgement) {
      write(() => {
        set.run(runId, toJson(judgement));
        stale(runId);
      });
    },
    setNothing(runId, rules) {
      write(() => {
        const hadBound = get.get(runId) !== undefined;
        set.run(runId, toJson({ version: rules }));
        if (hadBound) stale(runId);
      });
    },
    get(runId) {
      const document = get.get(runId);
      return document === undefined ? undefined : fromJson<RunJudgement>(document);
    },
    version: (runId) => version.get(runId),
    bounds: (sessionId) => new Map(bounds.all(sessionId).map((row) => [row.runId, toBound(row)])),
    forget(runId) {
      write(() => {
        forget.run(runId);
        stale(runId);
      });
    },
    forgetSession(sessionId) {
      write(() => {
        forgetSession.run(sessionId);
        staleSession(sessionId);
      });
    },
    missing: (version) => missing.all(version),
  });
}

const toBound = ({ verdict, sentence, evidence }: BoundColumns): RunBound => ({
  verdict,
  sentence,
  evidence: fromJson<RunBound['evidence']>(evidence),
});
