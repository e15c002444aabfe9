import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { loadAgain, loadedWell } from '../client/load-again.ts';
import { fetchMissingStyles } from '../client/styles.ts';
import { loadEditor } from '../code-editor/load.ts';

const loaders: (() => Promise<unknown>)[] = [];

export interface ViewRoute {
  /** Pattern of the router; `/*?` leaves the rest to the view. */
  path: string;
  /** Section of the left rail it belongs to. */
  section: string;
  view: LazyExoticComponent<ComponentType>;
}

/** A view fetched when it is first shown: `lazyView(() => import('../views/x/index.tsx'), (views) => views.XView)`. */
export const lazyView = <Module>(
  load: () => Promise<Module>,
  pick: (module: Module) => ComponentType,
): LazyExoticComponent<ComponentType> => {
  loaders.push(load);
  return lazy(async () => {
    const arrived = async (): Promise<Module> => {
      const module = await load();
      await fetchMissingStyles();
      return module;
    };
    const module = await arrived().catch(loadAgain);
    loadedWell();
    return { default: pick(module) };
  });
};

/**
 * Fetches every view, and the code editor, while nothing else is to do: a window that stays open for days must not depend on a file that a network
 * change or a new build takes away in the moment of a click. What cannot be fetched now is fetched when it is shown.
 */
export async function fetchViews(): Promise<void> {
  await Promise.allSettled([...loaders, loadEditor].map((load) => load()));
}
