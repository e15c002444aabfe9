import { type ComponentType, createElement, type ReactNode, useEffect, useState } from 'react';
import { areStylesMissing, fetchMissingStyles, loadedWell, reloadPage } from '../client/reload-page.ts';
import { loadEditor } from '../code-editor/load.ts';

const loaders: (() => Promise<unknown>)[] = [];

export interface ViewRoute {
  /** Pattern of the router; `/*?` leaves the rest to the view. */
  path: string;
  /** Its section in the left rail. */
  section: string;
  view: LazyView;
}

/** A view whose code may not be loaded yet. */
interface LazyView {
  /** The view if it is completely loaded. */
  fetched(): ComponentType | undefined;
  /** Fetches the view and any missing styles; reloads the page if that fails. */
  fetch(): Promise<ComponentType>;
}

/** A view that is fetched when it is first shown: `lazyView(() => import('../views/x/index.tsx'), (views) => views.XView)`. */
export function lazyView<Module>(load: () => Promise<Module>, pick: (module: Module) => ComponentType): LazyView {
  let fetched: ComponentType | undefined;
  const fetchCode = async (): Promise<ComponentType> => {
    fetched = pick(await load());
    return fetched;
  };
  loaders.push(fetchCode);
  const fetchAll = async (): Promise<ComponentType> => {
    const component = await fetchCode();
    await fetchMissingStyles();
    return component;
  };
  return {
    fetched: () => (areStylesMissing() ? undefined : fetched),
    async fetch() {
      const component = await fetchAll().catch(reloadPage);
      loadedWell();
      return component;
    },
  };
}

type Shown = { component: ComponentType } | { error: unknown } | undefined;

/**
 * Shows a view with the same component while it is shown: another component would lose its state. Waits without Suspense, after which React
 * shows nothing for 300 ms, however soon the view arrives.
 */
export function ShownView({ view, waiting }: { view: LazyView; waiting: ReactNode }) {
  const [shown, setShown] = useState<Shown>(() => {
    const component = view.fetched();
    return component && { component };
  });
  useEffect(() => {
    if (shown) return;
    let isWanted = true;
    const show = (next: Shown) => isWanted && setShown(next);
    view.fetch().then(
      (component) => show({ component }),
      (error: unknown) => show({ error }),
    );
    return () => {
      isWanted = false;
    };
  }, [view, shown]);
  if (!shown) return waiting;
  if ('error' in shown) throw shown.error;
  return createElement(shown.component);
}

/**
 * Fetches every view and the code editor while idle: a window that stays open for days must not depend on a file that a network change or a
 * new build may remove at the moment of a click. Anything that cannot be fetched now is fetched when it is shown.
 */
export async function fetchViews(): Promise<void> {
  await Promise.allSettled([...loaders, loadEditor].map((load) => load()));
}
