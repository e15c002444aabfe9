import type { ChartTable } from '../model.ts';
import type { ChartTheme } from '../theme.ts';
import { drawHead, HEAD_HEIGHT, type LaneClock, shortened } from './draw-head.ts';
import { drawLane } from './draw-lane.ts';
import {
  type ChartLane,
  colourOfLine,
  firstFrom,
  heightOf,
  type LaneScene,
  NAME_ROW,
  type Span,
  TITLE_ROW,
} from './lane.ts';
import type { Pen } from './pen.ts';

/** Pixels to the left of the lanes for names and ticks, as on the screen. */
export const NAMES_WIDTH = 200;
export const GUTTER = 46;
const PAD = 12;
const GAP = 8;
const GROUP = 24;

export interface LanePicture {
  lanes: readonly ChartLane[];
  /** Name of a group by its id. */
  groups: ReadonlyMap<string, string>;
  scene: LaneScene;
  clock: LaneClock;
  view: Span;
}

/** Height of all lanes with their names, pixels. */
export const pictureHeight = ({ lanes }: Pick<LanePicture, 'lanes'>): number =>
  placesOf(lanes).reduce((end, { y, lane }) => Math.max(end, y + heightOf(lane)), PAD + HEAD_HEIGHT) + PAD;

function placesOf(lanes: readonly ChartLane[]): { lane: ChartLane; y: number; group?: string }[] {
  let y = PAD + HEAD_HEIGHT;
  let before: string | undefined;
  return lanes.map((lane) => {
    const isNew = lane.group !== before;
    before = lane.group;
    y += isNew ? GROUP : GAP;
    const place = { lane, y, ...(isNew && { group: lane.group }) };
    y += heightOf(lane);
    return place;
  });
}

/** All lanes as one picture for a file, in the requested width: names and lines on the left, the axis on top. */
export function drawPicture(pen: Pen, picture: LanePicture, width: number, theme: ChartTheme): void {
  const { lanes, groups, scene, clock, view } = picture;
  const x = PAD + NAMES_WIDTH + GUTTER;
  const place = { view, theme, box: { x, y: PAD, width: Math.max(50, width - x - PAD), height: HEAD_HEIGHT } };
  drawHead(pen, scene, clock, place);
  for (const { lane, y, group } of placesOf(lanes)) {
    if (group !== undefined)
      pen.text(groups.get(group) ?? group, PAD, y - GROUP / 2, { colour: theme.text, size: 12, bold: true });
    const height = heightOf(lane);
    pen.text(titleOfLane(lane), PAD, y + 7, { colour: theme.text, size: 12 });
    names(pen, lane, y + TITLE_ROW + NAME_ROW / 2, theme);
    drawLane(pen, lane, scene, { ...place, box: { ...place.box, y, height }, gutter: GUTTER });
  }
}

function names(pen: Pen, lane: ChartLane, from: number, theme: ChartTheme): void {
  if (lane.shape === 'heat') return;
  lane.lines.forEach((line, index) => {
    const y = from + index * NAME_ROW;
    const colour = colourOfLine(line, theme);
    pen.rect({ x: PAD, y: y - 4, width: 8, height: 8 }, { colour });
    pen.text(shortened(pen, line.label, NAMES_WIDTH - 20), PAD + 14, y, { colour: theme.faint, size: 11 });
  });
}

/** `CPU (%)`. */
export const titleOfLane = ({ title, unit }: Pick<ChartLane, 'title' | 'unit'>): string =>
  unit ? `${title} (${unit})` : title;

/**
 * The values of all lanes in a span as rows by second, counted from `zero` on the axis. Values of the same second are in one row; if a line
 * has several in a second, the last one.
 */
export function laneTable(
  lanes: readonly ChartLane[],
  groups: ReadonlyMap<string, string>,
  view: Span,
  zero: number,
): ChartTable {
  const columns = lanes.flatMap((lane) => lane.lines.map((line) => ({ lane, line })));
  const rows = new Map<number, (string | number)[]>();
  columns.forEach(({ line: { t, v } }, column) => {
    for (let index = firstFrom(t, view.from); index < t.length && (t[index] ?? 0) <= view.to; index += 1) {
      const value = v[index] ?? Number.NaN;
      if (Number.isNaN(value)) continue;
      const second = Math.round((t[index] ?? 0) - zero);
      const row = rows.get(second) ?? [second, ...columns.map(() => '')];
      row[column + 1] = value;
      rows.set(second, row);
    }
  });
  return {
    columns: [
      't (s)',
      ...columns.map(
        ({ lane, line }) => `${groups.get(lane.group) ?? lane.group}: ${titleOfLane(lane)}: ${line.label}`,
      ),
    ],
    rows: [...rows.values()].sort((one, other) => Number(one[0]) - Number(other[0])),
  };
}

/** Summary of the lanes by line for screen readers: mean, smallest and largest value of the visible part. */
export function laneSummary(lanes: readonly ChartLane[], groups: ReadonlyMap<string, string>, view: Span): ChartTable {
  const rows = lanes.flatMap((lane) =>
    lane.lines.map((line) => {
      const figures = figuresOf(line, view);
      return [groups.get(lane.group) ?? lane.group, titleOfLane(lane), line.label, ...figures];
    }),
  );
  return { columns: ['Source', 'Lane', 'Line', 'Mean', 'Smallest', 'Largest'], rows };
}

function figuresOf({ t, v, low = v, high = v }: ChartLane['lines'][number], view: Span): (number | string)[] {
  let [sum, count, least, most] = [0, 0, Infinity, -Infinity];
  for (let index = firstFrom(t, view.from); index < t.length && (t[index] ?? 0) <= view.to; index += 1) {
    const value = v[index] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    sum += value;
    count += 1;
    least = Math.min(least, low[index] ?? value);
    most = Math.max(most, high[index] ?? value);
  }
  return count > 0 ? [sum / count, least, most] : ['', '', ''];
}
