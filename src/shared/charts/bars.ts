import type { EChartsOption } from 'echarts';
import { formatChange, formatNumber, formatTimes } from '../util/format.ts';
import type { ChartModel } from './model.ts';
import { base, levelAxis, tip } from './parts.ts';
import { type ChartTheme, colourOf } from './theme.ts';
import { whiskers } from './whiskers.ts';

const namesAxis = (theme: ChartTheme, names: readonly string[]) => ({
  type: 'category' as const,
  inverse: true,
  data: [...names],
  axisLabel: { color: theme.text, fontSize: 12, width: 260, overflow: 'truncate' as const },
  axisLine: { lineStyle: { color: theme.axis } },
  axisTick: { show: false },
});

const indexOf = (item: unknown): number =>
  typeof item === 'object' && item !== null && 'dataIndex' in item && typeof item.dataIndex === 'number'
    ? item.dataIndex
    : -1;

export interface RatioBar {
  name: string;
  ratio: number;
  low?: number | undefined;
  high?: number | undefined;
  /** What the difference means for a person: whether it is real, and its direction. */
  verdict: 'better' | 'worse' | 'no-difference' | 'too-noisy' | 'too-few' | 'missing';
}

/** Intervals are followed this far from ×1: one that is much wider would flatten every bar, and is cut at the edge. */
const FARTHEST = 1.5;

/** Ratios to a baseline as aligned bars around ×1, with their intervals; no ratio is below zero. */
export function ratioBars(bars: readonly RatioBar[], of: string, theme: ChartTheme): ChartModel {
  const colours = { better: theme.good, worse: theme.bad } as const;
  const colour = (bar: RatioBar): string =>
    bar.verdict === 'better' || bar.verdict === 'worse' ? colours[bar.verdict] : theme.neutral;
  const reach = Math.max(
    0.05,
    ...bars.map((bar) => Math.abs(bar.ratio - 1)),
    ...bars.flatMap((bar) => [bar.low ?? 1, bar.high ?? 1]).map((at) => Math.min(FARTHEST, Math.abs(at - 1))),
  );
  const option: EChartsOption = {
    ...base(theme, []),
    grid: { left: 8, right: 24, top: 8, bottom: 28, containLabel: true },
    xAxis: {
      ...levelAxis(theme, `${of}, ratio to the baseline`),
      type: 'value',
      min: -Math.min(1, reach * 1.1),
      max: reach * 1.1,
      splitNumber: 6,
      splitLine: { show: true, lineStyle: { color: theme.grid } },
      axisLabel: {
        color: theme.faint,
        fontSize: 12,
        hideOverlap: true,
        showMinLabel: false,
        showMaxLabel: false,
        formatter: (share: number) => formatTimes(1 + share),
      },
    },
    yAxis: namesAxis(
      theme,
      bars.map((bar) => bar.name),
    ),
    series: [
      {
        id: 'ratios',
        type: 'bar',
        barMaxWidth: 14,
        data: bars.map((bar) => ({
          value: bar.ratio - 1,
          itemStyle: { color: colour(bar), opacity: bar.verdict === 'better' || bar.verdict === 'worse' ? 0.85 : 0.5 },
        })),
        label: { show: false },
      },
      whiskers(
        'interval',
        bars.map((bar, index) => [
          index,
          bar.low === undefined ? undefined : bar.low - 1,
          bar.high === undefined ? undefined : bar.high - 1,
        ]),
        theme.text,
        true,
      ),
    ],
  };
  option.tooltip = {
    ...option.tooltip,
    trigger: 'item',
    formatter: (item: unknown) => {
      const bar = bars[indexOf(item)];
      if (!bar) return '';
      const interval =
        bar.low === undefined || bar.high === undefined
          ? 'no interval'
          : `${formatTimes(bar.low)} – ${formatTimes(bar.high)}`;
      return tip(bar.name, [
        { name: 'ratio', value: `${formatTimes(bar.ratio)} (${formatChange(bar.ratio - 1)})` },
        { name: '95 % interval', value: interval },
      ]);
    },
  };
  return {
    description: `${of}: ratio to the baseline, ${bars.length} ${bars.length === 1 ? 'cell' : 'cells'}`,
    option,
    table: () => ({
      columns: ['cell', 'ratio', 'low', 'high', 'verdict'],
      rows: bars.map((bar) => [bar.name, bar.ratio, bar.low ?? '', bar.high ?? '', bar.verdict]),
    }),
  };
}

export interface ShareBar {
  name: string;
  /** Colour slot where bars stand for different things; one colour for all without. */
  slot?: number | undefined;
  value: number;
}

/** Bars normalised to the best (= 100 %), each with its absolute value in words. */
export function shareBars(
  bars: readonly ShareBar[],
  what: { label: string; unit: string; digits: number },
  theme: ChartTheme,
): ChartModel {
  const best = Math.max(0, ...bars.map((bar) => bar.value)) || 1;
  const words = (value: number): string => `${formatNumber(value, what.digits)} ${what.unit}`;
  const option: EChartsOption = {
    ...base(theme, []),
    grid: { left: 8, right: 150, top: 8, bottom: 28, containLabel: true },
    xAxis: {
      ...levelAxis(theme, `${what.label}, best = 100 %`),
      type: 'value',
      min: 0,
      max: 100,
      splitLine: { show: true, lineStyle: { color: theme.grid } },
    },
    yAxis: namesAxis(
      theme,
      bars.map((bar) => bar.name),
    ),
    series: [
      {
        id: 'shares',
        type: 'bar',
        barMaxWidth: 16,
        data: bars.map((bar) => ({
          value: (100 * bar.value) / best,
          itemStyle: { color: bar.slot === undefined ? theme.accent : colourOf(bar.slot, theme.scheme) },
        })),
        label: {
          show: true,
          position: 'right',
          color: theme.text,
          fontSize: 12,
          formatter: (item) => words(bars[item.dataIndex]?.value ?? 0),
        },
      },
    ],
  };
  option.tooltip = {
    ...option.tooltip,
    trigger: 'item',
    formatter: (item: unknown) => {
      const bar = bars[indexOf(item)];
      return bar
        ? tip(bar.name, [{ name: words(bar.value), value: `${formatNumber((100 * bar.value) / best)} %` }])
        : '';
    },
  };
  return {
    description: `${what.label}, ${bars.length} bars normalised to the best`,
    option,
    table: () => ({
      columns: ['name', `${what.label} (${what.unit})`, 'percent of best'],
      rows: bars.map((bar) => [bar.name, bar.value, (100 * bar.value) / best]),
    }),
  };
}
