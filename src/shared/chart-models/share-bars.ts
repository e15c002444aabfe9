import type { EChartsOption } from 'echarts';
import { formatNumber } from '../util/format.ts';
import { namesAxis, rowOf } from './labels.ts';
import type { ChartModel } from './model.ts';
import { base, levelAxis, tip } from './parts.ts';
import { type ChartTheme, colourOf, type Paint } from './theme.ts';

interface ShareBar {
  name: string;
  value: number;
  /** Used if bars belong to different things; without it, all have the accent colour. */
  paint?: Paint | undefined;
  /** Legend entry that shows and hides it, together with others of the same group. */
  group?: string | undefined;
}

/** Bars normalised to the best (= 100 %), each with its absolute value in words. */
export function shareBars(
  bars: readonly ShareBar[],
  what: { label: string; unit: string; digits: number },
  theme: ChartTheme,
): ChartModel {
  const best = Math.max(0, ...bars.map((bar) => bar.value)) || 1;
  const words = (value: number): string => `${formatNumber(value, what.digits)} ${what.unit}`.trim();
  const groups = [...new Set(bars.map((bar) => bar.group ?? what.label))];
  const colour = ({ paint }: ShareBar): string => (paint ? colourOf(paint, theme.scheme) : theme.accent);
  const option: EChartsOption = {
    ...base(theme, groups),
    grid: { left: 8, right: 150, top: groups.length > 1 ? 32 : 8, bottom: 28, containLabel: true },
    xAxis: {
      ...levelAxis(theme, `${what.label}, best = 100 %`),
      type: 'value',
      min: 0,
      max: 100,
      axisLabel: { color: theme.faint, fontSize: 12, hideOverlap: true, formatter: '{value} %' },
      splitLine: { show: true, lineStyle: { color: theme.grid } },
    },
    yAxis: namesAxis(
      theme,
      bars.map((bar) => bar.name),
    ),
    series: groups.map((group) => {
      const own = (bar: ShareBar): boolean => (bar.group ?? what.label) === group;
      const hue = bars.find(own)?.paint;
      return {
        id: group,
        name: group,
        type: 'bar',
        barMaxWidth: 16,
        barGap: '-100%',
        // The legend shows the hue that the group's shades derive from.
        color: hue ? colourOf({ slot: hue.slot }, theme.scheme) : theme.accent,
        data: bars.map((bar) =>
          own(bar) ? { value: (100 * bar.value) / best, itemStyle: { color: colour(bar) } } : '-',
        ),
        label: {
          show: true,
          position: 'right',
          color: theme.text,
          fontSize: 12,
          formatter: (item) => words(bars[item.dataIndex]?.value ?? 0),
        },
      };
    }),
  };
  option.tooltip = {
    ...option.tooltip,
    axisPointer: { type: 'shadow', shadowStyle: { color: theme.shade } },
    formatter: (items: unknown) => {
      const bar = bars[rowOf(items)];
      return bar
        ? tip(bar.name, [{ name: words(bar.value), value: `${formatNumber((100 * bar.value) / best)} %` }])
        : '';
    },
  };
  return {
    description: `${what.label}, ${bars.length} ${bars.length === 1 ? 'bar' : 'bars'} normalised to the best`,
    option,
    table: () => ({
      columns: ['name', what.unit ? `${what.label} (${what.unit})` : what.label, 'percent of best'],
      rows: bars.map((bar) => [bar.name, bar.value, (100 * bar.value) / best]),
    }),
  };
}
