import { MOST_POINTS } from './columns.ts';
import { firstFrom, type LaneLine, type Span, spacingOf } from './lane.ts';

/** A heat map as tiles of equal size: a row for each line, a column for several seconds. */
export interface HeatTiles {
  columns: number;
  /** Seconds of a column, and the start of the first one. */
  step: number;
  from: number;
  /** Row by row, the largest value of each tile's seconds, so that a single busy second of a core shows; NaN: unknown. */
  values: Float64Array;
}

/** Partly visible columns. */
const BESIDE = 2;

/** Seconds of a column: enough to stay below the maximum number of tiles of a lane, and at least a pixel. */
export function heatStep(lines: readonly LaneLine[], view: Span, width: number): number {
  const [first] = lines;
  const spacing = first ? spacingOf(first) : 1;
  const columns = Math.max(1, Math.floor(MOST_POINTS / Math.max(1, lines.length)) - BESIDE);
  const least = (view.to - view.from) / Math.max(1, Math.min(width, columns));
  return spacing * Math.max(1, Math.ceil(least / spacing - 1e-9));
}

export function tilesOf(lines: readonly LaneLine[], view: Span, width: number): HeatTiles {
  const step = heatStep(lines, view, width);
  const first = Math.floor(view.from / step);
  const columns = Math.max(1, Math.ceil(view.to / step) - first);
  const values = new Float64Array(columns * lines.length).fill(Number.NaN);
  lines.forEach(({ t, v, high = v }, row) => {
    const to = Math.min(t.length, firstFrom(t, view.to) + 1);
    const columnOf = (at: number): number => Math.ceil(at / step - 1e-9) - 1 - first;
    for (let index = firstFrom(t, view.from); index < to; index += 1) {
      const value = high[index] ?? Number.NaN;
      if (Number.isNaN(value)) continue;
      // A value covers the time since the previous one.
      const own = columnOf(t[index] ?? 0);
      const since = index > 0 ? Math.min(own, columnOf(t[index - 1] ?? 0) + 1) : own;
      for (let column = Math.max(0, since); column <= Math.min(columns - 1, own); column += 1) {
        const at = row * columns + column;
        if (!(value <= (values[at] ?? Number.NaN))) values[at] = value;
      }
    }
  });
  return { columns, step, from: first * step, values };
}
