import { type RefObject, useLayoutEffect, useRef } from 'react';

/** After this time a list is as tall as it will be. */
const LONGEST_MS = 3000;
/** Events after which the user determines the scroll position. */
const OWN_SCROLLING = ['wheel', 'keydown', 'pointerdown', 'touchstart'] as const;

/** Keeps the scroll position of each list while the window is open, and restores it on return. Other views keep their own. */
export function useListPlaces(main: RefObject<HTMLElement | null>, path: string, lists: readonly string[]): void {
  const places = useRef(new Map<string, number>());
  useLayoutEffect(() => {
    const element = main.current;
    if (!element || !lists.includes(path)) return;
    const wanted = places.current.get(path) ?? 0;
    const watched = new Set<Element>();
    const reach = (): void => {
      // The list grows while it is drawn; observing one again would notify at once.
      for (const child of element.children) {
        if (!watched.has(child)) observer.observe(child);
        watched.add(child);
      }
      element.scrollTop = wanted;
      if (element.scrollTop >= wanted - 1) end();
    };
    const observer = new ResizeObserver(reach);
    const timer = setTimeout(() => end(), LONGEST_MS);
    const end = (): void => {
      observer.disconnect();
      clearTimeout(timer);
      for (const event of OWN_SCROLLING) element.removeEventListener(event, end);
      element.addEventListener('scroll', keep);
    };
    const keep = (): void => void places.current.set(path, element.scrollTop);
    for (const event of OWN_SCROLLING) element.addEventListener(event, end, { passive: true });
    reach();
    return () => {
      end();
      element.removeEventListener('scroll', keep);
      // The next view starts at its top, unless it keeps its own position.
      element.scrollTop = 0;
    };
  }, [main, path, lists]);
}
