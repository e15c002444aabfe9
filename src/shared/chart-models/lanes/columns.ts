import { type ChartLane, firstFrom, type LaneLine, type Span } from './lane.ts';

/**
 * A line as it is drawn: at most a few points a pixel, whatever the line has. `x` in pixels of the picture. `low` and `high` are those of all
 * values that a point stands for.
 */
export interface Points {
  count: number;
  x: Float64Array;
  v: Float64Array;
  low: Float64Array;
  high: Float64Array;
  /** Whether `low` and `high` differ from `v` anywhere. */
  isBand: boolean;
}

/** From this many values for a pixel on they are put together. */
const CROWDED = 1.5;

/** The part of a line that is seen in `width` pixels, and one value beyond either end so that the line leaves the picture. */
export function pointsOf(line: LaneLine, view: Span, width: number): Points {
  const from = Math.max(0, firstFrom(line.t, view.from) - 1);
  const to = Math.min(line.t.length, firstFrom(line.t, view.to) + 1);
  return to - from > CROWDED * width ? gathered(line, view, width, from, to) : asTheyAre(line, view, width, from, to);
}

const pointsFor = (length: number): Points => ({
  count: 0,
  x: new Float64Array(length),
  v: new Float64Array(length),
  low: new Float64Array(length),
  high: new Float64Array(length),
  isBand: false,
});

function asTheyAre(line: LaneLine, view: Span, width: number, from: number, to: number): Points {
  const { t, v, low, high } = line;
  const points = pointsFor(Math.max(0, to - from));
  const scale = width / (view.to - view.from);
  for (let index = from; index < to; index += 1) {
    const at = points.count;
    const value = v[index] ?? Number.NaN;
    points.x[at] = ((t[index] ?? 0) - view.from) * scale;
    points.v[at] = value;
    points.low[at] = low?.[index] ?? value;
    points.high[at] = high?.[index] ?? value;
    points.count += 1;
  }
  points.isBand = low !== undefined && high !== undefined;
  return points;
}

/** A point for each column of pixels that has values: their mean with the smallest and the largest of them. */
function gathered(line: LaneLine, view: Span, width: number, from: number, to: number): Points {
  const { t, v, low = v, high = v } = line;
  const points = pointsFor(Math.ceil(width) + 2);
  const scale = width / (view.to - view.from);
  let column = Number.NaN;
  let [sum, values, least, most] = [0, 0, Infinity, -Infinity];
  const close = (): void => {
    const at = points.count;
    points.x[at] = column + 0.5;
    points.v[at] = values > 0 ? sum / values : Number.NaN;
    points.low[at] = values > 0 ? least : Number.NaN;
    points.high[at] = values > 0 ? most : Number.NaN;
    points.count += 1;
  };
  for (let index = from; index < to; index += 1) {
    const own = Math.max(-1, Math.min(Math.ceil(width), Math.floor(((t[index] ?? 0) - view.from) * scale)));
    if (own !== column) {
      if (index > from) close();
      column = own;
      [sum, values, least, most] = [0, 0, Infinity, -Infinity];
    }
    const value = v[index] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    sum += value;
    values += 1;
    least = Math.min(least, low[index] ?? value);
    most = Math.max(most, high[index] ?? value);
  }
  if (to > from) close();
  points.isBand = true;
  return points;
}

/** What is seen of a lane. */
export interface Seen {
  /** Of each line; of a stack its parts first, then what is drawn over it. */
  lines: readonly LaneLine[];
  parts: readonly Points[];
  /** Of a stack: the upper edge of each part. */
  edges: readonly Float64Array[];
}

export function seenOf({ shape, lines }: Pick<ChartLane, 'shape' | 'lines'>, view: Span, width: number): Seen {
  const inOrder =
    shape === 'stack'
      ? [...lines].sort((one, other) => Number(one.over !== undefined) - Number(other.over !== undefined))
      : lines;
  const parts = inOrder.map((line) => pointsOf(line, view, width));
  const stack = shape === 'stack' ? parts.filter((_, index) => !inOrder[index]?.over) : [];
  return { lines: inOrder, parts, edges: stacked(stack) };
}

/** Parts of a stack, each at the same places, added up from the first: the upper edge of each. A part that has no value there adds nothing. */
function stacked(parts: readonly Points[]): Float64Array[] {
  const length = Math.max(0, ...parts.map(({ count }) => count));
  let below = new Float64Array(length);
  let anyBelow = new Array<boolean>(length).fill(false);
  return parts.map(({ v, count }) => {
    const edge = new Float64Array(length);
    const any = [...anyBelow];
    for (let index = 0; index < length; index += 1) {
      const value = index < count ? (v[index] ?? Number.NaN) : Number.NaN;
      const known = !Number.isNaN(value);
      any[index] = any[index] === true || known;
      const base = below[index] ?? 0;
      edge[index] = any[index] ? (Number.isNaN(base) ? 0 : base) + (known ? value : 0) : Number.NaN;
    }
    below = edge;
    anyBelow = any;
    return edge;
  });
}
