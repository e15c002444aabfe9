import { GUTTER, NAMES_WIDTH } from '../../../shared/chart-models/index.ts';
import type { PlotEdges } from '../plot-edges.ts';
import { RIGHT } from './LaneRow.tsx';

/** Pixels that names need right of the pictures. */
const LEAST_NAMES = 170;
const LEAST_GUTTER = 30;

/** Where pictures and names of lanes stand. */
export interface Arrangement {
  names: 'left' | 'right';
  /** Pixels of a picture with its ticks, and of these alone. */
  picture: number;
  gutter: number;
}

/**
 * Names left of pictures as wide as there is room for, or below a plot between its edges, names right of them. `left`: of the lanes, on the
 * page.
 */
export function arranged(width: number, left: number, below: PlotEdges | undefined): Arrangement {
  const usual = { names: 'left', picture: Math.max(0, width - NAMES_WIDTH), gutter: GUTTER } as const;
  if (!below) return usual;
  const gutter = Math.round(below.left - left);
  const picture = gutter + below.width + RIGHT;
  return gutter >= LEAST_GUTTER && width - picture >= LEAST_NAMES ? { names: 'right', picture, gutter } : usual;
}
