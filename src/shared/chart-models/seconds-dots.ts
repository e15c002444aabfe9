import type { EChartsOption, ScatterSeriesOption } from 'echarts';
import type { CellSeconds, ChartMarker } from '../model/chart.ts';
import type { Scalar } from '../model/experiment.ts';
import { formatLevels, formatNumber, plainLevel } from '../util/format.ts';
import { markerLines, numbersOf } from './chart-markers.ts';
import { levelsAxis, placesOf } from './curve-lines.ts';
import { type FactorLevels, inOrder, isOf, lineKeys } from './levels.ts';
import { type ChartModel, type Measure, titleOf } from './model.ts';
import { gridFor, MOST_IN_LEGEND, placeOfNames, RIGHT, WIDE } from './names.ts';
import { base, logAxis, tip, valueAxis } from './parts.ts';
import { type ChartTheme, colourOf } from './theme.ts';

/** The seconds of a cell with its levels. */
export interface DottedCell extends CellSeconds {
  cell: number;
  levels: Readonly<Record<string, Scalar>>;
}

export interface Dots {
  measure: Measure;
  cells: readonly DottedCell[];
  x: FactorLevels;
  /** Factors of the lines; each combination has its own column at a level, and its own colour. */
  lines: readonly FactorLevels[];
  isLog?: boolean | undefined;
  /** End of the vertical axis: seconds above it are marked and counted there. */
  clip?: number | undefined;
  markers?: readonly ChartMarker[] | undefined;
}

/**
 * Pixels: of the labels of the vertical axis, of a dot, maximum of a column; share of its place covered by a column; space above the plot
 * for counts.
 */
const AXIS = 70;
const DOT = 5;
const WIDEST = 70;
const COLUMN = 0.8;
const COUNTS = 16;

/**
 * Position of a dot in its column, from -0.5 to 0.5: evenly distributed, without a pattern, and deterministic (steps of the golden ratio).
 */
export const jitterOf = (index: number): number => ((index * 0.618_033_988_749_895) % 1) - 0.5;

/** Dots of a column that are half opaque; with more, they are fainter, so that dense areas differ from sparse ones. */
const HALF = 60;
const opacityOf = (cells: readonly CellSeconds[]): number =>
  Math.min(0.85, Math.max(0.2, (0.5 * HALF) / Math.max(1, ...cells.map(({ ascending }) => ascending.length))));

/** Every measured second as a translucent dot at its level. */
export function secondsDots(dots: Dots, theme: ChartTheme): ChartModel {
  const { measure, x, isLog = false, clip, markers = [] } = dots;
  const levels = inOrder(x.levels);
  const lines = lineKeys(dots.lines)
    .map((key, slot) => ({
      slot,
      name: formatLevels(key) || measure.label,
      cells: dots.cells.filter((cell) => isOf(key, cell.levels, dots.lines) && cell.levels[x.name] !== undefined),
    }))
    .filter(({ cells }) => cells.length > 0);
  const names = lines.map(({ name }) => name);
  const at = (width: number): EChartsOption => {
    const place = placeOfNames(names, 0);
    const plot = Math.max(1, width - AXIS - RIGHT);
    const places = placesOf(x, 1, plot);
    const { levels: along, scale } = places;
    const gaps = along.slice(1).map((level, index) => level - (along[index] ?? 0));
    const gap = scale * (gaps.length > 0 ? Math.min(...gaps) : 1);
    const step = Math.min(WIDEST, (COLUMN * gap) / Math.max(1, lines.length)) / scale;
    const middleOf = (cell: DottedCell, line: number): number =>
      (along[levels.indexOf(cell.levels[x.name] ?? '')] ?? 0) + (line - (lines.length - 1) / 2) * step;
    const upright = isLog ? logAxis(theme, measure) : valueAxis(theme, measure);
    const grid = gridFor(place);
    const shared = base(theme, names, new Map(), place);
    return {
      ...shared,
      legend: { ...shared.legend, itemStyle: { opacity: 1 } },
      grid: { ...grid, ...(clip !== undefined && { top: Number(grid.top) + COUNTS }) },
      tooltip: {
        ...shared.tooltip,
        trigger: 'item',
        formatter: (item: unknown) => tipOf(item, measure),
      },
      xAxis: levelsAxis(x, along, plot / Math.max(1, levels.length), theme),
      yAxis: {
        ...upright,
        ...(clip !== undefined && {
          max: clip,
          name: `${upright.name}, axis ends at ${formatNumber(clip, measure.digits)}; triangles: number of seconds above it`,
          nameGap: upright.nameGap + COUNTS,
        }),
      },
      series: [
        ...lines.flatMap((line, order) =>
          seriesOf(line, { middleOf: (cell) => middleOf(cell, order), column: COLUMN * step, isLog, clip, theme }),
        ),
        ...markerLines(markers, theme, { levels: numbersOf(x), places }),
      ],
    };
  };
  return {
    description: `${titleOf(measure)} by second vs. ${x.name}`,
    option: at(WIDE),
    at,
    ...(names.length > MOST_IN_LEGEND && { listed: names }),
    table: () => ({
      columns: [x.name, ...dots.lines.map(({ name }) => name), titleOf(measure), 'seconds'],
      rows: dots.cells.flatMap(({ levels: own, ascending, count, above }) => {
        const place = [x, ...dots.lines].map(({ name }) => plainLevel(own[name]));
        const each = (count - above) / Math.max(1, ascending.length);
        return [
          ...[...ascending].map((value) => [...place, value, Math.round(100 * each) / 100]),
          ...(above > 0 ? [[...place, `above ${clip}`, above]] : []),
        ];
      }),
    }),
  };
}

interface LinePlace {
  /** Middle of the column of a cell, and the width of a column, on the axis of levels. */
  middleOf(cell: DottedCell): number;
  column: number;
  isLog: boolean;
  clip: number | undefined;
  theme: ChartTheme;
}

/** The dots of a line, and a triangle with a count for each cell with seconds above the end of the axis. */
function seriesOf(
  { slot, name, cells }: { slot: number; name: string; cells: readonly DottedCell[] },
  { middleOf, column, isLog, clip, theme }: LinePlace,
): ScatterSeriesOption[] {
  const shared = { name, type: 'scatter', color: colourOf({ slot }, theme.scheme) } as const;
  const dots: ScatterSeriesOption = {
    ...shared,
    id: `dots ${name}`,
    symbolSize: DOT,
    itemStyle: { opacity: opacityOf(cells) },
    data: cells.flatMap((cell) =>
      [...cell.ascending]
        .filter((value) => !isLog || value > 0)
        .map((value, index) => ({
          value: [middleOf(cell) + column * jitterOf(index), value],
          name: formatLevels(cell.levels),
          cell: cell.cell,
        })),
    ),
  };
  const above = cells.filter((cell) => cell.above > 0);
  if (clip === undefined || above.length === 0) return [dots];
  const triangles: ScatterSeriesOption = {
    ...shared,
    id: `above ${name}`,
    symbol: 'triangle',
    symbolSize: 8,
    clip: false,
    label: { show: true, position: 'top', distance: 2, color: theme.text, fontSize: 11, formatter: '{b}' },
    data: above.map((cell) => ({
      value: [middleOf(cell), clip],
      name: formatNumber(cell.above),
      cell: cell.cell,
    })),
  };
  return [dots, triangles];
}

/** Number of seconds above the end of the axis, in words; empty if there are none. */
export function clippedWords(
  cells: readonly CellSeconds[],
  clip: number | undefined,
  { unit, digits }: Measure,
): string {
  const above = cells.reduce((sum, cell) => sum + cell.above, 0);
  if (clip === undefined || above === 0) return '';
  const all = cells.reduce((sum, { count }) => sum + count, 0);
  return `${formatNumber(above)} of ${formatNumber(all)} seconds above ${formatNumber(clip, digits)} ${unit} are not drawn`;
}

function tipOf(item: unknown, measure: Measure): string {
  if (typeof item !== 'object' || item === null || !('data' in item)) return '';
  const data: { value?: unknown; name?: unknown } = Object(item.data);
  const value = Array.isArray(data.value) ? Number(data.value[1]) : Number.NaN;
  return tip(String(data.name ?? ''), [{ name: titleOf(measure), value: formatNumber(value, measure.digits) }]);
}
