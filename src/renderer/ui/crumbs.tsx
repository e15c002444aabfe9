import { createContext, useContext, useEffect } from 'react';

export interface Crumb {
  label: string;
  /** Address inside the app; none for where one is. */
  to?: string;
}

export const CrumbsContext = createContext<(crumbs: readonly Crumb[]) => void>(() => undefined);

/** Names the place inside a section for the top bar and the window title. Crumbs of the section itself are already there. */
export function useCrumbs(crumbs: readonly Crumb[]): void {
  const set = useContext(CrumbsContext);
  const key = JSON.stringify(crumbs);
  useEffect(() => {
    set(JSON.parse(key));
    return () => set([]);
  }, [set, key]);
}
