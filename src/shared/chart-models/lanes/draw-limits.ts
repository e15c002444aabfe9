import type { MonitoredLimits, RunWindow } from '../../model/monitored.ts';
import { formatNumber, formatShort } from '../../util/format.ts';
import { type ChartTheme, colourOf } from '../theme.ts';
import type { ChartLane, LaneHead, LaneLimit, Span } from './lane.ts';
import type { LaneScale } from './lane-scale.ts';
import type { MonitoredLane } from './lanes-of-sources.ts';
import type { Box, Pen } from './pen.ts';

const SIZE = 10;
/** Pixels from the line to the middle of its words, and height of a row of words. */
const BELOW = 8;
const ABOVE = 7;
const ROW = 11;
/** Maximum number of named limits above the visible range. */
const MOST_ABOVE = 2;

interface Place {
  pen: Pen;
  box: Box;
  view: Span;
  theme: ChartTheme;
}

/** A dashed line for each limit over its span, labelled where it lasts longest; limits far above are only named. */
export function drawLimits(
  place: Place,
  { unit }: Pick<ChartLane, 'unit'>,
  limits: readonly LaneLimit[],
  { scale, y }: { scale: LaneScale; y: (value: number) => number },
): void {
  const { pen, theme } = place;
  const isSeen = ({ value }: LaneLimit): boolean => value <= scale.to;
  for (const limit of limits.filter(isSeen)) {
    const at = Math.round(y(limit.value)) + 0.5;
    const [from, to] = [xOf(place, limit.from), xOf(place, limit.to)];
    pen.line(Float64Array.of(from, at, to, at), 2, { colour: colourOfLimit(limit, theme), dashes: [4, 3] });
  }
  const taken: Taken[] = [];
  // A percentage far below a hundred needs no words.
  const above =
    unit === '%'
      ? []
      : longestOf(
          limits.filter((limit) => !isSeen(limit)),
          unit,
        ).slice(0, MOST_ABOVE);
  if (above.length > 0) taken.push(farAbove(place, above, unit));
  for (const limit of longestOf(limits.filter(isSeen), unit)) words(place, limit, y(limit.value), unit, taken);
}

/** Names limits that are too far above to be drawn, in the colour of their run if they belong to one. */
function farAbove({ pen, box, theme }: Place, limits: readonly LaneLimit[], unit: string): Taken {
  const text = `limit off scale: ${limits.map((limit) => limitWords(limit, unit)).join('; ')}`;
  const [first] = limits;
  const isOfRun = first?.slot !== undefined && limits.every(({ slot }) => slot === first.slot);
  const [end, y] = [box.x + box.width - 4, box.y + BELOW];
  const colour = isOfRun ? colourOfLimit(first, theme) : theme.faint;
  onPlate({ pen, theme }, text, end, y, colour);
  return { from: end - pen.widthOf(text, SIZE), to: end, y };
}

/** Pixels around words, and opacity of the plate behind them: areas are full of colour where a limit is reached. */
const PLATE = { x: 3, y: ROW / 2 + 1, opacity: 0.85 };

function onPlate({ pen, theme }: Pick<Place, 'pen' | 'theme'>, text: string, end: number, y: number, colour: string) {
  const width = pen.widthOf(text, SIZE);
  const box = { x: end - width - PLATE.x, y: y - PLATE.y, width: width + 2 * PLATE.x, height: 2 * PLATE.y };
  pen.rect(box, { colour: theme.ground, opacity: PLATE.opacity });
  pen.text(text, end, y, { colour, size: SIZE, align: 'right', ground: theme.ground });
}

const xOf = ({ box, view }: Pick<Place, 'box' | 'view'>, at: number): number =>
  box.x + ((at - view.from) / (view.to - view.from)) * box.width;

const colourOfLimit = ({ slot, shade }: LaneLimit, theme: ChartTheme): string =>
  slot === undefined ? theme.bad : colourOf({ slot, shade }, theme.scheme);

/** The longest of those with the same words: many runs have the same limit. */
function longestOf(limits: readonly LaneLimit[], unit: string): LaneLimit[] {
  const found = new Map<string, LaneLimit>();
  for (const limit of limits) {
    const key = `${limit.slot} ${limitWords(limit, unit)}`;
    const known = found.get(key);
    if (!known || limit.to - limit.from > known.to - known.from) found.set(key, limit);
  }
  return [...found.values()];
}

/** Space already occupied by words. */
interface Taken {
  from: number;
  to: number;
  y: number;
}

/** Places words below the line at its end, above it if there is no room, or next to occupied spaces. */
function words({ pen, box, view, theme }: Place, limit: LaneLimit, at: number, unit: string, taken: Taken[]): void {
  const text = limitWords(limit, unit);
  const width = pen.widthOf(text, SIZE);
  const end = Math.max(xOf({ box, view }, limit.to) - 4, box.x + width + 4);
  const isFree = (y: number): boolean =>
    y - ROW / 2 >= box.y - 2 &&
    y + ROW / 2 <= box.y + box.height + 1 &&
    taken.every((other) => Math.abs(other.y - y) >= ROW || other.to < end - width || other.from > end);
  const line = Math.round(at) + 0.5;
  const nextToTaken = taken.flatMap((other) => [other.y + ROW, other.y - ROW]);
  const y = [line + BELOW, line - ABOVE, ...nextToTaken].find(isFree);
  if (y === undefined) return;
  taken.push({ from: end - width, to: end, y });
  const colour = colourOfLimit(limit, theme);
  onPlate({ pen, theme }, text, end, y, colour);
}

/** `link speed, 1,192 MiB/s`; for a percentage only the words. */
const limitWords = ({ value, words: text }: LaneLimit, unit: string): string =>
  unit === '%'
    ? text
    : `${text}, ${Number.isInteger(value) ? formatNumber(value) : formatShort(value)}${unit ? ` ${unit}` : ''}`;

/** Limits of the visible part, each for its span: that of the lane wherever a run has no other. */
export function limitsIn({ limit, runLimits = [] }: Pick<LaneHead, 'limit' | 'runLimits'>, view: Span): LaneLimit[] {
  const own = runLimits.flatMap((each) => within(each, view));
  if (!limit) return own;
  return [...restOf(own, view).map((span) => ({ ...limit, ...span })), ...own];
}

function within(limit: LaneLimit, view: Span): LaneLimit[] {
  const [from, to] = [Math.max(limit.from, view.from), Math.min(limit.to, view.to)];
  return to > from ? [{ ...limit, from, to }] : [];
}

/** Parts of the view outside of the spans. */
function restOf(spans: readonly Span[], view: Span): Span[] {
  const rest: Span[] = [];
  let at = view.from;
  for (const { from, to } of [...spans].sort((one, other) => one.from - other.from)) {
    if (from > at) rest.push({ from: at, to: from });
    at = Math.max(at, to);
  }
  if (view.to > at) rest.push({ from: at, to: view.to });
  return rest;
}

/**
 * A lane with the limits of each run: from the settings of its cell, and as purchased. `zero`: epoch milliseconds of second 0 of the axis.
 */
export function withRunLimits(
  lane: MonitoredLane,
  limits: readonly MonitoredLimits[],
  windows: readonly RunWindow[],
  zero: number,
): MonitoredLane {
  const ids = new Set(lane.series.map(({ id }) => id));
  const runLimits = limits.flatMap(({ runId, limits: own }) => {
    const window = windows.find((each) => each.runId === runId);
    if (!window) return [];
    const span = { from: (window.zero - zero) / 1000, to: (window.to - zero) / 1000 };
    const found = own.filter((each) => each.sourceId === lane.sourceId && each.ids.some((id) => ids.has(id)));
    return distinct(found.map(({ value, words }) => ({ value, words, ...span })));
  });
  return runLimits.length > 0 ? { ...lane, runLimits } : lane;
}

/** Both directions of a link have the same limit. */
const distinct = (limits: readonly LaneLimit[]): LaneLimit[] =>
  limits.filter(
    ({ value, words }, index) => limits.findIndex((other) => other.value === value && other.words === words) === index,
  );
