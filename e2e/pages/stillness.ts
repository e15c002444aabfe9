import type { Page } from '@playwright/test';

/** A box that moved: its name, from where and to where. */
interface Move {
  what: string;
  from: string;
  to: string;
}

declare global {
  interface Window {
    kneepointMoves?: { read(): readonly Move[] };
  }
}

interface Shift extends PerformanceEntry {
  sources: readonly { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
}

/** From now on records every box of the page that moves, also after a click or a key. A window that was just resized is laid out first. */
export const watchMoves = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (let frames = 0; frames < 4; frames += 1)
      await new Promise<void>((drawn) => requestAnimationFrame(() => drawn()));
    const moves: Move[] = [];
    const words = (node: Node | null): string => {
      const element = node instanceof Element ? node : node?.parentElement;
      return `${element?.tagName.toLowerCase()}.${element?.className}: ${element?.textContent?.slice(0, 60)}`;
    };
    const place = ({ x, y }: DOMRectReadOnly): string => [x, y].map(Math.round).join(' ');
    const take = (entries: PerformanceEntryList): void => {
      // A figure that gains a digit moves within its own box, which stays.
      for (const { sources } of entries as Shift[])
        for (const { node, previousRect, currentRect } of sources)
          if (place(previousRect) !== place(currentRect))
            moves.push({ what: words(node), from: place(previousRect), to: place(currentRect) });
    };
    window.kneepointMoves?.read();
    const observer = new PerformanceObserver((list) => take(list.getEntries()));
    observer.observe({ type: 'layout-shift' });
    window.kneepointMoves = {
      read: () => {
        take(observer.takeRecords());
        return moves;
      },
    };
  });

/** Boxes that have moved since watching began. */
export const movesOf = (page: Page): Promise<readonly Move[]> =>
  page.evaluate(() => {
    if (!window.kneepointMoves) throw new Error('Nobody watches what moves on this page.');
    return window.kneepointMoves.read();
  });
