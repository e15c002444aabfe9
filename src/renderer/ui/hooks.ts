import {
  createContext,
  type DragEvent,
  type RefObject,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

/**
 * Keeps a scroll position for each tab or step: a new one starts at the top, a previous one is where it was left. Attach to one of its
 * elements.
 */
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

/** The current time in epoch milliseconds, renewed every `everyMs`; constant if that is undefined. */
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
  /** Address inside the app; absent for the current place. */
  to?: string;
}

export const CrumbsContext = createContext<(crumbs: readonly Crumb[]) => void>(() => undefined);

/** Sets the place inside a section for the top bar and the window title. Crumbs of the section itself are added automatically. */
export function useCrumbs(crumbs: readonly Crumb[]): void {
  const set = useContext(CrumbsContext);
  const key = JSON.stringify(crumbs);
  useEffect(() => {
    set(JSON.parse(key));
    return () => set([]);
  }, [set, key]);
}

declare global {
  /** Read by the library that prevents the page from scrolling behind a dialog. */
  var __webpack_nonce__: string | undefined;
}

/** The nonce with which the content policy allows style elements of libraries; empty if the page has none. */
export function styleNonce(): string {
  const place = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]');
  // A policy sent with the response clears the attribute and keeps the property.
  return place?.nonce || place?.getAttribute('nonce') || '';
}

/** For libraries that read a global: must be called before anything is drawn. */
export function shareStyleNonce(): void {
  globalThis.__webpack_nonce__ = styleNonce();
}

/** A file made by the engine. */
interface MadeFile {
  fileName: string;
  mediaType: string;
  bytes: Uint8Array;
}

/** Saves a file through the page's download, which asks for a location if the user has set that. */
export function saveFile({ fileName, mediaType, bytes }: MadeFile): void {
  const address = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type: mediaType }));
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(address);
}

/** Inputs that ignore letters. */
const SILENT = ['checkbox', 'radio', 'button', 'submit', 'range', 'file'];

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !SILENT.includes(target.type);
  return target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

const isInDialog = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('[role=dialog]') !== null;

/**
 * Single keys without a modifier, by `KeyboardEvent.key`: `n`, `?`. Active unless the user is typing or a dialog has the focus; a focused
 * checkbox, chip or tile does not swallow them.
 */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const act = latest.current[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (!act || isTyping(event.target) || isInDialog(event.target)) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}

/** Ctrl or ⌘ with Z undoes, with Shift or with Y redoes. Fields and the code editor undo their own input. */
export function useUndoKeys(undo: () => void, redo: () => void): void {
  const latest = useRef({ undo, redo });
  useEffect(() => {
    latest.current = { undo, redo };
  });
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.defaultPrevented || isTyping(event.target)) return;
      const key = event.key.toLowerCase();
      if (key !== 'z' && key !== 'y') return;
      event.preventDefault();
      if (key === 'y' || event.shiftKey) latest.current.redo();
      else latest.current.undo();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}

/** Makes a browser start the drag; its content is never read, as only places of the same page accept the row. */
const TYPE = 'application/x-kneepoint';

/** Properties of a draggable element. `onDrag` is called at the start with true, and at the end, dropped or not, with false. */
export const draggable = (onDrag: (starts: boolean) => void) => ({
  draggable: true,
  onDragStart: (event: DragEvent) => {
    event.dataTransfer.setData(TYPE, '');
    event.dataTransfer.effectAllowed = 'move';
    // A change of the page during the event ends the drag in some browsers.
    setTimeout(() => onDrag(true));
  },
  onDragEnd: () => onDrag(false),
});

/** Properties of an element on which the dragged one can be dropped. `actionOf`: undefined where it is not accepted. */
export function useDropPlace(actionOf: () => (() => void) | undefined) {
  const [over, setOver] = useState(false);
  return {
    'data-over': over || undefined,
    onDragOver: (event: DragEvent): void => {
      if (!actionOf()) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent): void => {
      setOver(false);
      const act = actionOf();
      if (!act) return;
      event.preventDefault();
      act();
    },
  };
}
