import type { BoundVerdict, RunJudgement } from '../../../../shared/model/analysis.ts';
import { type Connection, guarded } from '../file/connection.ts';
import { fromJson, toJson } from './rows.ts';

/** What was worked out of a run from all that was watched in it. It goes with its run, and can be worked out again at any time. */
export interface JudgementRows {
  /** In place of what is there. */
  set(runId: number, judgement: RunJudgement): void;
  get(runId: number): RunJudgement | undefined;
  /** What bounds each judged run of a session. */
  verdicts(sessionId: number): Map<number, { verdict: BoundVerdict; sentence: string }>;
  forget(runId: number): void;
  forgetSession(sessionId: number): void;
  /** Sessions that have ended, and were watched or judged, of which a run that measured has none of this version. */
  missing(version: number): number[];
}

const VERDICTS = `SELECT run.id AS runId, document ->> '$.bound.verdict' AS verdict, document ->> '$.bound.sentence' AS sentence
  FROM run JOIN run_judgement ON run_id = run.id WHERE session_id = ?`;

const MISSING = `SELECT DISTINCT run.session_id FROM run JOIN session ON session.id = run.session_id
  WHERE session.ended_at IS NOT NULL AND run.started_at IS NOT NULL AND run.ended_at IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM run_judgement WHERE run_id = run.id AND document ->> '$.version' = ?)
    AND (EXISTS (SELECT 1 FROM source WHERE source.session_id = run.session_id AND kind <> 'generator')
      OR EXISTS (SELECT 1 FROM run_judgement WHERE run_id = run.id)) ORDER BY run.session_id`;

export function judgementRows(connection: Connection): JudgementRows {
  const { db, write } = connection;
  const set = db.prepare<[number, string]>('INSERT OR REPLACE INTO run_judgement (run_id, document) VALUES (?, ?)');
  const get = db.prepare<[number], string>('SELECT document FROM run_judgement WHERE run_id = ?').pluck();
  const verdicts = db.prepare<[number], { runId: number; verdict: BoundVerdict; sentence: string }>(VERDICTS);
  const forget = db.prepare<[number]>('DELETE FROM run_judgement WHERE run_id = ?');
  const forgetSession = db.prepare<[number]>(
    'DELETE FROM run_judgement WHERE run_id IN (SELECT id FROM run WHERE session_id = ?)',
  );
  const missing = db.prepare<[number], number>(MISSING).pluck();
  return guarded<JudgementRows>(connection, {
    set(runId, judgement) {
      write(() => set.run(runId, toJson(judgement)));
    },
    get(runId) {
      const document = get.get(runId);
      return document === undefined ? undefined : fromJson<RunJudgement>(document);
    },
    verdicts: (sessionId) => new Map(verdicts.all(sessionId).map(({ runId, ...verdict }) => [runId, verdict])),
    forget(runId) {
      write(() => forget.run(runId));
    },
    forgetSession(sessionId) {
      write(() => forgetSession.run(sessionId));
    },
    missing: (version) => missing.all(version),
  });
}
