import { type ChartTheme, colourOf, heatColours } from '../theme.ts';
import { MOST_POINTS, type Points, type Seen, seenOf } from './columns.ts';
import { drawLimits, limitsIn } from './draw-limits.ts';
import {
  type ChartLane,
  colourOfLine,
  colourOfMark,
  firstFrom,
  type LaneLine,
  type LaneScene,
  type Span,
  spacingOf,
} from './lane.ts';
import { type LaneScale, scaleOf, tickWords } from './lane-scale.ts';
import type { Box, Pen } from './pen.ts';

/** Pixels above the highest value and below the lowest, so that lines along the edge are fully visible. */
const TOP = 6;
const FOOT = 4;
const TICK_SIZE = 10;
/** Minimum width of a gap, so that it is visible. */
const LEAST_GAP = 2;

interface Place {
  pen: Pen;
  box: Box;
  view: Span;
  theme: ChartTheme;
}

/** Draws the visible part of a lane into `box`; the ticks are to its left, in `gutter` pixels. */
export function drawLane(pen: Pen, lane: ChartLane, scene: LaneScene, { box, view, theme, gutter }: LanePlace): void {
  const place: Place = { pen, box, view, theme };
  warmUps(place, scene);
  if (lane.shape === 'heat') {
    heat(place, lane);
    moments(place, scene);
    gaps(place, lane);
    return;
  }
  const seen = seenOf(lane, view, box.width);
  const limits = limitsIn(lane, view);
  const scale = scaleOf(lane, limits, seen, box.height - TOP - FOOT);
  const y = heightIn(box, scale);
  for (const tick of scale.ticks) {
    pen.rect({ x: box.x, y: Math.round(y(tick)), width: box.width, height: 1 }, { colour: theme.grid });
    if (gutter > 0)
      pen.text(tickWords(tick), box.x - 5, y(tick), { colour: theme.faint, size: TICK_SIZE, align: 'right' });
  }
  moments(place, scene);
  pen.clip(box, () => {
    if (lane.shape === 'stack') stack(place, seen, y);
    lines(place, lane, seen, y);
  });
  drawLimits(place, lane, limits, { scale, y });
  gaps(place, lane);
}

export interface LanePlace {
  box: Box;
  view: Span;
  theme: ChartTheme;
  gutter: number;
}

type Height = (value: number) => number;

const heightIn = ({ y, height }: Box, { from, to }: LaneScale): Height => {
  const foot = y + height - FOOT;
  const each = (height - TOP - FOOT) / (to - from);
  return (value) => foot - (value - from) * each;
};

const xOf = ({ box, view }: Pick<Place, 'box' | 'view'>, at: number): number =>
  box.x + ((at - view.from) / (view.to - view.from)) * box.width;

/** The visible part of a span as a box. */
function boxOf(place: Place, from: number, to: number, least = 0): Box | undefined {
  const { box } = place;
  const left = Math.max(box.x, Math.round(xOf(place, from)));
  const right = Math.min(box.x + box.width, Math.max(Math.round(xOf(place, to)), Math.round(xOf(place, from)) + least));
  return right > left ? { x: left, y: box.y, width: right - left, height: box.height } : undefined;
}

function warmUps(place: Place, { trials }: LaneScene): void {
  for (const { from, measured } of trials) {
    const box = measured > from ? boxOf(place, from, measured) : undefined;
    if (box) place.pen.rect(box, { colour: place.theme.shade });
  }
}

/** Thin vertical lines at the start and end of trials, and at marks. */
function moments(place: Place, { trials, marks }: LaneScene): void {
  const { pen, box, theme } = place;
  const upright = (at: number, colour: string, opacity: number): void => {
    const x = Math.round(xOf(place, at));
    if (x >= box.x && x < box.x + box.width)
      pen.rect({ x, y: box.y, width: 1, height: box.height }, { colour, opacity });
  };
  for (const { from, to } of trials) {
    upright(from, theme.axis, 1);
    upright(to, theme.axis, 1);
  }
  for (const mark of marks) upright(mark.at, colourOfMark(mark, theme), 0.7);
}

function gaps(place: Place, { gaps: missing = [] }: ChartLane): void {
  for (const { from, to } of missing) {
    const box = boxOf(place, from, to, LEAST_GAP);
    if (box) place.pen.hatch(box, { colour: place.theme.faint, opacity: 0.55 });
  }
}

/** Points as pixels of the picture. */
function pathOf({ box }: Place, x: Float64Array, values: Float64Array, count: number, y: Height): Float64Array {
  const xy = new Float64Array(2 * count);
  for (let index = 0; index < count; index += 1) {
    xy[2 * index] = box.x + (x[index] ?? 0);
    xy[2 * index + 1] = y(values[index] ?? Number.NaN);
  }
  return xy;
}

const through = (values: Float64Array, count: number, map: (value: number) => number): Float64Array =>
  values.subarray(0, count).map(map);

function lines(place: Place, lane: ChartLane, seen: Seen, y: Height): void {
  const { pen, theme } = place;
  seen.parts.forEach((points, index) => {
    const line = seen.lines[index];
    if (!line || (lane.shape === 'stack' && !line.over)) return;
    const { x, v, count, isBand } = points;
    const colour = colourOfLine(line, theme);
    if (isBand && !line.over) band(place, points, y, colour);
    if (count === 1) dot(place, points, y, colour);
    else pen.line(pathOf(place, x, v, count, y), count, { colour, width: 1.4 });
  });
}

/** The range of the values at each point. */
function band({ pen, box }: Place, { x, low, high, count }: Points, y: Height, colour: string): void {
  const shifted = through(x, count, (value) => value + box.x);
  pen.area(shifted, through(high, count, y), through(low, count, y), count, { colour, opacity: 0.22 });
}

/** A line needs two points: a single one would otherwise be invisible. */
function dot({ pen, box }: Place, { x, v }: Points, y: Height, colour: string): void {
  const at = y(v[0] ?? Number.NaN);
  if (!Number.isNaN(at)) pen.rect({ x: box.x + (x[0] ?? 0) - 1.5, y: at - 1.5, width: 3, height: 3 }, { colour });
}

function stack(place: Place, { lines: all, parts, edges, whole }: Seen, y: Height): void {
  const { pen, box, theme } = place;
  const [first] = parts;
  if (!first) return;
  const x = through(first.x, first.count, (value) => value + box.x);
  const foot = new Float64Array(first.count).fill(y(0));
  edges.forEach((edge, index) => {
    const line = all[index];
    const below = edges[index - 1];
    if (!line) return;
    const colour = colourOf(line, theme.scheme);
    const lower = below ? through(below, first.count, (value) => (Number.isNaN(value) ? y(0) : y(value))) : foot;
    pen.area(x, through(edge, first.count, y), lower, first.count, { colour, opacity: 0.85 });
  });
  if (whole?.isBand) band(place, whole, y, theme.text);
}

/** Enough colours between those of the theme to show no steps. */
const SHADES = 32;
const NO_TILE = 255;

function heat({ pen, box, view, theme }: Place, lane: ChartLane): void {
  if (!(view.to > view.from) || lane.lines.length === 0) {
    pen.rect(box, { colour: theme.shade });
    return;
  }
  const palette = shadesOf(heatColours, SHADES);
  const { columns, step, from, values } = tilesOf(lane.lines, view, box.width);
  const most = lane.limit?.value ?? highestOf(values);
  const numbers = Uint8Array.from(values, (value) =>
    Number.isNaN(value) ? NO_TILE : Math.min(SHADES - 1, Math.max(0, Math.floor((value / (most || 1)) * SHADES))),
  );
  const x = xOf({ box, view }, from);
  const tiles = { ...box, x, width: xOf({ box, view }, from + columns * step) - x };
  pen.clip(box, () => pen.tiles(tiles, columns, lane.lines.length, numbers, palette));
}

function highestOf(values: Float64Array): number {
  let most = 0;
  for (const value of values) if (value > most) most = value;
  return most;
}

const shades = new Map<readonly string[], readonly string[]>();

/** `count` evenly spaced colours along the given ones, as six hexadecimal digits. */
function shadesOf(colours: readonly string[], count: number): readonly string[] {
  const known = shades.get(colours);
  if (known?.length === count) return known;
  const channel = (colour: string | undefined, at: number): number =>
    Number.parseInt((colour ?? '#000000').slice(at, at + 2), 16);
  const made = Array.from({ length: count }, (_, index) => {
    const place = (index / (count - 1)) * (colours.length - 1);
    const [one, other] = [colours[Math.floor(place)], colours[Math.ceil(place)]];
    const mixed = [1, 3, 5].map((at) => {
      const value = channel(one, at) * (1 - (place % 1)) + channel(other, at) * (place % 1);
      return Math.round(value).toString(16).padStart(2, '0');
    });
    return `#${mixed.join('')}`;
  });
  shades.set(colours, made);
  return made;
}

/** A heat map as tiles of equal size: a row for each line, a column for several seconds. */
interface HeatTiles {
  columns: number;
  /** Seconds of a column, and the start of the first one. */
  step: number;
  from: number;
  /** Row by row, the largest value of each tile's seconds, so that a single busy second of a core shows; NaN: unknown. */
  values: Float64Array;
}

/** Partly visible columns. */
const EDGE_COLUMNS = 2;

/** Seconds of a column: enough to stay below the maximum number of tiles of a lane, and at least a pixel. */
export function heatStep(lines: readonly LaneLine[], view: Span, width: number): number {
  const [first] = lines;
  const spacing = first ? spacingOf(first) : 1;
  const columns = Math.max(1, Math.floor(MOST_POINTS / Math.max(1, lines.length)) - EDGE_COLUMNS);
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
