import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { GUTTER, heightOf, type LaneHead, NAMES_WIDTH } from '../../../shared/chart-models/index.ts';
import type { PlotEdges } from '../useBelow.ts';
import { RIGHT } from './LaneRow.tsx';
import type { LaneWindow } from './lane-window.ts';

/** Lanes of a host, a server or the tool, one below the other. */
export interface ShownGroup {
  id: string;
  name: string;
  /** Uncertainty of its clock, cost of monitoring it, and problems. */
  notes: readonly string[];
  problem?: string | undefined;
  lanes: readonly LaneHead[];
}

/** A row at a height: the head of a group, or a lane. */
export type Row =
  | { kind: 'group'; key: string; group: ShownGroup; top: number; height: number }
  | { kind: 'lane'; key: string; lane: LaneHead; group: ShownGroup; top: number; height: number };

const GROUP_HEIGHT = 32;
/** Space above and below a lane's picture, and its line. */
const LANE_ROOM = 9;

export function rowsOf(groups: readonly ShownGroup[], collapsed: ReadonlySet<string>): { rows: Row[]; height: number } {
  const rows: Row[] = [];
  let top = 0;
  for (const group of groups) {
    rows.push({ kind: 'group', key: group.id, group, top, height: GROUP_HEIGHT });
    top += GROUP_HEIGHT;
    if (collapsed.has(group.id)) continue;
    for (const lane of group.lanes) {
      const height = heightOf(lane) + LANE_ROOM;
      rows.push({ kind: 'lane', key: lane.id, lane, group, top, height });
      top += height;
    }
  }
  return { rows, height: top };
}

/** Rows that are visible between two heights. */
const rowsBetween = (rows: readonly Row[], from: number, to: number): Row[] =>
  rows.filter(({ top, height }) => top + height > from && top < to);

/** Pixels beyond the visible part within which lanes are already rendered: scrolling does not wait for them. */
const MARGIN = 320;
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
      const from = Math.floor((top - MARGIN) / (MARGIN / 2)) * (MARGIN / 2);
      const to = from + Math.ceil(height / (MARGIN / 2) + 5) * (MARGIN / 2);
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

/** Minimum share of the width for pictures: a plot next to another panel is too narrow for them. */
const LEAST_PICTURE = 0.6;
/** Pixels needed for names to the right of the pictures. */
const LEAST_NAMES = 170;
const LEAST_GUTTER = 30;

/** Position of pictures and names of lanes. */
interface Arrangement {
  names: 'left' | 'right';
  /** Width of a picture with its ticks, and of the ticks alone, pixels. */
  picture: number;
  gutter: number;
}

/**
 * By default names are left of pictures, which take the remaining width. Below a plot that takes most of the width, pictures are between
 * its edges and names are right of them. `left`: of the lanes, on the page.
 */
export function arranged(width: number, left: number, below: PlotEdges | undefined): Arrangement {
  const usual = { names: 'left', picture: Math.max(0, width - NAMES_WIDTH), gutter: GUTTER } as const;
  if (!below) return usual;
  const gutter = Math.round(below.left - left);
  const picture = gutter + below.width + RIGHT;
  const isWide = picture >= LEAST_PICTURE * width;
  return isWide && gutter >= LEAST_GUTTER && width - picture >= LEAST_NAMES
    ? { names: 'right', picture, gutter }
    : usual;
}
