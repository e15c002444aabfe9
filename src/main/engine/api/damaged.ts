import { KneepointError } from '../../../shared/model/problem.ts';
import type { Session } from '../../../shared/model/session.ts';
import type { Figures } from '../results/index.ts';
import type { SessionRow } from '../store/store.ts';
import type { ApiContext } from './context.ts';
import { type PresentContext, presentSession } from './present.ts';

/**
 * All sessions for a list, at once: figures that are not available yet follow. A damaged session does not hide the others: it is listed as damaged.
 */
export function listSessions(context: ListContext, archived: boolean, most?: number): Session[] {
  const { store, overviews, figures } = context;
  const { sessions, damaged } = store.sessions.list(archived, most);
  // Reading them one by one is faster only for a few.
  const headlines = most === undefined ? store.headlines.listed(archived) : undefined;
  const listed = sessions.map((row) =>
    presentOrDamaged(context, row, () => overviews.kept(row, headlines && (headlines.get(row.id) ?? null))),
  );
  for (const { id, figuresFollow } of listed) if (figuresFollow) figures.follow(id);
  return archived ? listed : [...listed, ...damaged.map((id) => damagedSession({ id }))];
}

/** Resolves with these sessions once their figures are available. */
export async function sessionsWithFigures(
  context: ListContext,
  ids: readonly number[],
  signal: AbortSignal,
): Promise<Session[]> {
  const { store, overviews, figures } = context;
  const present = (): Session[] =>
    ids.flatMap(
      (id) =>
        unlessDamaged({ id }, () => {
          const row = store.sessions.get(id);
          return row && presentSession(context, row, { figures: overviews.kept(row) });
        }) ?? [],
    );
  const pending = present().filter(({ figuresFollow }) => figuresFollow);
  await figures.first(
    pending.map(({ id }) => id),
    signal,
  );
  return present();
}

type ListContext = PresentContext & Pick<ApiContext, 'figures'>;

/** Without `figures`, they are calculated. */
export const presentOrDamaged = (context: PresentContext, row: SessionRow, figures?: () => Figures): Session =>
  unlessDamaged(row, () => presentSession(context, row, figures ? { figures: figures() } : {}));

function unlessDamaged<T>(session: Parameters<typeof damagedSession>[0], present: () => T): T | Session {
  try {
    return present();
  } catch (error) {
    if (error instanceof KneepointError && error.code === 'store-corrupt') return damagedSession(session);
    throw error;
  }
}

/** The list entry of a session that cannot be read. */
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
    primaryMetric: null,
    sparkline: [],
  };
}
