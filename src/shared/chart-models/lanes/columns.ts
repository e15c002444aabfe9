import { type ChartLane, firstFrom, type LaneLine, type Span } from './lane.ts';

/**
 * A line as drawn: at most a few points per pixel, however many the line has. `x` in pixels of the picture. `low` and `high` are those of
 * all values that a point combines.
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

/** Maximum number of drawn points of a lane: those of its lines and of the edges of its areas, or the tiles of a heat map. */
export const MOST_POINTS = 5000;

/** With more values per pixel than this, they are combined. */
const CROWDED = 1.5;
/** A combined line has its mean, its smallest and its largest value at each point. */
const BAND = 3;
/** Partly visible columns, and those of the values beyond either end. */
const EDGE_COLUMNS = 3;

/**
 * The visible part of a line in `width` pixels, and one value beyond either end so that the line leaves the picture. `most`: maximum number
 * of points; each of the line's points takes `each`, those of a band three.
 */
export function pointsOf(line: LaneLine, view: Span, width: number, most = Number.POSITIVE_INFINITY, each = 1): Points {
  const from = Math.max(0, firstFrom(line.t, view.from) - 1);
  const to = Math.min(line.t.length, firstFrom(line.t, view.to) + 1);
  const places = (to - from) * (line.low && line.high ? Math.max(each, BAND) : each);
  if (to - from <= CROWDED * width && places <= most) return unthinned(line, view, width, from, to);
  const columns = Math.min(Math.ceil(width), Math.floor(most / Math.max(each, BAND)) - EDGE_COLUMNS);
  return gathered(line, { view, width, columns: Math.max(1, columns) }, from, to);
}

const pointsFor = (length: number): Points => ({
  count: 0,
  x: new Float64Array(length),
  v: new Float64Array(length),
  low: new Float64Array(length),
  high: new Float64Array(length),
  isBand: false,
});

function unthinned(line: LaneLine, view: Span, width: number, from: number, to: number): Points {
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

interface Columns {
  view: Span;
  width: number;
  columns: number;
}

/**
 * One point for each column that has values: their mean with the smallest and the largest of them. Columns begin at the same seconds for
 * any visible part, so that a line does not change its shape while it is moved.
 */
function gathered(line: LaneLine, { view, width, columns }: Columns, from: number, to: number): Points {
  const { t, v, low = v, high = v } = line;
  const points = pointsFor(columns + EDGE_COLUMNS);
  const each = columns / (view.to - view.from);
  const first = Math.floor(view.from * each);
  let column = Number.NaN;
  let [sum, values, least, most] = [0, 0, Infinity, -Infinity];
  const close = (): void => {
    const at = points.count;
    points.x[at] = (first + column + 0.5 - view.from * each) * (width / columns);
    points.v[at] = values > 0 ? sum / values : Number.NaN;
    points.low[at] = values > 0 ? least : Number.NaN;
    points.high[at] = values > 0 ? most : Number.NaN;
    points.count += 1;
  };
  for (let index = from; index < to; index += 1) {
    const own = Math.max(-1, Math.min(columns + 1, Math.floor((t[index] ?? 0) * each) - first));
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

/** The visible part of a lane. */
export interface Seen {
  /** The lines; for a stack, its parts first, then the lines over it. */
  lines: readonly LaneLine[];
  parts: readonly Points[];
  /** For a stack: the upper edge of each part. */
  edges: readonly Float64Array[];
  /** For a stack without a line over it: its height if values are combined, so that the maximum shows. */
  whole?: Points;
}

/** A part of a stack is drawn between two edges. */
const EDGES = 2;

export function seenOf({ shape, lines }: Pick<ChartLane, 'shape' | 'lines'>, view: Span, width: number): Seen {
  if (shape !== 'stack') {
    const most = Math.floor(MOST_POINTS / Math.max(1, lines.length));
    return { lines, parts: lines.map((line) => pointsOf(line, view, width, most)), edges: [] };
  }
  const inOrder = [...lines].sort((one, other) => Number(one.over !== undefined) - Number(other.over !== undefined));
  const parts = inOrder.filter(({ over }) => !over);
  // One more than the number of parts: the height of all of them.
  const most = Math.floor(MOST_POINTS / (inOrder.length + 1));
  const points = inOrder.map((line) => pointsOf(line, view, width, most, EDGES));
  const sum = points[0]?.isBand && parts.length === inOrder.length ? sumOf(parts, view) : undefined;
  return {
    lines: inOrder,
    parts: points,
    edges: stacked(points.slice(0, parts.length)),
    ...(sum && { whole: pointsOf(sum, view, width, most, EDGES) }),
  };
}

/** Height of the visible part of a stack; undefined if only means of its parts are known, or their times differ. */
function sumOf(parts: readonly LaneLine[], view: Span): LaneLine | undefined {
  const [first] = parts;
  if (
    !first ||
    parts.some(({ t, low, high }) => t.length !== first.t.length || low !== undefined || high !== undefined)
  )
    return undefined;
  const from = Math.max(0, firstFrom(first.t, view.from) - 1);
  const to = Math.min(first.t.length, firstFrom(first.t, view.to) + 1);
  const v = new Float64Array(to - from).fill(Number.NaN);
  for (const part of parts)
    for (let index = from; index < to; index += 1) {
      const value = part.v[index] ?? Number.NaN;
      const before = v[index - from] ?? Number.NaN;
      if (!Number.isNaN(value)) v[index - from] = Number.isNaN(before) ? value : before + value;
    }
  return { key: '', label: '', slot: 0, t: first.t.subarray(from, to), v };
}

/** Cumulative upper edges of the parts of a stack, all with the same points. A part without a value at a point adds nothing. */
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
