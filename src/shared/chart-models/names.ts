import type { EChartsOption, LineSeriesOption } from 'echarts';
import type { ChartModel } from './model.ts';
import type { ChartTheme } from './theme.ts';

/** Names up to this count stand at the ends of their lines, where there is room. */
const MOST_AT_ENDS = 8;
/** Up to this count they are a legend of as many rows as they take; beyond, one is chosen from a list. */
export const MOST_IN_LEGEND = 24;

/** Pixels of a picture where nobody says how wide it is. */
export const WIDE = 1000;

/** Pixels of a letter of a legend and of a name at an end, of what stands beside a name at the end of a line, and of the room for all of them. */
const LETTER = 6.3;
const SMALL_LETTER = 6;
const BESIDE_NAME = 26;
const MOST_ROOM = 210;
/** Pixels of a line of small letters. The library derives line height from the width of a Chinese character, and a machine may have no font with one. */
export const SMALL_LINE = 13;
/** Share of a picture that names at the ends may take from the lines. */
const MOST_SHARE = 0.28;

/** Pixels of a legend: its rows, and what an entry takes beside its letters. */
const ROW = 28;
const BESIDE_ENTRY = 32;
/** Left and right of all entries. */
const BESIDE_LEGEND = 20;
const FIRST_ROW = 54;

/** Where a chart says what its lines are; `room`: pixels right of them. */
export type NamesPlace = { at: 'ends'; room: number } | { at: 'legend' | 'list' | 'nowhere' };

/** Where names of lines are best said in a picture of this width, pixels. */
export function placeOfNames(names: readonly string[], width: number): NamesPlace {
  if (names.length < 2) return { at: 'nowhere' };
  const room = Math.round(BESIDE_NAME + SMALL_LETTER * Math.max(...names.map(({ length }) => length)));
  // No name is cut: what tells it from the others may stand at its end.
  if (names.length <= MOST_AT_ENDS && room <= Math.min(MOST_ROOM, MOST_SHARE * width)) return { at: 'ends', room };
  return { at: names.length <= MOST_IN_LEGEND ? 'legend' : 'list' };
}

/** Beside lines whose names stand elsewhere, right of the plot: half of the last label of the axis. */
export const RIGHT = 26;
const TOP = 34;

/** Room around the lines. */
export const gridFor = (place: NamesPlace) => ({
  left: 8,
  right: place.at === 'ends' ? place.room : RIGHT,
  top: place.at === 'legend' ? FIRST_ROW : TOP,
  bottom: 22,
  containLabel: true,
});

/** Pixels between the end of a line and its name, and by which a line may end before the others and still has its name there. */
const BESIDE_END = 8;
const SHORT = 6;

/** The name of a line at its end, in its colour; names that would lie over one another move apart. */
export const nameAtEnd = (
  name: string,
  colour: string,
  place: NamesPlace,
  theme: ChartTheme,
): Pick<LineSeriesOption, 'endLabel' | 'labelLayout'> =>
  place.at === 'ends'
    ? {
        endLabel: {
          show: true,
          formatter: () => `{mark|●} ${name}`,
          color: theme.text,
          fontSize: 11,
          lineHeight: SMALL_LINE,
          distance: BESIDE_END,
          rich: { mark: { color: colour, fontSize: 11, lineHeight: SMALL_LINE } },
        },
        labelLayout: { moveOverlap: 'shiftY' },
      }
    : { endLabel: { show: false } };

/** A line whose name is at its end. */
interface NamedEnd {
  key: string;
  name: string;
  colour: string;
  /** Last point. */
  end: readonly [x: number, y: number] | undefined;
}

/**
 * Where the names of lines go that end before the longest: to its end, along a dotted line that leads there, as other lines would run through a name
 * in the plot. `scale`: pixels of a unit of the x axis. `far`: where the longest ends, or will.
 */
export function namesOfShort(
  lines: readonly NamedEnd[],
  scale: number,
  place: NamesPlace,
  theme: ChartTheme,
  far = Math.max(...lines.map(({ end }) => end?.[0] ?? Number.NEGATIVE_INFINITY)),
) {
  const short = place.at === 'ends' ? lines.filter(({ end }) => end && (far - end[0]) * scale > SHORT) : [];
  return {
    keys: new Set(short.map(({ key }) => key)),
    series: short.map(
      ({ key, name, colour, end: [x, y] = [far, 0] }): LineSeriesOption => ({
        ...{ id: `name ${key}`, name, type: 'line', color: colour, symbol: 'none', silent: true, z: 1 },
        ...{ legendHoverLink: false, tooltip: { show: false } },
        lineStyle: { width: 1, type: 'dotted', opacity: 0.5 },
        data: [
          [x, y],
          [far, y],
        ],
        ...nameAtEnd(name, colour, place, theme),
        // It is as well seen while the pointer is on its line.
        blur: { lineStyle: { opacity: 0.5 }, endLabel: { opacity: 1 } } as NonNullable<LineSeriesOption['blur']>,
      }),
    ),
  };
}

/** Names at the ends of lines move apart; words at their points give way. */
export const layLabel = ({ dataIndex }: { dataIndex?: number }) =>
  dataIndex === undefined || dataIndex === null ? { moveOverlap: 'shiftY' as const } : { hideOverlap: true };

/** The line under the pointer comes forward, the others step back. */
export const COMES_FORWARD: Pick<LineSeriesOption, 'emphasis' | 'triggerEvent'> = {
  triggerEvent: 'line',
  emphasis: { focus: 'series', lineStyle: { width: 3, opacity: 1 } },
};

/** How a model is drawn: its width, pixels; and whether on paper, where nothing can be chosen from a list and all names are written out. */
interface Place {
  width: number;
  isPaper?: boolean;
}

/** A model as it is drawn there: all of its legend is written out, and what is below it moves down by its rows. */
export function optionAt(model: ChartModel, { width, isPaper = false }: Place): EChartsOption {
  const option = model.at?.(width) ?? model.option;
  const { legend, grid } = option;
  if (!legend || !grid || Array.isArray(legend) || Array.isArray(grid)) return option;
  const isListed = isPaper && model.listed !== undefined;
  const shown = isListed ? { ...legend, show: true } : legend;
  const top = isListed ? FIRST_ROW : grid.top;
  const more = ROW * (rowsOf(shown, width) - 1);
  return typeof top === 'number' ? { ...option, legend: shown, grid: { ...grid, top: top + more } } : option;
}

/** Pixels that the legend takes in height beyond its first row. */
export function legendHeight(model: ChartModel, place: Place): number {
  const { legend } = optionAt(model, place);
  return legend && !Array.isArray(legend) ? ROW * (rowsOf(legend, place.width) - 1) : 0;
}

type Legend = Exclude<NonNullable<EChartsOption['legend']>, readonly unknown[]>;

const rowsOf = ({ show, data = [] }: Legend, width: number): number =>
  rowsOfNames(
    (show === false ? [] : data).map((entry) => String(typeof entry === 'object' ? (entry.name ?? '') : entry)),
    width,
  );

/** Rows of a legend of these names in a picture of this width, pixels. */
export function rowsOfNames(names: readonly string[], width: number): number {
  let [rows, used] = [1, 0];
  for (const name of names) {
    const wide = BESIDE_ENTRY + LETTER * name.length;
    if (used > 0 && used + wide > width - BESIDE_LEGEND) {
      rows += 1;
      used = 0;
    }
    used += wide;
  }
  return rows;
}
