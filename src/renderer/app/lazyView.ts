import { type ComponentType, createElement, lazy, useState } from 'react';
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

/** What shows a view now: the view itself, or a component that waits for it. */
type LazyView = () => ComponentType;

/**
 * A view fetched when it is first shown: `lazyView(() => import('../views/x/index.tsx'), (views) => views.XView)`. One that was fetched in advance is
 * shown at once: whatever React has to wait for, it shows 300 ms later at the earliest.
 */
export function lazyView<Module>(load: () => Promise<Module>, pick: (module: Module) => ComponentType): LazyView {
  let fetched: ComponentType | undefined;
  const fetch = async (): Promise<ComponentType> => {
    const component = pick(await load());
    fetched = component;
    return component;
  };
  loaders.push(fetch);
  const Later = lazy(async () => {
    const arrived = async (): Promise<ComponentType> => {
      const component = await fetch();
      await fetchMissingStyles();
      return component;
    };
    const component = await arrived().catch(loadAgain);
    loadedWell();
    return { default: component };
  });
  return () => (fetched === undefined || areStylesMissing() ? Later : fetched);
}

/** Shows a view with the same component for as long as it is shown: another one would begin anew. */
export function ShownView({ view }: { view: LazyView }) {
  const [component] = useState(view);
  return createElement(component);
}

/**
 * Fetches every view, and the code editor, while nothing else is to do: a window that stays open for days must not depend on a file that a network
 * change or a new build takes away in the moment of a click. What cannot be fetched now is fetched when it is shown.
 */
export async function fetchViews(): Promise<void> {
  await Promise.allSettled([...loaders, loadEditor].map((load) => load()));
}
