import type { EChartsOption } from 'echarts';
import { percentile } from '../stats/index.ts';
import { formatNumber, formatValue } from '../util/format.ts';
import { type ChartModel, type Measure, titleOf } from './model.ts';
import { COMES_FORWARD, MOST_IN_LEGEND } from './names.ts';
import { base, flatAxis, logAxis, type TipLine, tip, valueAxis } from './parts.ts';
import { type ChartTheme, colourOf, type Paint } from './theme.ts';

/** The seconds of a cell. */
export interface Seconds extends Paint {
  name: string;
  ascending: Float64Array;
}

const PERCENTILES = Array.from({ length: 101 }, (_, p) => p);
const SHARE = { label: 'Share of per-second values at or below', unit: '%', digits: 0 };

/** Percentage of ascending values that do not exceed `at`. */
export function shareBelow(ascending: Float64Array, at: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] as number) <= at) low = middle + 1;
    else high = middle;
  }
  return (100 * low) / ascending.length;
}

/** Cumulative distribution of values: a line per cell, steep where the seconds agree, with a tail where some do not. */
export function percentileCurves(
  cells: readonly Seconds[],
  measure: Measure,
  theme: ChartTheme,
  isLog = false,
): ChartModel {
  const valued = cells.filter((cell) => cell.ascending.length > 0);
  const option: EChartsOption = {
    ...base(
      theme,
      valued.map((cell) => cell.name),
    ),
    xAxis: flatAxis(theme, isLog ? logAxis(theme, measure) : valueAxis(theme, measure)),
    yAxis: { ...valueAxis(theme, SHARE), max: 100 },
    series: valued.map((cell) => ({
      id: cell.name,
      name: cell.name,
      type: 'line',
      color: colourOf(cell, theme.scheme),
      showSymbol: false,
      lineStyle: { width: 1.5 },
      ...COMES_FORWARD,
      data: PERCENTILES.map((p) => [percentile(cell.ascending, p), p]),
    })),
  };
  option.tooltip = { ...option.tooltip, formatter: (items: unknown) => shareTip(items, valued, measure, theme) };
  return {
    description: `Distribution of ${titleOf(measure)}, ${valued.length} ${valued.length === 1 ? 'cell' : 'cells'}`,
    option,
    ...(valued.length > MOST_IN_LEGEND && { listed: valued.map((cell) => cell.name) }),
    table: () => ({
      columns: ['percentile', ...valued.map((cell) => `${cell.name}${measure.unit ? ` (${measure.unit})` : ''}`)],
      rows: PERCENTILES.map((p) => [p, ...valued.map((cell) => percentile(cell.ascending, p))]),
    }),
  };
}

function shareTip(items: unknown, cells: readonly Seconds[], measure: Measure, theme: ChartTheme): string {
  const [item]: readonly { axisValue?: unknown }[] = Array.isArray(items) ? items : [items];
  const at = Number(item?.axisValue ?? Number.NaN);
  const rows = cells.map(
    (cell): TipLine => ({
      colour: colourOf(cell, theme.scheme),
      name: cell.name,
      value: `${formatNumber(shareBelow(cell.ascending, at))} %`,
    }),
  );
  return tip(`at or below ${formatValue(at, measure)}`, rows);
}
