import type { EChartsOption } from 'echarts';
import type { CellResult, SessionResult } from '../model/result.ts';
import type { Run } from '../model/session.ts';
import { formatLevels, formatNumber } from '../util/format.ts';
import { byLevels } from './levels.ts';
import type { ChartModel, Measure } from './model.ts';
import { COMES_FORWARD, MOST_IN_LEGEND } from './names.ts';
import {
  axisNumber,
  base,
  flatAxis,
  isOnLogAxis,
  logAxis,
  spansDecades,
  type TipLine,
  tip,
  valueAxis,
} from './parts.ts';
import { type ChartTheme, colourOf, type Paint } from './theme.ts';

/** Replaces a number in the names of final figures: `hits_in_part_*_of_20`. */
export const NUMBER_HERE = '*';
/** Minimum number of figures for a chart. */
const LEAST_COUNTS = 3;

/** Names of final figures that differ in one number only, with a star replacing it; those with the most figures first. */
export function countPatterns(ids: readonly string[]): string[] {
  const found = new Map<string, number>();
  for (const id of ids)
    for (const { index, 0: digits } of id.matchAll(/\d+/g)) {
      const pattern = `${id.slice(0, index)}${NUMBER_HERE}${id.slice(index + digits.length)}`;
      found.set(pattern, (found.get(pattern) ?? 0) + 1);
    }
  return [...found]
    .filter(([pattern, count]) => count >= LEAST_COUNTS && !pattern.endsWith(`${NUMBER_HERE}_ms`))
    .sort(([, one], [, other]) => other - one)
    .map(([pattern]) => pattern);
}

/** A final figure with the number in its name. */
interface Count {
  at: number;
  value: number;
}

/** Runs whose final figures can be drawn. */
export type FinalRun = Pick<Run, 'id' | 'summary'>;

/** The counts of a cell, by the numbers in their names: the mean of its complete runs, or of partial ones if there are no others. */
export function countsOf(
  { runs, partial }: Pick<CellResult, 'runs' | 'partial'>,
  all: readonly FinalRun[],
  pattern: string,
): Count[] {
  const [before = '', after = ''] = pattern.split(NUMBER_HERE);
  const ids = new Set(runs.filter((run) => run.partial === partial).map(({ runId }) => runId));
  const sums = new Map<number, { sum: number; count: number }>();
  for (const { id, summary } of all) {
    if (!ids.has(id)) continue;
    for (const [name, value] of Object.entries(summary)) {
      const digits =
        name.startsWith(before) && name.endsWith(after) ? name.slice(before.length, name.length - after.length) : '';
      if (!/^\d+$/.test(digits)) continue;
      const { sum, count } = sums.get(Number(digits)) ?? { sum: 0, count: 0 };
      sums.set(Number(digits), { sum: sum + value, count: count + 1 });
    }
  }
  return [...sums].map(([at, { sum, count }]) => ({ at, value: sum / count })).sort((one, other) => one.at - other.at);
}

/** `hits_in_part_*_of_20` → Hits in part of 20. */
export function countsTitle(pattern: string): string {
  const words = pattern.replaceAll(NUMBER_HERE, ' ').replaceAll('_', ' ').replaceAll(/\s+/g, ' ').trim();
  return words === '' ? 'Counts' : `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

interface CountsStyle {
  pattern: string;
  isLog: boolean;
  /** Titles of the number and of the counts. Default: from the names of the figures. */
  x?: string | undefined;
  y?: string | undefined;
  paint(levels: CellResult['levels']): Paint;
}

const UNITLESS = { unit: '', digits: 0 };

/** Final figures along the number in their names, a line for each cell; on a logarithmic axis if the numbers are decades apart. */
export function countsChart(
  { cells, factors }: Pick<SessionResult, 'cells' | 'factors'>,
  runs: readonly FinalRun[],
  { pattern, isLog, x, y, paint }: CountsStyle,
  theme: ChartTheme,
): ChartModel {
  const compare = byLevels(factors);
  const lines = [...cells]
    .sort((one, other) => compare(one.levels, other.levels))
    .map((cell) => ({
      name: formatLevels(cell.levels) || 'the only cell',
      cell: cell.cell,
      look: paint(cell.levels),
      counts: countsOf(cell, runs, pattern),
    }))
    .filter(({ counts }) => counts.length > 0);
  const names = lines.map(({ name }) => name);
  const numbers = [...new Set(lines.flatMap(({ counts }) => counts.map(({ at }) => at)))].sort((a, b) => a - b);
  const title = y ?? countsTitle(pattern);
  const number: Measure = { label: x ?? `Number in the name: ${pattern}`, ...UNITLESS };
  const upright: Measure = { label: title, ...UNITLESS };
  const isFar = spansDecades(numbers);
  const values = lines.flatMap(({ counts }) => counts.map(({ value }) => value)).filter((value) => value > 0);
  const isLogUpright = isOnLogAxis(values, isLog ? 'log' : 'zero');
  const isDrawn = ({ value }: Count): boolean => !isLogUpright || value > 0;
  const below = isFar ? logAxis(theme, number) : { ...valueAxis(theme, number, true), name: number.label };
  const option: EChartsOption = {
    ...base(theme, names),
    xAxis: flatAxis(theme, { ...below, splitLine: { show: false } }),
    yAxis: isLogUpright ? logAxis(theme, upright) : valueAxis(theme, upright),
    series: lines.map(({ name, cell, look, counts }) => ({
      ...{ id: name, name, type: 'line' as const, color: colourOf(look, theme.scheme) },
      ...{ symbol: 'circle', symbolSize: 5, showAllSymbol: true, lineStyle: { width: 1.5 } },
      // Consecutive numbers are adjacent columns.
      ...(!isFar && {
        step: 'middle' as const,
        ...(lines.length <= MOST_IN_LEGEND && { areaStyle: { opacity: 0.1 } }),
      }),
      ...COMES_FORWARD,
      data: counts.filter(isDrawn).map(({ at, value }) => ({ value: [at, value], cell })),
    })),
  };
  option.tooltip = {
    ...option.tooltip,
    formatter: (items: unknown) => {
      const [item]: readonly { value?: readonly unknown[] }[] = Array.isArray(items) ? items : [items];
      const at = Number(item?.value?.[0] ?? 0);
      const rows = lines.flatMap(({ name, look, counts }): TipLine[] => {
        const found = counts.find((each) => each.at === at);
        return found ? [{ colour: colourOf(look, theme.scheme), name, value: formatNumber(found.value) }] : [];
      });
      return tip(x === undefined ? pattern.replace(NUMBER_HERE, axisNumber(at)) : `${x} ${axisNumber(at)}`, rows);
    },
  };
  return {
    description: `${title} vs. ${x ?? 'the number in its name'}, ${lines.length} ${lines.length === 1 ? 'cell' : 'cells'}`,
    option,
    ...(names.length > MOST_IN_LEGEND && { listed: names }),
    table: () => ({
      columns: [x ?? pattern, ...names],
      rows: numbers.map((at) => [at, ...lines.map(({ counts }) => counts.find((each) => each.at === at)?.value ?? '')]),
    }),
  };
}
