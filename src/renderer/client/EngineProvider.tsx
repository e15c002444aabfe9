import { type QueryClient, QueryClientProvider, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import type { MenuCommand, MenuMessage } from '../../shared/contract/desktop.ts';
import type { LinkState } from '../../shared/model/host.ts';
import { LinkContext, useLinkStatus, useStream } from './hooks.ts';
import type { EngineLink } from './link.ts';
import { eventApplier, LINKS_KEY } from './queries.ts';

interface Properties {
  link: EngineLink;
  queries: QueryClient;
  children: ReactNode;
}

/** Provides the engine to its children, and keeps cached results current. */
export function EngineProvider({ link, queries, children }: Properties) {
  return (
    <LinkContext value={link}>
      <QueryClientProvider client={queries}>
        <Watcher />
        {children}
      </QueryClientProvider>
    </LinkContext>
  );
}

function Watcher() {
  const queries = useQueryClient();
  const { times } = useLinkStatus();
  const seen = useRef(times);
  useEffect(() => {
    // A new connection may mean a new engine: all cached results may be outdated.
    if (times > 1 && times !== seen.current) void queries.invalidateQueries();
    seen.current = times;
  }, [times, queries]);
  const apply = useMemo(() => eventApplier(queries), [queries]);
  useStream('app.watch', {}, { onItem: apply });
  return null;
}

const NO_LINKS: readonly LinkState[] = [];

/** State of the connections to hosts, as last reported. */
export function useHostLinks(): readonly LinkState[] {
  const query = useQuery<readonly LinkState[]>({ queryKey: LINKS_KEY, queryFn: () => NO_LINKS, enabled: false });
  return query.data ?? NO_LINKS;
}

const isMenuMessage = (data: unknown): data is MenuMessage =>
  typeof data === 'object' && data !== null && 'menu' in data && typeof data.menu === 'object';

/** Calls `choose` with commands from the window's menu; in a browser there are none. Returns a function that unsubscribes. */
export function onMenu(page: Window, choose: (command: MenuCommand) => void): () => void {
  const listen = (event: MessageEvent<unknown>): void => {
    if (event.source === page && isMenuMessage(event.data)) choose(event.data.menu);
  };
  page.addEventListener('message', listen);
  return () => page.removeEventListener('message', listen);
}
