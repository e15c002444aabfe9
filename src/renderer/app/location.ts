import { useSyncExternalStore } from 'react';
import type { NavigateOptions } from 'wouter';

// Everything lives behind the '#': the page is one file, whether it comes from the app's own scheme or from a server.
const inHash = (): string => window.location.hash.slice(1) || '/';
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
export const useAppLocation = (): [string, typeof navigate] => [useSyncExternalStore(subscribe, pathOf), navigate];
export const useAppSearch = (): string => useSyncExternalStore(subscribe, searchOf);
export const hrefOf = (path: string): string => `#${path}`;
