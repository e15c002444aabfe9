import type { BarSeriesOption, EChartsOption } from 'echarts';
import type { Verdict } from '../model/result.ts';
import { VERDICT_WORDS } from '../model/result-words.ts';
import { formatChange, formatInterval, formatTimes } from '../util/format.ts';
import type { ChartModel } from './model.ts';
import { namesAxis, rowOf } from './names-axis.ts';
import { base, levelAxis, tip } from './parts.ts';
import type { ChartTheme } from './theme.ts';
import { whiskers } from './whiskers.ts';

export interface RatioBar {
  name: string;
  ratio: number;
  low?: number | undefined;
  high?: number | undefined;
  /** What the difference means for a person: whether it is real, and its direction. */
  verdict: Verdict;
}

/** What is not sure is fainter than what is. */
const OPACITY: Readonly<Record<Verdict, number>> = {
  better: 0.85,
  worse: 0.85,
  higher: 0.85,
  lower: 0.85,
  differ: 0.55,
  'too-small': 0.75,
  'no-difference': 0.75,
  alike: 0.55,
  'cannot-tell': 0.4,
  'too-few': 0.25,
  missing: 0.25,
};

/** Intervals are followed this far from ×1: one that is much wider would flatten every bar, and ends at the edge as an arrow. */
const FARTHEST = 1.5;

/** Ratios to a baseline as aligned bars around ×1, with their intervals; a series per verdict; no ratio is below zero. */
export function ratioBars(bars: readonly RatioBar[], of: string, theme: ChartTheme): ChartModel {
  const verdicts = Object.keys(VERDICT_WORDS).filter((verdict): verdict is Verdict =>
    bars.some((bar) => bar.verdict === verdict),
  );
  const reach = Math.max(
    0.05,
    ...bars.map((bar) => Math.abs(bar.ratio - 1)),
    ...bars.flatMap((bar) => [bar.low ?? 1, bar.high ?? 1]).map((at) => Math.min(FARTHEST, Math.abs(at - 1))),
  );
  const [least, most] = [-Math.min(1, reach * 1.1), reach * 1.1];
  const legend = verdicts.map((verdict) => VERDICT_WORDS[verdict]);
  const option: EChartsOption = {
    ...base(theme, legend),
    grid: { left: 8, right: 24, top: legend.length > 1 ? 32 : 8, bottom: 28, containLabel: true },
    xAxis: {
      ...levelAxis(theme, `${of}, ratio to the baseline`),
      type: 'value',
      min: least,
      max: most,
      splitNumber: 6,
      splitLine: { show: true, lineStyle: { color: theme.grid } },
      axisLabel: {
        color: theme.faint,
        fontSize: 12,
        hideOverlap: true,
        showMinLabel: false,
        showMaxLabel: false,
        // A tick is a sum of steps: its last digits are not meant.
        formatter: (share: number) => formatTimes(Math.round(1000 * (1 + share)) / 1000),
      },
    },
    yAxis: namesAxis(
      theme,
      bars.map((bar) => bar.name),
    ),
    series: verdicts.flatMap((verdict) => [
      verdictSeries(verdict, bars, theme),
      whiskers(
        VERDICT_WORDS[verdict],
        bars.map((bar, index) => {
          const ends = bar.verdict === verdict && bar.low !== undefined && bar.high !== undefined;
          return ends ? [index, (bar.low ?? 1) - 1, (bar.high ?? 1) - 1] : [index, undefined, undefined];
        }),
        theme.text,
        { lying: true, within: [least, most] },
      ),
    ]),
  };
  option.tooltip = {
    ...option.tooltip,
    axisPointer: { type: 'shadow', shadowStyle: { color: theme.shade } },
    formatter: (items: unknown) => {
      const bar = bars[rowOf(items)];
      return bar ? ratioTip(bar) : '';
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

function verdictSeries(verdict: Verdict, bars: readonly RatioBar[], theme: ChartTheme): BarSeriesOption {
  const colours: Partial<Record<Verdict, string>> = { better: theme.good, worse: theme.bad };
  return {
    id: verdict,
    name: VERDICT_WORDS[verdict],
    type: 'bar',
    barMaxWidth: 14,
    barGap: '-100%',
    itemStyle: { color: colours[verdict] ?? theme.neutral, opacity: OPACITY[verdict] },
    data: bars.map((bar) => (bar.verdict === verdict ? bar.ratio - 1 : '-')),
  };
}

function ratioTip(bar: RatioBar): string {
  const { low, high } = bar;
  return tip(bar.name, [
    { name: 'ratio', value: `${formatTimes(bar.ratio)} (${formatChange(bar.ratio - 1)})` },
    {
      name: '95 % interval',
      value: low === undefined || high === undefined ? 'none' : formatInterval({ low, high }),
    },
    { name: 'verdict', value: VERDICT_WORDS[bar.verdict] },
  ]);
}
