import { createContext, type RefObject, useContext, useEffect, useLayoutEffect, useRef, useState } from 'react';

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

/** The present time in epoch milliseconds, renewed every `everyMs`; standing still when that is undefined. */
export function useNow(everyMs: number | undefined): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (everyMs === undefined) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

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

declare global {
  /** Read by the library that keeps the page from scrolling behind a dialog. */
  var __webpack_nonce__: string | undefined;
}

/** The nonce with which the content policy lets in a style element that a library adds; empty if the page has none. */
export function styleNonce(): string {
  const place = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]');
  // A policy that came with the answer empties the attribute and leaves the property.
  return place?.nonce || place?.getAttribute('nonce') || '';
}

/** For libraries that ask a global: to be called before anything is drawn. */
export function shareStyleNonce(): void {
  globalThis.__webpack_nonce__ = styleNonce();
}

/** A file made by the engine. */
interface MadeFile {
  fileName: string;
  mediaType: string;
  bytes: Uint8Array;
}

/** Hands a file to the person through the page's own download, which asks for a place where that is set so. */
export function saveFile({ fileName, mediaType, bytes }: MadeFile): void {
  const address = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type: mediaType }));
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(address);
}
