import type { EChartsOption } from 'echarts';
import { metricOf } from '../metrics/index.ts';
import type { CellResult, SessionResult } from '../model/result.ts';
import { formatLevel, formatLevels, formatValue } from '../util/format.ts';
import { loadCurve } from './load-curve.ts';
import { type ChartModel, titleOf } from './model.ts';
import { ladderFactor, lineWords, painterOf } from './of-session.ts';
import { base, tip, valueAxis } from './parts.ts';
import { type ChartTheme, colourOf, markerOf } from './theme.ts';

type Shown = (cell: CellResult) => boolean;

/** The factor of numbers that load is raised by, when there are at least two of its levels. */
export function loadFactor(result: Pick<SessionResult, 'factors'>): string | undefined {
  const factor = ladderFactor(result.factors);
  const numbers = factor?.levels.filter((level) => typeof level === 'number' && level > 0) ?? [];
  return factor && numbers.length > 1 && numbers.length === factor.levels.length ? factor.name : undefined;
}

/** A rate per unit of the load, the smallest load = 100 %: what is lost on the way up. */
export function scalingCurve(result: SessionResult, theme: ChartTheme, shown: Shown): ChartModel {
  const name = loadFactor(result) ?? '';
  const x = result.factors.find((factor) => factor.name === name) ?? { name, levels: [] };
  const perUnit = (cell: CellResult): number | undefined => cell.spread && cell.spread.mean / Number(cell.levels[name]);
  const smallest = (cell: CellResult): number | undefined => {
    const line = result.cells.filter(
      (other) => other.spread && lineWords(result.factors, other.levels) === lineWords(result.factors, cell.levels),
    );
    const first = line.sort((one, other) => Number(one.levels[name]) - Number(other.levels[name]))[0];
    return first && perUnit(first);
  };
  const points = result.cells.filter(shown).map((cell) => {
    const [own, first] = [perUnit(cell), smallest(cell)];
    const mean = own !== undefined && first ? (100 * own) / first : undefined;
    return { cell: cell.cell, levels: cell.levels, mean };
  });
  const label = `${metricOf(result.metric).label} / ${name}, relative to the smallest load`;
  const measure = { label, unit: '%', digits: 0 };
  return loadCurve({ measure, points, x, lines: result.factors.filter((factor) => factor !== x) }, theme);
}

interface TradeOff {
  cell: CellResult;
  rate: number;
  latency: number;
}

/** Latency against a rate, a line along the load; the knee of each, where rate / latency is largest, is ringed. */
export function latencyCurve(
  rates: SessionResult,
  latencies: SessionResult,
  theme: ChartTheme,
  shown: Shown,
): ChartModel {
  const [rate, latency] = [metricOf(rates.metric), metricOf(latencies.metric)];
  const name = loadFactor(rates) ?? '';
  const paint = painterOf(rates.factors);
  const lines = new Map<string, TradeOff[]>();
  for (const cell of rates.cells.filter(shown)) {
    const other = latencies.cells.find((entry) => entry.cell === cell.cell)?.spread?.mean;
    if (!cell.spread || other === undefined) continue;
    const words = lineWords(rates.factors, cell.levels) || rate.label;
    lines.set(words, [...(lines.get(words) ?? []), { cell, rate: cell.spread.mean, latency: other }]);
  }
  for (const line of lines.values())
    line.sort((one, other) => Number(one.cell.levels[name]) - Number(other.cell.levels[name]));
  const all = [...lines.values()].flat();
  const option: EChartsOption = {
    ...base(theme, [...lines.keys()]),
    xAxis: {
      ...valueAxis(theme, rate),
      nameLocation: 'middle',
      nameGap: 26,
      nameTextStyle: { color: theme.faint, fontSize: 12 },
      axisLine: { show: true, lineStyle: { color: theme.axis } },
      splitLine: { show: false },
    },
    yAxis: valueAxis(theme, latency),
    series: [...lines].map(([words, line]) => {
      const slot = line[0] ? paint(line[0].cell.levels).slot : 0;
      const knee = kneeOf(line);
      const marker = markerOf(slot, theme);
      return {
        id: words,
        name: words,
        type: 'line',
        color: colourOf({ slot }, theme.scheme),
        legendHoverLink: false,
        ...marker,
        lineStyle: { width: 2, color: colourOf({ slot }, theme.scheme) },
        emphasis: { focus: 'series', lineStyle: { width: 2 } },
        label: {
          show: true,
          position: 'top',
          color: theme.faint,
          fontSize: 11,
          formatter: (item) => formatLevel(line[item.dataIndex]?.cell.levels[name]),
        },
        labelLayout: { hideOverlap: true },
        data: line.map((point) => ({
          value: [point.rate, point.latency],
          cell: point.cell.cell,
          symbolSize: point === knee ? 13 : 7,
          itemStyle: { ...marker.itemStyle, ...(point === knee && { borderColor: theme.text, borderWidth: 2 }) },
        })),
      };
    }),
  };
  option.tooltip = {
    ...option.tooltip,
    trigger: 'item',
    formatter: (item: unknown) => {
      const of = all.find((point) => point.cell.cell === cellOf(item));
      if (!of) return '';
      return tip(formatLevels(of.cell.levels), [
        { name: rate.label, value: formatValue(of.rate, rate) },
        { name: latency.label, value: formatValue(of.latency, latency) },
      ]);
    },
  };
  return {
    description: `${titleOf(latency)} against ${titleOf(rate)}, along ${name}`,
    option,
    table: () => ({
      columns: [...rates.factors.map((factor) => factor.name), titleOf(rate), titleOf(latency), 'knee'],
      rows: [...lines.values()].flatMap((line) =>
        line.map((point) => [
          ...rates.factors.map((factor) => formatLevel(point.cell.levels[factor.name])),
          point.rate,
          point.latency,
          point === kneeOf(line) ? 'yes' : '',
        ]),
      ),
    }),
  };
}

/** Where a little more load would cost more in latency than it brings: the most rate per latency. */
const kneeOf = (line: readonly TradeOff[]): TradeOff | undefined =>
  line.reduce<TradeOff | undefined>(
    (best, point) => (best && best.rate / best.latency >= point.rate / point.latency ? best : point),
    undefined,
  );

const cellOf = (item: unknown): number | undefined => {
  const data = typeof item === 'object' && item !== null && 'data' in item ? item.data : undefined;
  return typeof data === 'object' && data !== null && 'cell' in data && typeof data.cell === 'number'
    ? data.cell
    : undefined;
};
