import { KneepointError } from '../../../shared/model/problem.ts';
import type { SessionRow } from '../store/store.ts';
import type { ApiContext } from './context.ts';

/** Throws not-found. */
export function requireSession(context: Pick<ApiContext, 'store'>, id: number): SessionRow {
  const row = context.store.sessions.get(id);
  if (!row) throw new KneepointError({ code: 'not-found', message: `There is no session ${id}.`, session: id });
  return row;
}
