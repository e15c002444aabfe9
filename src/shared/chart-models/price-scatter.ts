import type { EChartsOption } from 'echarts';
import { formatMoney, formatNumber, formatValue } from '../util/format.ts';
import { shortLabels } from './labels.ts';
import { type ChartModel, type Measure, titleOf } from './model.ts';
import { base, tip, valueAxis } from './parts.ts';
import type { ChartTheme } from './theme.ts';

/** Something that does `rate` and costs `perHour`. */
export interface Priced {
  name: string;
  rate: number;
  perHour: number;
}

const FRONTIER = 'Efficient frontier';

/** Those that nothing cheaper or equally dear beats, by their price. */
export function frontier<P extends Priced>(points: readonly P[]): P[] {
  const sorted = [...points].sort((one, other) => one.perHour - other.perHour || other.rate - one.rate);
  let best = Number.NEGATIVE_INFINITY;
  return sorted.filter((point) => {
    if (point.rate <= best) return false;
    best = point.rate;
    return true;
  });
}

/** Letters of a name beside its point. */
const LONGEST = 28;

/** What is done against what it costs, with the frontier on which more costs more. */
export function priceScatter(
  points: readonly Priced[],
  measure: Measure,
  currency: string,
  theme: ChartTheme,
): ChartModel {
  const unbeaten = frontier(points);
  const price = `Price per hour (${currency})`;
  const what = 'Configurations';
  const names = shortLabels(
    points.map(({ name }) => name),
    LONGEST,
  );
  const dearest = Math.max(0, ...points.map((point) => point.perHour));
  const end = unbeaten.slice(-1).map((point) => [dearest, point.rate]);
  const option: EChartsOption = {
    ...base(theme, [what, FRONTIER]),
    // Room for names beside the dearest.
    grid: { left: 8, right: 96, top: 54, bottom: 22, containLabel: true },
    xAxis: {
      ...valueAxis(theme, { label: price, unit: '', digits: 2 }),
      nameLocation: 'middle',
      nameGap: 26,
      nameTextStyle: { color: theme.faint, fontSize: 12 },
      axisLine: { show: true, lineStyle: { color: theme.axis } },
      splitLine: { show: false },
    },
    yAxis: valueAxis(theme, measure),
    series: [
      {
        id: FRONTIER,
        name: FRONTIER,
        type: 'line',
        step: 'end',
        silent: true,
        color: theme.neutral,
        symbol: 'none',
        lineStyle: { width: 1.5, type: 'dashed', color: theme.neutral },
        data: [...unbeaten.map((point) => [point.perHour, point.rate]), ...end],
      },
      {
        id: what,
        name: what,
        type: 'scatter',
        color: theme.accent,
        symbolSize: 9,
        label: {
          show: true,
          position: 'top',
          color: theme.text,
          fontSize: 11,
          formatter: (item) => names[item.dataIndex] ?? '',
        },
        labelLayout: { hideOverlap: true },
        data: points.map((point) => [point.perHour, point.rate]),
      },
    ],
  };
  option.tooltip = {
    ...option.tooltip,
    trigger: 'item',
    formatter: (item: unknown) => {
      const index = typeof item === 'object' && item !== null && 'dataIndex' in item ? Number(item.dataIndex) : -1;
      const point = points[index];
      if (!point) return '';
      return tip(point.name, [
        { name: measure.label, value: formatValue(point.rate, measure) },
        { name: 'Price', value: `${formatMoney(point.perHour, currency)} per hour` },
      ]);
    },
  };
  return {
    description: `${titleOf(measure)} against ${price}, ${formatNumber(points.length)} configurations`,
    option,
    table: () => ({
      columns: ['configuration', price, titleOf(measure), FRONTIER],
      rows: points.map((point) => [point.name, point.perHour, point.rate, unbeaten.includes(point) ? 'yes' : '']),
    }),
  };
}
