import type { LineSeriesOption, ScatterSeriesOption } from 'echarts';
import { metricOf } from '../metrics/index.ts';
import type { CanaryResult } from '../model/result.ts';
import { formatNumber, formatValue } from '../util/format.ts';
import { type ChartModel, titleOf } from './model.ts';
import { base, levelAxis, tip, valueAxis } from './parts.ts';
import type { ChartTheme } from './theme.ts';

/** The canaries along their session, with a trend line if they rise or fall. */
export function canaryChart(canary: CanaryResult, metric: string, theme: ChartTheme): ChartModel {
  const measure = metricOf(metric);
  const complete = canary.runs.filter((run) => run.value !== undefined);
  const isTimed = complete.every(({ at }) => at !== undefined);
  const start = Math.min(...canary.runs.flatMap(({ at }) => at ?? []));
  const places = complete.map(({ at, trial }) => (isTimed && at !== undefined ? (at - start) / 60_000 : trial + 1));
  const x = isTimed ? 'minutes since the first canary' : 'trial';
  const values = complete.map(({ value = 0 }) => value);
  const points: ScatterSeriesOption = {
    type: 'scatter',
    name: 'canary',
    symbolSize: 9,
    itemStyle: { color: theme.accent },
    data: values.map((value, index) => [places[index] ?? 0, value]),
  };
  const axis = levelAxis(theme, x);
  const cut = values.length > 0 && Math.min(...values) > Math.max(...values) / 2;
  return {
    description: `${titleOf(measure)} of ${complete.length} canary trials along the session`,
    option: {
      ...base(theme, []),
      grid: { left: 8, right: 24, top: 34, bottom: 32, containLabel: true },
      xAxis: {
        ...axis,
        type: 'value',
        min: 'dataMin',
        max: 'dataMax',
        axisLabel: { ...axis.axisLabel, showMaxLabel: false },
      },
      yAxis: valueAxis(theme, measure, cut),
      series: [points, ...trendLine(canary, places, values, theme)],
      tooltip: {
        ...base(theme, []).tooltip,
        trigger: 'item',
        formatter: (item: unknown) => {
          const index =
            typeof item === 'object' && item !== null && 'dataIndex' in item ? Number(item.dataIndex) : Number.NaN;
          const run = complete[index];
          return run
            ? tip(`Trial ${run.trial + 1}`, [{ name: measure.label, value: formatValue(run.value, measure) }])
            : '';
        },
      },
    },
    table: () => ({
      columns: ['trial', x, titleOf(measure)],
      rows: complete.map(({ trial, value = 0 }, index) => [trial + 1, formatNumber(places[index], 1), value]),
    }),
  };
}

/** Straight on a logarithmic scale, through the middle of the canaries. */
function trendLine(
  { verdict, change }: CanaryResult,
  places: readonly number[],
  values: readonly number[],
  theme: ChartTheme,
): LineSeriesOption[] {
  if (verdict !== 'drift' || !change) return [];
  const [from, to] = [Math.min(...places), Math.max(...places)];
  const mean = (all: readonly number[]): number => all.reduce((sum, each) => sum + each, 0) / all.length;
  const middle = (mean(places) - from) / (to - from);
  const height = Math.exp(mean(values.map(Math.log)));
  const at = (share: number): number => height * change.ratio ** (share - middle);
  return [
    {
      type: 'line',
      name: 'trend',
      silent: true,
      showSymbol: false,
      lineStyle: { color: theme.bad, type: 'dashed', width: 1.5 },
      data: [0, 0.25, 0.5, 0.75, 1].map((share) => [from + share * (to - from), at(share)]),
    },
  ];
}
