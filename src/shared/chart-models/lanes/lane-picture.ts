import type { ChartTheme } from '../theme.ts';
import { drawHead, HEAD_HEIGHT, type LaneClock, shortened } from './draw-head.ts';
import { drawLane } from './draw-lane.ts';
import { type ChartLane, colourOfLine, heightOf, type LaneScene, NAME_ROW, type Span, TITLE_ROW } from './lane.ts';
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
