import { formatNumber, formatShort } from '../../util/format.ts';
import { type ChartTheme, colourOf, heatColours } from '../theme.ts';
import { type Points, type Seen, seenOf } from './columns.ts';
import { type ChartLane, colourOfLine, type LaneScene, type Span } from './lane.ts';
import { type LaneScale, scaleOf, tickWords } from './lane-scale.ts';
import { markColour } from './mark-looks.ts';
import type { Box, Pen } from './pen.ts';

/** Pixels above the highest value and below the lowest, so that a line along the edge is seen whole. */
const TOP = 6;
const FOOT = 4;
const TICK_SIZE = 10;
const LIMIT_SIZE = 10;
/** A gap is never too narrow to be seen. */
const LEAST_GAP = 2;

interface Place {
  pen: Pen;
  box: Box;
  view: Span;
  theme: ChartTheme;
}

/** Draws what is seen of a lane into `box`; left of it, in `gutter` pixels, stand the ticks. */
export function drawLane(pen: Pen, lane: ChartLane, scene: LaneScene, { box, view, theme, gutter }: LanePlace): void {
  const place: Place = { pen, box, view, theme };
  const seen = seenOf(lane, view, box.width);
  warmUps(place, scene);
  if (lane.shape === 'heat') {
    heat(place, lane, seen);
    moments(place, scene);
    gaps(place, lane);
    return;
  }
  const scale = scaleOf(lane, seen, box.height - TOP - FOOT);
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
  limit(place, lane, scale, y);
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

/** A span as a box, as far as it is seen. */
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

/** Thin upright lines where trials begin and end, and where something happened. */
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
  for (const { at, kind } of marks) upright(at, markColour(kind, theme), 0.7);
}

function gaps(place: Place, { gaps: missing = [] }: ChartLane): void {
  for (const { from, to } of missing) {
    const box = boxOf(place, from, to, LEAST_GAP);
    if (box) place.pen.hatch(box, { colour: place.theme.faint, opacity: 0.55 });
  }
}

function limit({ pen, box, theme }: Place, lane: ChartLane, scale: LaneScale, y: Height): void {
  if (!lane.limit) return;
  const { value } = lane.limit;
  const words = limitWords(lane.limit, lane.unit);
  const style = { colour: theme.bad, size: LIMIT_SIZE, align: 'right' as const, ground: theme.ground };
  if (value > scale.to) {
    // That a percentage is far from a hundred needs no words.
    if (lane.unit !== '%')
      pen.text(`limit above: ${words}`, box.x + box.width - 4, box.y + 8, { ...style, colour: theme.faint });
    return;
  }
  const at = Math.round(y(value)) + 0.5;
  pen.line(Float64Array.of(box.x, at, box.x + box.width, at), 2, { colour: theme.bad, dashes: [4, 3] });
  // Below the line, or above it where there is no room.
  const below = at + 14 <= box.y + box.height;
  pen.text(words, box.x + box.width - 4, below ? at + 8 : at - 7, style);
}

/** `link speed, 1,192 MiB/s`; of a percentage the words alone. */
const limitWords = ({ value, words }: { value: number; words: string }, unit: string): string =>
  unit === '%'
    ? words
    : `${words}, ${Number.isInteger(value) ? formatNumber(value) : formatShort(value)}${unit ? ` ${unit}` : ''}`;

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
  const { pen, box, theme } = place;
  seen.parts.forEach((points, index) => {
    const line = seen.lines[index];
    if (!line || (lane.shape === 'stack' && !line.over)) return;
    const { x, v, low, high, count, isBand } = points;
    const colour = colourOfLine(line, theme);
    if (isBand && !line.over) {
      const shifted = through(x, count, (value) => value + box.x);
      pen.area(shifted, through(high, count, y), through(low, count, y), count, { colour, opacity: 0.22 });
    }
    if (count === 1) dot(place, points, y, colour);
    else pen.line(pathOf(place, x, v, count, y), count, { colour, width: 1.4 });
  });
}

/** A line needs two points: a single one would leave no mark. */
function dot({ pen, box }: Place, { x, v }: Points, y: Height, colour: string): void {
  const at = y(v[0] ?? Number.NaN);
  if (!Number.isNaN(at)) pen.rect({ x: box.x + (x[0] ?? 0) - 1.5, y: at - 1.5, width: 3, height: 3 }, { colour });
}

function stack(place: Place, { lines: all, parts, edges }: Seen, y: Height): void {
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
}

/** Colours between those of the theme: enough that steps are not seen. */
const SHADES = 32;
const NO_TILE = 255;

function heat({ pen, box, view, theme }: Place, lane: ChartLane, { parts }: Seen): void {
  const palette = shadesOf(heatColours, SHADES);
  const columns = Math.max(1, Math.floor(box.width));
  const most = lane.limit?.value ?? highestOf(parts);
  const numbers = new Uint8Array(columns * parts.length).fill(NO_TILE);
  parts.forEach(({ x, v, count }, row) => {
    for (let index = 0; index < count; index += 1) {
      const value = v[index] ?? Number.NaN;
      if (Number.isNaN(value)) continue;
      const shade = Math.min(SHADES - 1, Math.max(0, Math.floor((value / (most || 1)) * SHADES)));
      // A value stands for the time since the one before: from there to here, or one column of pixels.
      const right = Math.ceil(x[index] ?? 0);
      const left = index > 0 ? Math.ceil(x[index - 1] ?? 0) : right - 1;
      for (let column = Math.max(0, left); column < Math.min(columns, Math.max(right, left + 1)); column += 1)
        numbers[row * columns + column] = shade;
    }
  });
  if (view.to > view.from && parts.length > 0)
    pen.tiles({ ...box, width: columns }, columns, parts.length, numbers, palette);
  else pen.rect(box, { colour: theme.shade });
}

function highestOf(parts: readonly Points[]): number {
  let most = 0;
  for (const { v, count } of parts)
    for (let index = 0; index < count; index += 1) {
      const value = v[index] ?? Number.NaN;
      if (value > most) most = value;
    }
  return most;
}

const shades = new Map<readonly string[], readonly string[]>();

/** `count` colours evenly along those given, as six hexadecimal digits. */
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
