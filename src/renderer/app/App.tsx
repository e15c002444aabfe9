import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import type { QueryClient } from '@tanstack/react-query';
import { type PropsWithChildren, useSyncExternalStore } from 'react';
import { createRoot } from 'react-dom/client';
import { type NavigateOptions, Router } from 'wouter';
import { createQueryClient, type EngineConnector, EngineLink, EngineProvider, useLinkStatus } from '../client/index.ts';
import { shareStyleNonce, styleNonce, theme } from '../ui/index.ts';
import { Frame, NoAccess } from './Frame.tsx';
import { fetchViews } from './lazyView.ts';

interface AppProperties {
  link: EngineLink;
  queries: QueryClient;
  /** `test` turns off transitions, portals and the variables of the style sheet. */
  env?: 'default' | 'test';
}

/** The whole page, with its connection to the engine. */
export const App = (properties: AppProperties) => (
  <Surroundings {...properties}>
    <Connecting />
  </Surroundings>
);

/** Contexts of the whole page. */
export const Surroundings = ({ link, queries, env = 'default', children }: PropsWithChildren<AppProperties>) => (
  <MantineProvider
    theme={theme}
    defaultColorScheme="auto"
    env={env}
    withCssVariables={env !== 'test'}
    withGlobalClasses={env !== 'test'}
    getStyleNonce={styleNonce}
  >
    <Notifications position="bottom-right" className="kp-notices" />
    <EngineProvider link={link} queries={queries}>
      <Router hook={useAppLocation} searchHook={useAppSearch} hrefs={hrefOf}>
        {children}
      </Router>
    </EngineProvider>
  </MantineProvider>
);

/** A tab that had access keeps showing its data, with a banner above it. */
function Connecting() {
  const { times, obstacle } = useLinkStatus();
  return times === 0 && obstacle ? <NoAccess obstacle={obstacle} /> : <Frame />;
}

/** Late enough not to delay the first view. */
const FETCH_AFTER_MS = 1500;

/** Mounts the app on the page, with its connection to the engine. */
export function boot(connector: EngineConnector): void {
  const place = document.getElementById('root');
  if (!place) throw new Error('The page has no root element.');
  shareStyleNonce();
  createRoot(place).render(<App link={new EngineLink(connector)} queries={createQueryClient()} />);
  window.setTimeout(() => void fetchViews(), FETCH_AFTER_MS);
}

// The address is behind the '#': the page is one file, whether it is served by the app's own scheme or by a server.
/** Anything that is no path leads to the page for unknown addresses, not to an empty one. */
const inHash = (): string => window.location.hash.slice(1).replace(/^\/?/, '/');
const pathOf = (): string => inHash().split('?')[0] || '/';
const searchOf = (): string => inHash().split('?')[1] ?? '';

const CHANGED = 'kneepoint-location';

function subscribe(watcher: () => void): () => void {
  window.addEventListener('hashchange', watcher);
  window.addEventListener('popstate', watcher);
  window.addEventListener(CHANGED, watcher);
  return () => {
    window.removeEventListener('hashchange', watcher);
    window.removeEventListener('popstate', watcher);
    window.removeEventListener(CHANGED, watcher);
  };
}

function navigate(to: string, options: NavigateOptions = {}): void {
  const address = `#${to}`;
  if (options.replace) window.history.replaceState(null, '', address);
  else if (address !== window.location.hash) window.history.pushState(null, '', address);
  window.dispatchEvent(new Event(CHANGED));
}

/** Location hook for the router: path and search, both inside the hash. */
const useAppLocation = (): [string, typeof navigate] => [useSyncExternalStore(subscribe, pathOf), navigate];
const useAppSearch = (): string => useSyncExternalStore(subscribe, searchOf);
const hrefOf = (path: string): string => `#${path}`;
