import { hashKey, QueryClient, type QueryKey } from '@tanstack/react-query';
import type { AppEvent } from '../../shared/contract/app.ts';
import type { LinkState } from '../../shared/model/host.ts';
import { KneepointError } from '../../shared/model/problem.ts';
import type { Session, SessionDetail } from '../../shared/model/session.ts';

const lost = (error: unknown): boolean => error instanceof KneepointError && error.code === 'disconnected';

/** Results stay fresh until the engine reports a change; only a lost connection is worth a retry. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        networkMode: 'always',
        retry: (_count, error) => lost(error),
        retryDelay: 300,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });

export const LINKS_KEY = ['links'] as const;

const KEYS_OF_TOPIC = {
  hosts: [['hosts'], ['dataSets'], ['changes']],
  targets: [['targets'], ['dataSets']],
  dataSets: [['dataSets']],
  experiments: [['experiments']],
  sessions: [['sessions'], ['results'], ['monitors'], ['costs', 'valueForMoney']],
  costs: [['costs'], ['sessions']],
  tunnels: [['hosts', 'tunnels']],
  secrets: [
    ['app', 'secrets'],
    ['app', 'doctor'],
  ],
  library: [
    ['app', 'info'],
    ['app', 'doctor'],
  ],
} as const;

/** Applies events of the engine to cached results; results that an event does not contain are requested again. */
export function eventApplier(queries: QueryClient): (event: AppEvent) => void {
  const { changed } = new Refetches(queries);
  const progress = new Map<number, string>();
  return (event) => {
    if (event.kind === 'links') queries.setQueryData<readonly LinkState[]>(LINKS_KEY, event.links);
    else if (event.kind === 'changed') for (const queryKey of KEYS_OF_TOPIC[event.topic]) changed(queryKey);
    else if (event.kind === 'figures') putIntoLists(queries, event.sessions);
    else {
      const { session } = event;
      if (!putIntoLists(queries, [session])) changed(['sessions', 'list']);
      if (putIntoDetail(queries, session) === 'other state') changed(['sessions', 'get', { id: session.id }]);
      // It is reported many times during a trial; only an ended trial changes the results.
      const reached = `${session.state} ${session.trialsEnded}`;
      if (progress.get(session.id) === reached) return;
      progress.set(session.id, reached);
      changed(['results']);
      changed(['monitors']);
      changed(['costs', 'valueForMoney']);
      changed(['sessions', 'runs', { id: session.id }]);
      changed(['sessions', 'events']);
      // An abandoned job may have left something there.
      changed(['hosts', 'leftBehind']);
      changed(['changes']);
    }
  };
}

/** Whether a cached result may be updated: writing to an invalidated one would mark it as fresh. */
const isFresh = (queries: QueryClient, key: QueryKey): boolean => queries.getQueryState(key)?.isInvalidated === false;

/** Whether a list contains one of these sessions, or one that does will be requested anyway. */
function putIntoLists(queries: QueryClient, sessions: readonly Session[]): boolean {
  const lists = queries.getQueriesData<Session[]>({ queryKey: ['sessions', 'list'] });
  const news = new Map(sessions.map((session) => [session.id, session]));
  let listed = lists.length === 0;
  for (const [key, list] of lists) {
    if (!list?.some(({ id }) => news.has(id))) continue;
    listed = true;
    if (!isFresh(queries, key)) continue;
    queries.setQueryData(
      key,
      list.map((entry) => news.get(entry.id) ?? entry),
    );
  }
  return listed;
}

/** The rest of a detail (plan, facts, findings) only changes with the state of the session. */
function putIntoDetail(queries: QueryClient, session: Session): 'other state' | 'same state' {
  const key = ['sessions', 'get', { id: session.id }];
  const detail = queries.getQueryData<SessionDetail>(key);
  if (!detail) return 'same state';
  if (isFresh(queries, key)) queries.setQueryData<SessionDetail>(key, { ...detail, session });
  return detail.session.state === session.state ? 'same state' : 'other state';
}

const SPACING_MS = 1000;

/**
 * Requests changed data again: immediately, then at most once a second for each key. The engine reports changes four times a second, and a
 * list of a thousand sessions is not free.
 */
class Refetches {
  readonly #queries: QueryClient;
  /** Keys requested within the last second, and whether they changed again since. */
  readonly #recent = new Map<string, boolean>();

  constructor(queries: QueryClient) {
    this.#queries = queries;
  }

  readonly changed = (queryKey: QueryKey): void => {
    const hash = hashKey(queryKey);
    if (this.#recent.has(hash)) {
      this.#recent.set(hash, true);
      return;
    }
    this.#recent.set(hash, false);
    void this.#queries.invalidateQueries({ queryKey });
    setTimeout(() => {
      const again = this.#recent.get(hash);
      this.#recent.delete(hash);
      if (again) this.changed(queryKey);
    }, SPACING_MS);
  };
}
