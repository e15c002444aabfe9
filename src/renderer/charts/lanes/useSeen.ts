import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { LaneWindow } from './lane-window.ts';
import { type Row, rowsBetween } from './layout.ts';

/** Pixels beyond the visible part within which lanes are already rendered: scrolling does not wait for them. */
const AHEAD = 320;
/** Height of a page without a layout. */
const SOME_HEIGHT = 800;

/** The rows that are visible, or nearly; evaluated with every scroll event, and rendered when they change. */
export function useSeen(rows: readonly Row[], shared: LaneWindow) {
  const scroller = useRef<HTMLDivElement>(null);
  const edge = useRef({ top: 0, height: SOME_HEIGHT });
  const [edges, setEdges] = useState({ from: 0, to: SOME_HEIGHT });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const look = (): void => {
      const [top, height] = [element.scrollTop, element.clientHeight || SOME_HEIGHT];
      edge.current = { top, height };
      // In steps: a row is rendered before it is visible, not with every pixel.
      const from = Math.floor((top - AHEAD) / (AHEAD / 2)) * (AHEAD / 2);
      const to = from + Math.ceil(height / (AHEAD / 2) + 5) * (AHEAD / 2);
      setEdges((before) => (before.from === from && before.to === to ? before : { from, to }));
      shared.changed();
    };
    look();
    const resized = new ResizeObserver(look);
    resized.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      resized.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [shared]);
  const seen = useMemo(() => rowsBetween(rows, edges.from, edges.to), [rows, edges]);
  const places = useMemo(() => new Map(rows.map((row) => [row.key, row])), [rows]);
  const isSeen = useCallback(
    (lane: string): boolean => {
      const row = places.get(lane);
      const { top, height } = edge.current;
      return row === undefined || (row.top < top + height && row.top + row.height > top);
    },
    [places],
  );
  return { scroller, seen, isSeen };
}
