import { QueryClient } from '@tanstack/react-query';
import type { AppEvent } from '../../shared/contract/app.ts';
import type { LinkState } from '../../shared/model/host.ts';
import { KneepointError } from '../../shared/model/problem.ts';
import type { Session } from '../../shared/model/session.ts';

const lost = (error: unknown): boolean => error instanceof KneepointError && error.code === 'disconnected';

/** Answers stay fresh until the engine says otherwise; only a lost connection is worth asking again. */
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

/** How far a session was when it was last told of. */
const progressKey = (id: number): readonly unknown[] => ['progress', id];

const KEYS_OF_TOPIC = {
  hosts: [['hosts'], ['fileSets']],
  targets: [['targets'], ['dataSets']],
  dataSets: [['dataSets'], ['fileSets']],
  experiments: [['experiments']],
  sessions: [['sessions'], ['results']],
  costs: [['costs'], ['sessions']],
  tunnels: [['hosts', 'tunnels']],
  secrets: [
    ['app', 'secrets'],
    ['app', 'doctor'],
  ],
  settings: [['app', 'setting']],
} as const;

/** What the engine reports is put where the page keeps its answers. */
export function applyEvent(queries: QueryClient, event: AppEvent): void {
  if (event.kind === 'links') queries.setQueryData<readonly LinkState[]>(LINKS_KEY, event.links);
  else if (event.kind === 'session') applySession(queries, event.session);
  else for (const queryKey of KEYS_OF_TOPIC[event.topic]) void queries.invalidateQueries({ queryKey });
}

function applySession(queries: QueryClient, session: Session): void {
  let known = false;
  queries.setQueriesData<Session[]>({ queryKey: ['sessions', 'list'] }, (list) => {
    // Nothing is written then: a list that is to be asked for again would count as fresh without the session.
    if (!list?.some((entry) => entry.id === session.id)) return undefined;
    known = true;
    return list.map((entry) => (entry.id === session.id ? session : entry));
  });
  if (!known) void queries.invalidateQueries({ queryKey: ['sessions', 'list'] });
  void queries.invalidateQueries({ queryKey: ['sessions', 'get', { id: session.id }] });
  // It is told of many times during a trial; only a trial that ended changes what can be read of the results.
  const progress = `${session.state} ${session.trialsEnded}`;
  if (queries.getQueryData(progressKey(session.id)) === progress) return;
  queries.setQueryData(progressKey(session.id), progress);
  void queries.invalidateQueries({ queryKey: ['results'] });
  void queries.invalidateQueries({ queryKey: ['sessions', 'runs', { id: session.id }] });
}
