import { KneepointError } from '../../../shared/model/problem.ts';
import type { RunRow, SessionRow } from '../store/store.ts';
import type { ApiContext } from './context.ts';

/** Throws not-found. */
export function requireSession(context: Pick<ApiContext, 'store'>, id: number): SessionRow {
  const row = context.store.sessions.get(id);
  if (!row) throw new KneepointError({ code: 'not-found', message: `There is no session ${id}.`, session: id });
  return row;
}

/** Throws not-found, also for a run of another session. */
export function requireRun(context: Pick<ApiContext, 'store'>, sessionId: number, id: number): RunRow {
  const run = context.store.runs.get(id);
  if (run?.sessionId === sessionId) return run;
  throw new KneepointError({
    code: 'not-found',
    message: `Session ${sessionId} has no run ${id}.`,
    session: sessionId,
    run: id,
  });
}
