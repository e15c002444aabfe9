import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

/** Each tab or step keeps its own place in the page: a new one starts at the top, one that was left is where it was. Goes on an element of it. */
export function useKeptScroll(tab: string): RefObject<HTMLDivElement | null> {
  const element = useRef<HTMLDivElement>(null);
  const places = useRef(new Map<string, number>());
  useLayoutEffect(() => {
    const main = element.current?.closest('main');
    if (main) main.scrollTop = places.current.get(tab) ?? 0;
  }, [tab]);
  useEffect(() => {
    const main = element.current?.closest('main');
    if (!main) return;
    const keep = (): void => {
      places.current.set(tab, main.scrollTop);
    };
    main.addEventListener('scroll', keep);
    return () => main.removeEventListener('scroll', keep);
  }, [tab]);
  return element;
}
