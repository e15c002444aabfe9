import { type ComponentType, createElement, type ReactNode, useEffect, useState } from 'react';
import { loadAgain, loadedWell } from '../client/load-again.ts';
import { areStylesMissing, fetchMissingStyles } from '../client/styles.ts';
import { loadEditor } from '../code-editor/load.ts';

const loaders: (() => Promise<unknown>)[] = [];

export interface ViewRoute {
  /** Pattern of the router; `/*?` leaves the rest to the view. */
  path: string;
  /** Section of the left rail it belongs to. */
  section: string;
  view: LazyView;
}

/** A view whose code may not be here yet. */
interface LazyView {
  /** The view, where all of it is here. */
  fetched(): ComponentType | undefined;
  /** Fetches the view and what is missing of its styles; where that fails, loads the page again. */
  fetch(): Promise<ComponentType>;
}

/** A view fetched when it is first shown: `lazyView(() => import('../views/x/index.tsx'), (views) => views.XView)`. */
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
      const component = await fetchAll().catch(loadAgain);
      loadedWell();
      return component;
    },
  };
}

type Shown = { component: ComponentType } | { error: unknown } | undefined;

/**
 * Shows a view with the same component for as long as it is shown: another one would begin anew. Waits without Suspense, after which React
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
 * Fetches every view, and the code editor, while nothing else is to do: a window that stays open for days must not depend on a file that a network
 * change or a new build takes away in the moment of a click. What cannot be fetched now is fetched when it is shown.
 */
export async function fetchViews(): Promise<void> {
  await Promise.allSettled([...loaders, loadEditor].map((load) => load()));
}
