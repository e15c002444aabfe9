import type { EChartsOption, LineSeriesOption } from 'echarts';
import type { ChartModel } from './model.ts';
import type { ChartTheme } from './theme.ts';

/** Up to this number of names, they are at the ends of their lines if there is room. */
const MOST_AT_ENDS = 8;
/** Up to this number they are in a legend with as many rows as needed; beyond it, one is selected from a list. */
export const MOST_IN_LEGEND = 24;

/** Default width of a picture, pixels. */
export const WIDE = 1000;

/**
 * Pixels of a letter in a legend and in a name at the end of a line, of the space around such a name, and of the maximum room for all of
 * them.
 */
const LETTER = 6.3;
const SMALL_LETTER = 6;
const NAME_MARGIN = 26;
const MOST_ROOM = 210;
/**
 * Pixels of a line of small letters. The library derives line height from the width of a Chinese character, and a machine may have no font
 * with one.
 */
export const SMALL_LINE = 13;
/** Maximum share of a picture that names at the ends may take from the lines. */
const MOST_SHARE = 0.28;

/** Pixels of a legend: its rows, and the parts of an entry other than its letters. */
const ROW = 28;
const ENTRY_MARGIN = 32;
/** Left and right of all entries. */
const LEGEND_MARGIN = 20;
const FIRST_ROW = 54;

/** Position of the names of lines in a chart; `room`: pixels to their right. */
export type NamesPlace = { at: 'ends'; room: number } | { at: 'legend' | 'list' | 'nowhere' };

/** Best position for the names of lines in a picture of this width, pixels. */
export function placeOfNames(names: readonly string[], width: number): NamesPlace {
  if (names.length < 2) return { at: 'nowhere' };
  const room = Math.round(NAME_MARGIN + SMALL_LETTER * Math.max(...names.map(({ length }) => length)));
  // No name is cut: the part that distinguishes it may be at its end.
  if (names.length <= MOST_AT_ENDS && room <= Math.min(MOST_ROOM, MOST_SHARE * width)) return { at: 'ends', room };
  return { at: names.length <= MOST_IN_LEGEND ? 'legend' : 'list' };
}

/** Room right of the plot if names are elsewhere: half of the last label of the axis. */
export const RIGHT = 26;
const TOP = 34;

/** Margins around the lines. */
export const gridFor = (place: NamesPlace) => ({
  left: 8,
  right: place.at === 'ends' ? place.room : RIGHT,
  top: place.at === 'legend' ? FIRST_ROW : TOP,
  bottom: 22,
  containLabel: true,
});

/** Pixels between the end of a line and its name, and by which a line may end early and still have its name there. */
const END_MARGIN = 8;
const SHORT = 6;

/** The name of a line at its end, in its colour; overlapping names move apart. */
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
          distance: END_MARGIN,
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
 * Names of lines that end early: they are placed at the end of the longest line, with a dotted line leading there, as other lines would
 * cross a name within the plot. `scale`: pixels of a unit of the x axis. `far`: where the longest ends, or will end.
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
        // It stays visible while the pointer is on its line.
        blur: { lineStyle: { opacity: 0.5 }, endLabel: { opacity: 1 } } as NonNullable<LineSeriesOption['blur']>,
      }),
    ),
  };
}

/** Names at the ends of lines move apart; overlapping words at points are hidden. */
export const placeLabel = ({ dataIndex }: { dataIndex?: number }) =>
  dataIndex === undefined || dataIndex === null ? { moveOverlap: 'shiftY' as const } : { hideOverlap: true };

/** The line under the pointer is emphasised, the others are dimmed. */
export const COMES_FORWARD: Pick<LineSeriesOption, 'emphasis' | 'triggerEvent'> = {
  triggerEvent: 'line',
  emphasis: { focus: 'series', lineStyle: { width: 3, opacity: 1 } },
};

/**
 * Where a model is drawn: its width in pixels, and whether on paper, where nothing can be selected from a list and all names are printed.
 */
interface Place {
  width: number;
  isPaper?: boolean;
}

/** A model as drawn there: its legend is complete, and everything below it moves down by its rows. */
export function optionAt(model: ChartModel, { width, isPaper = false }: Place): EChartsOption {
  const option = model.at?.(width) ?? model.option;
  const { legend, grid } = option;
  if (!legend || !grid || Array.isArray(legend) || Array.isArray(grid)) return option;
  const isListed = isPaper && model.listed !== undefined;
  const shown = isListed ? { ...legend, show: true } : legend;
  const top = isListed ? FIRST_ROW : grid.top;
  const more = moreRows(namesIn(shown), width);
  return typeof top === 'number' ? { ...option, legend: shown, grid: { ...grid, top: top + more } } : option;
}

/** Additional height of the legend beyond its first row, pixels. */
export function legendHeight(model: ChartModel, place: Place): number {
  const { legend } = optionAt(model, place);
  return legend && !Array.isArray(legend) ? moreRows(namesIn(legend), place.width) : 0;
}

type Legend = Exclude<NonNullable<EChartsOption['legend']>, readonly unknown[]>;

const namesIn = ({ show, data = [] }: Legend): string[] =>
  (show === false ? [] : data).map((entry) => String(typeof entry === 'object' ? (entry.name ?? '') : entry));

/** Height of a legend with these names beyond its first row, pixels. */
export const moreRows = (names: readonly string[], width: number): number => ROW * (rowsOfNames(names, width) - 1);

/** Rows of a legend with these names in a picture of this width, pixels. */
export function rowsOfNames(names: readonly string[], width: number): number {
  let [rows, used] = [1, 0];
  for (const name of names) {
    const wide = ENTRY_MARGIN + LETTER * name.length;
    if (used > 0 && used + wide > width - LEGEND_MARGIN) {
      rows += 1;
      used = 0;
    }
    used += wide;
  }
  return rows;
}
