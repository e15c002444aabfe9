import type { EChartsOption } from 'echarts';
import type { CellSeconds, ChartMarker } from '../model/chart.ts';
import { formatNumber, formatValue } from '../util/format.ts';
import { markerLines } from './chart-markers.ts';
import { type ChartModel, type ChartTable, type Measure, titleOf } from './model.ts';
import { COMES_FORWARD, MOST_IN_LEGEND } from './names.ts';
import { axisNumber, base, flatAxis, logAxis, type TipLine, tip, valueAxis } from './parts.ts';
import { type ChartTheme, colourOf, type Paint } from './theme.ts';

/** The seconds of a cell with its name. */
export interface NamedSeconds extends Paint, CellSeconds {
  name: string;
}

export interface BinsStyle {
  /** Values are placed by their logarithm; those without one are omitted. */
  isLog?: boolean | undefined;
  /** End of the axis. */
  clip?: number | undefined;
  markers?: readonly ChartMarker[] | undefined;
  /** Cells whose range determines the axis, if more than the drawn ones: those of all panels. */
  all?: readonly CellSeconds[] | undefined;
}

/** Columns of a histogram, and points of a density. */
const BINS = 40;
const PLACES = 160;
/** Minimum segments in the range of an axis: the vertical axis is per segment. */
const SLICES = 20;
/** Bandwidths by which a density extends beyond the values. */
const TAIL = 3;

/** Positions of values along the axis, ascending. */
const placed = ({ ascending }: CellSeconds, isLog: boolean): Float64Array =>
  isLog ? ascending.filter((value) => value > 0).map(Math.log10) : ascending;

const unplaced = (place: number, isLog: boolean): number => (isLog ? 10 ** place : place);

/** From the smallest to the largest value of all cells, with a minimum width. */
function rangeOf(all: readonly Float64Array[]): { first: number; last: number } {
  const first = Math.min(...all.map((values) => values[0] ?? Number.POSITIVE_INFINITY));
  const last = Math.max(...all.map((values) => values.at(-1) ?? Number.NEGATIVE_INFINITY));
  if (first < last) return { first, last };
  const margin = Math.abs(first) * 0.05 || 0.5;
  return { first: first - margin, last: last + margin };
}

/**
 * Percentage of the seconds of each cell in columns of equal width: `edges` has one more element than there are columns. On a logarithmic
 * axis, widths are equal there. `ranged`: cells whose range determines the columns.
 */
export function binsOf(
  cells: readonly CellSeconds[],
  isLog = false,
  ranged = cells,
): { edges: number[]; shares: number[][] } {
  const all = cells.map((cell) => placed(cell, isLog));
  const { first, last } = rangeOf(ranged.map((cell) => placed(cell, isLog)));
  const width = (last - first) / BINS;
  return {
    edges: Array.from({ length: BINS + 1 }, (_, index) => unplaced(first + index * width, isLog)),
    shares: cells.map(({ ascending, count, above }, index) => {
      // Each value has a higher weight if only some of the seconds are passed.
      const weight = ascending.length > 0 ? (100 * (count - above)) / ascending.length / count : 0;
      const shares = new Array<number>(BINS).fill(0);
      for (const value of all[index] ?? []) {
        const column = Math.min(BINS - 1, Math.floor((value - first) / width));
        shares[column] = (shares[column] ?? 0) + weight;
      }
      return shares;
    }),
  };
}

/** Silverman's rule of thumb, for ascending values. */
function bandwidthOf(values: Float64Array): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
  const at = (share: number): number => values[Math.round(share * (values.length - 1))] ?? mean;
  const quartiles = (at(0.75) - at(0.25)) / 1.34;
  const spread = quartiles > 0 ? Math.min(deviation, quartiles) : deviation;
  return 0.9 * (spread || Math.abs(mean) * 0.01 || 0.01) * values.length ** -0.2;
}

/**
 * Gaussian kernel density of the seconds of each cell at `at`; the area below a cell's line is the share of its seconds that are drawn. On
 * a logarithmic axis it is per decade. `ranged`: cells whose range and widest bandwidth determine the points.
 */
export function densitiesOf(
  cells: readonly CellSeconds[],
  isLog = false,
  ranged = cells,
): { at: number[]; densities: number[][] } {
  const widthOf = (values: Float64Array): number => (values.length > 0 ? bandwidthOf(values) : 0);
  const all = cells.map((cell) => placed(cell, isLog));
  const widths = all.map(widthOf);
  const within = ranged.map((cell) => placed(cell, isLog));
  const { first, last } = rangeOf(within);
  const widest = TAIL * Math.max(0, ...within.map(widthOf));
  // No measured value is below 0.
  const from = isLog || first < 0 ? first - widest : Math.max(0, first - widest);
  const step = (last + widest - from) / (PLACES - 1);
  const places = Array.from({ length: PLACES }, (_, index) => from + index * step);
  return {
    at: places.map((place) => unplaced(place, isLog)),
    densities: all.map((values, index) => {
      const width = widths[index] ?? 1;
      const { count, above, ascending } = cells[index] ?? { count: 1, above: 0, ascending: values };
      const weight = (count - above) / count / Math.max(1, ascending.length) / (width * Math.sqrt(2 * Math.PI));
      return places.map((place) =>
        values.reduce((sum, value) => sum + weight * Math.exp(-0.5 * ((place - value) / width) ** 2), 0),
      );
    }),
  };
}

/** Frequency of values: an outline per cell. */
export function secondsHistogram(
  cells: readonly NamedSeconds[],
  measure: Measure,
  theme: ChartTheme,
  style: BinsStyle = {},
): ChartModel {
  const valued = cells.filter(({ ascending }) => ascending.length > 0);
  const { edges, shares } = binsOf(valued, style.isLog, style.all);
  return outlines({
    ...{ cells: valued, measure, theme, style, what: 'Histogram' },
    upright: { label: 'Share of per-second values', unit: '%', digits: 1 },
    at: edges,
    lines: shares.map((line) => [...line, 0]),
    isStepped: true,
    table: () => ({
      columns: ['from', 'to', ...valued.map(({ name }) => `${name} (%)`)],
      rows: edges
        .slice(0, -1)
        .map((edge, index) => [edge, edges[index + 1] ?? edge, ...shares.map((line) => line[index] ?? 0)]),
    }),
  });
}

/** Density of the seconds of each cell around a value: a smooth line per cell. */
export function secondsDensity(
  cells: readonly NamedSeconds[],
  measure: Measure,
  theme: ChartTheme,
  style: BinsStyle = {},
): ChartModel {
  const valued = cells.filter(({ ascending }) => ascending.length > 0);
  const { at, densities } = densitiesOf(valued, style.isLog, style.all);
  // Readable without many zeros: the share of seconds per segment of the axis, with a power of ten as its length.
  const slice = style.isLog ? 1 : 10 ** Math.floor(Math.log10(((at.at(-1) ?? 1) - (at[0] ?? 0)) / SLICES));
  const per = style.isLog ? 'decade' : `${axisNumber(slice)} ${measure.unit}`.trim();
  const lines = densities.map((line) => line.map((density) => 100 * slice * density));
  return outlines({
    ...{ cells: valued, measure, theme, style, what: 'Density' },
    upright: { label: `Share of per-second values per ${per}`, unit: '%', digits: 1 },
    at,
    lines,
    isStepped: false,
    table: () => ({
      columns: [titleOf(measure), ...valued.map(({ name }) => `${name} (% per ${per})`)],
      rows: at.map((value, index) => [value, ...lines.map((line) => line[index] ?? 0)]),
    }),
  });
}

interface Outlines {
  cells: readonly NamedSeconds[];
  measure: Measure;
  upright: Measure;
  theme: ChartTheme;
  style: BinsStyle;
  what: string;
  at: readonly number[];
  lines: readonly (readonly number[])[];
  isStepped: boolean;
  table: () => ChartTable;
}

/** Opacity of the area below a line. */
const AREA = 0.12;

function outlines({ cells, measure, upright, theme, style, what, at, lines, isStepped, table }: Outlines): ChartModel {
  const { isLog = false, clip, markers = [] } = style;
  const names = cells.map(({ name }) => name);
  const end = clip === undefined ? {} : { max: clip };
  const below = isLog
    ? flatAxis(theme, { ...logAxis(theme, measure), ...end })
    : flatAxis(theme, { ...valueAxis(theme, measure, true), name: titleOf(measure), ...end });
  const option: EChartsOption = {
    ...base(theme, names),
    xAxis: below,
    yAxis: valueAxis(theme, upright),
    series: [
      ...cells.map((cell, index) => ({
        id: cell.name,
        name: cell.name,
        type: 'line' as const,
        color: colourOf(cell, theme.scheme),
        showSymbol: false,
        ...(isStepped && { step: 'end' as const }),
        lineStyle: { width: 1.5 },
        ...(cells.length <= MOST_IN_LEGEND && { areaStyle: { opacity: AREA } }),
        ...COMES_FORWARD,
        data: at.map((value, place) => [value, lines[index]?.[place] ?? 0]),
      })),
      ...markerLines(markers, theme),
    ],
  };
  option.tooltip = {
    ...option.tooltip,
    formatter: (items: unknown) => {
      const [item]: readonly { dataIndex?: unknown }[] = Array.isArray(items) ? items : [items];
      const place = Number(item?.dataIndex ?? 0);
      const rows = cells.map(
        (cell, index): TipLine => ({
          colour: colourOf(cell, theme.scheme),
          name: cell.name,
          value: `${formatNumber(lines[index]?.[place] ?? 0, upright.digits)} ${upright.unit}`.trim(),
        }),
      );
      const next = at[place + 1];
      const to = isStepped && next !== undefined ? ` to ${formatValue(next, measure)}` : '';
      return tip(`${formatValue(at[place] ?? 0, measure)}${to}`, rows);
    },
  };
  return {
    description: `${what} of the per-second values of ${titleOf(measure)}, ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}`,
    option,
    ...(names.length > MOST_IN_LEGEND && { listed: names }),
    table,
  };
}
