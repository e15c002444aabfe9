import type { Bound, RunJudgement } from '../../../../shared/model/analysis.ts';
import { ENDED_RUN } from '../../../../shared/model/states.ts';
import { type Connection, guarded } from '../file/connection.ts';
import { staleHeadline } from './headlines.ts';
import { fromJson, listed, toJson } from './rows.ts';

/** What bounds a run, with its evidence. */
export type RunBound = Pick<Bound, 'verdict' | 'sentence' | 'evidence'>;

/** What was worked out of a run from all that was watched in it. It goes with its run, and can be worked out again at any time. */
export interface JudgementRows {
  /** In place of what is there. */
  set(runId: number, judgement: RunJudgement): void;
  /** In place of what is there: by these rules there is nothing to say of it. */
  setNothing(runId: number, version: number): void;
  get(runId: number): RunJudgement | undefined;
  /** By which rules it was judged, also where these had nothing to say. */
  version(runId: number): number | undefined;
  /** What bounds each judged run of a session of which there is something to say. */
  bounds(sessionId: number): Map<number, RunBound>;
  forget(runId: number): void;
  /** Of all its runs of which there is something to say. */
  forgetSession(sessionId: number): void;
  /** Sessions that have ended or are paused, of which a run that measured was not judged by the rules of this version. */
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

// What else executes or resumes a session judges its runs when all that was watched has come.
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
  /** What a list shows of a session names what bounds its best cell. */
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
