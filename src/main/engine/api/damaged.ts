import { KneepointError } from '../../../shared/model/problem.ts';
import type { Session } from '../../../shared/model/session.ts';
import type { SessionRow } from '../store/store.ts';
import { type PresentContext, presentSession } from './present.ts';

/** All sessions for a list. What is damaged of one does not hide the others: that one is listed as damaged. */
export function listSessions(context: PresentContext, archived: boolean): Session[] {
  const { sessions, damaged } = context.store.sessions.list(archived);
  const listed = sessions.map((row) => presentOrDamaged(context, row));
  return archived ? listed : [...listed, ...damaged.map((id) => damagedSession({ id }))];
}

export function presentOrDamaged(context: PresentContext, row: SessionRow): Session {
  try {
    return presentSession(context, row);
  } catch (error) {
    if (error instanceof KneepointError && error.code === 'store-corrupt') return damagedSession(row);
    throw error;
  }
}

/** What a list shows of a session that cannot be read. */
function damagedSession(row: Pick<SessionRow, 'id'> & Partial<SessionRow>): Session {
  return {
    id: row.id,
    uuid: row.uuid ?? `damaged-${row.id}`,
    name: row.name ?? `Session ${row.id}`,
    tags: row.tags ?? [],
    state: 'failed',
    damaged: true,
    message: 'Part of this session is damaged and cannot be read. Other sessions are intact.',
    tool: '',
    generators: [],
    createdAt: row.createdAt ?? 0,
    cells: 0,
    repeats: 0,
    trialsTotal: 0,
    trialsEnded: 0,
    trialsFailed: 0,
    primaryMetric: '',
    sparkline: [],
  };
}
