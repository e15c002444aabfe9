import type { EChartsOption } from 'echarts';
import { formatMoney } from '../util/format.ts';
import { inLines, namesAxis, rowOf, shortLabels } from './labels.ts';
import type { ChartModel } from './model.ts';
import { axisNumber, base, tip } from './parts.ts';
import type { ChartTheme } from './theme.ts';

/** Money for a unit of work: lower is better. */
interface CostBar {
  name: string;
  value: number;
  /** Follows the figure: "12 errors". */
  note?: string | undefined;
  /** Additional figures for its tooltip and table. */
  details: readonly (readonly [name: string, value: string])[];
}

/** Letters in a line of a name, and number of lines: printed pages have room next to the bars, screens above and below. */
const NAMES = { screen: { line: 26, lines: 3 }, print: { line: 46, lines: 1 } };

/** Bars from zero with their figures, in the given order. */
export function costBars(
  bars: readonly CostBar[],
  what: { label: string; currency: string },
  theme: ChartTheme,
  medium: keyof typeof NAMES = 'screen',
): ChartModel {
  const { line, lines } = NAMES[medium];
  const figures = bars.map(({ value, note }) => formatMoney(value, what.currency) + (note ? ` · ${note}` : ''));
  const names = shortLabels(
    bars.map(({ name }) => name),
    // Lines are not completely filled where they break.
    lines * line - 4 * (lines - 1),
  ).map((name) => (lines > 1 ? inLines(name, line) : name));
  const longest = Math.max(0, ...figures.map((figure) => figure.length));
  const option: EChartsOption = {
    ...base(theme, [what.label]),
    grid: { left: 8, right: 12 + 7 * longest, top: 8, bottom: 40, containLabel: true },
    xAxis: {
      type: 'value',
      min: 0,
      name: `${what.label} (lower is better)`,
      nameLocation: 'middle',
      nameGap: 26,
      nameTextStyle: { color: theme.faint, fontSize: 12 },
      splitNumber: 4,
      axisLabel: { color: theme.faint, fontSize: 12, hideOverlap: true, formatter: axisNumber },
      splitLine: { show: true, lineStyle: { color: theme.grid } },
    },
    yAxis: {
      ...namesAxis(theme, names),
      axisLabel: { color: theme.text, fontSize: 12, lineHeight: 14, interval: 0 },
    },
    series: [
      {
        id: 'cost',
        name: what.label,
        type: 'bar',
        barMaxWidth: 18,
        color: theme.accent,
        data: bars.map(({ value }) => value),
        label: {
          show: true,
          position: 'right',
          color: theme.text,
          fontSize: 12,
          formatter: (item) => figures[item.dataIndex] ?? '',
        },
      },
    ],
  };
  option.tooltip = {
    ...option.tooltip,
    axisPointer: { type: 'shadow', shadowStyle: { color: theme.shade } },
    formatter: (items: unknown) => {
      const row = rowOf(items);
      const bar = bars[row];
      if (!bar) return '';
      const lines = [[what.label, figures[row] ?? ''] as const, ...bar.details];
      return tip(
        bar.name,
        lines.map(([name, value]) => ({ name, value })),
      );
    },
  };
  const columns = bars[0]?.details.map(([name]) => name) ?? [];
  return {
    description: `${what.label}, ${bars.length} ${bars.length === 1 ? 'bar' : 'bars'}, lower is better`,
    option,
    table: () => ({
      columns: ['name', what.label, ...columns],
      rows: bars.map((bar) => [bar.name, bar.value, ...bar.details.map(([, value]) => value)]),
    }),
  };
}
