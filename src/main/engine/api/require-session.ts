import { headlineStep, type SessionStep } from '../../../shared/model/plan.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import { formatCount } from '../../../shared/util/format.ts';
import type { RunRow, SessionRow } from '../store/store.ts';
import type { ApiContext } from './context.ts';

/** Throws not-found. */
export function requireSession(context: Pick<ApiContext, 'store'>, id: number): SessionRow {
  const row = context.store.sessions.get(id);
  if (!row) throw new KneepointError({ code: 'not-found', message: `There is no session ${id}.`, session: id });
  return row;
}

/** A step of a session with its place in the trial. Without `place`, the step shown in lists. Throws bad-request. */
export function requireStep(
  { id, steps }: Pick<SessionRow, 'id' | 'steps'>,
  place = headlineStep(steps),
): SessionStep & { place: number } {
  const step = steps[place];
  if (step) return { ...step, place };
  throw new KneepointError({
    code: 'bad-request',
    message: `Trials of session ${id} have ${formatCount(steps.length, 'step')}, but no step ${place + 1}.`,
    session: id,
  });
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
