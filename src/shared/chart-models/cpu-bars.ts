import type { BarSeriesOption, EChartsOption } from 'echarts';
import { CPU_MODES, type CpuMode } from '../model/analysis.ts';
import { formatLevels, formatNumber, plainLevels } from '../util/format.ts';
import {
  ABOVE,
  type Columns,
  type CpuBars,
  columnsOf,
  coresAxis,
  coreWords,
  isNearLimit,
  LEFT,
  plotOf,
  RIGHT,
  TOP,
  upright,
} from './cpu-axes.ts';
import { busyOf, type CpuPanel } from './cpu-panels.ts';
import { rowOf } from './labels.ts';
import type { ChartModel } from './model.ts';
import { base, type TipLine, tip } from './parts.ts';
import { type ChartTheme, colourOf } from './theme.ts';

/** An invisible fraction of a core. */
const NOTHING = 0.005;
/** Cores in use by mode, a stack for each cell; hosts of each role have their own panel, all along the same cells. */
export function cpuBars(chart: CpuBars, theme: ChartTheme): ChartModel {
  const columns = columnsOf(chart);
  const modes = CPU_MODES.filter((mode) =>
    chart.panels.some(({ uses }) => [...uses.values()].some((use) => (use.modes[mode] ?? 0) >= NOTHING)),
  );
  const at = (width: number): EChartsOption => optionOf(chart, columns, modes, width, theme);
  return {
    description: `Cores in use by mode, ${chart.panels.map(({ name }) => name).join('; ')}: ${chart.cells.length} ${chart.cells.length === 1 ? 'cell' : 'cells'}`,
    option: at(1000),
    at,
    table: () => tableOf(chart),
  };
}

function optionOf(
  { panels }: CpuBars,
  columns: Columns,
  modes: readonly CpuMode[],
  width: number,
  theme: ChartTheme,
): EChartsOption {
  const plot = plotOf({ panels });
  const option: EChartsOption = {
    ...base(
      theme,
      modes.map((mode) => MODE_WORDS[mode]),
      new Map(),
      { at: 'legend' },
    ),
    grid: panels.map((_, index) => ({
      ...{ left: LEFT, right: RIGHT, top: TOP + ABOVE + index * (ABOVE + plot), height: plot, containLabel: false },
    })),
    xAxis: panels.flatMap((_, index) => upright(columns, index, index === panels.length - 1, width, theme)),
    yAxis: panels.map((panel, index) => coresAxis(panel, index, width, theme)),
    series: panels.flatMap((panel, index) =>
      modes.map((mode, place) => seriesOf(panel, mode, { index, columns, theme, isFirst: place === 0 })),
    ),
  };
  option.axisPointer = { triggerEmphasis: false, link: [{ xAxisIndex: 'all' }] };
  option.tooltip = {
    ...option.tooltip,
    axisPointer: { type: 'shadow', shadowStyle: { color: theme.shade } },
    formatter: (items: unknown) => tipOf(panels, columns, modes, rowOf(items), theme),
  };
  return option;
}

interface Place {
  index: number;
  columns: Columns;
  theme: ChartTheme;
  isFirst: boolean;
}

function seriesOf(panel: CpuPanel, mode: CpuMode, { index, columns, theme, isFirst }: Place): BarSeriesOption {
  const axis = index * (columns.groups.length > 1 ? 2 : 1);
  return {
    id: `${index} ${mode}`,
    name: MODE_WORDS[mode],
    type: 'bar',
    stack: String(index),
    xAxisIndex: axis,
    yAxisIndex: index,
    barMaxWidth: 36,
    barCategoryGap: '25%',
    color: colourOf({ slot: CPU_MODES.indexOf(mode) }, theme.scheme),
    data: columns.cells.map((cell) => {
      const value = cell && panel.uses.get(cell.cell)?.modes[mode];
      return cell && value !== undefined ? { value, cell: cell.cell } : '-';
    }),
    ...(isFirst && { markLine: limitOf(panel, theme) }),
  };
}

const limitOf = (panel: CpuPanel, theme: ChartTheme): NonNullable<BarSeriesOption['markLine']> => ({
  silent: true,
  symbol: 'none',
  // A series that is redrawn without a line keeps its previous one.
  data: isNearLimit(panel) ? [{ yAxis: panel.cores }] : [],
  lineStyle: { color: theme.bad, type: [4, 3], width: 1 },
  label: { show: false },
});

const MODE_WORDS: Readonly<Record<CpuMode, string>> = {
  user: 'User',
  system: 'System',
  irq: 'Interrupts',
  iowait: 'I/O wait',
  steal: 'Steal',
};

const DIGITS = 2;
/** With more panels the tooltip shows only the total of each, without its parts. */
const MOST_IN_TIP = 3;

function tipOf(
  panels: readonly CpuPanel[],
  { cells }: Columns,
  modes: readonly CpuMode[],
  row: number,
  theme: ChartTheme,
): string {
  const cell = cells[row];
  if (!cell) return '';
  const lines = panels.flatMap((panel): TipLine[] => {
    const use = panel.uses.get(cell.cell);
    if (!use) return [{ name: panel.name, value: 'unknown' }];
    const busy = busyOf(use);
    const head = {
      name: panel.name,
      value: `${formatNumber(busy, DIGITS)} of ${coreWords(use.cores)} busy (${formatNumber((100 * busy) / use.cores)} %)`,
    };
    if (panels.length > MOST_IN_TIP) return [head];
    return [
      head,
      ...modes.map((mode) => ({
        colour: colourOf({ slot: CPU_MODES.indexOf(mode) }, theme.scheme),
        name: MODE_WORDS[mode],
        value: formatNumber(use.modes[mode], DIGITS),
      })),
      ...(use.programs
        ? [
            { name: 'of which load tool', value: formatNumber(use.programs.tool, DIGITS) },
            { name: 'of which server', value: formatNumber(use.programs.server, DIGITS) },
          ]
        : []),
    ];
  });
  return tip(formatLevels(cell.levels) || 'the only cell', lines);
}

function tableOf({ panels, cells }: CpuBars): ReturnType<ChartModel['table']> {
  const figure = (value: number | undefined): number | string => value ?? '';
  return {
    columns: [
      ...['hosts', 'cell', 'cores'],
      ...CPU_MODES.map((mode) => `${MODE_WORDS[mode].toLowerCase()} (cores)`),
      ...['busy (cores)', 'busy (%)', 'load tool (cores)', 'server (cores)'],
    ],
    rows: panels.flatMap(({ name, uses }) =>
      cells.flatMap(({ cell, levels }) => {
        const use = uses.get(cell);
        if (!use) return [];
        const { cores } = use;
        const busy = busyOf(use);
        return [
          [
            ...[name, plainLevels(levels) || 'the only cell', cores],
            ...CPU_MODES.map((mode) => figure(use.modes[mode])),
            ...[busy, (100 * busy) / cores, figure(use.programs?.tool), figure(use.programs?.server)],
          ],
        ];
      }),
    ),
  };
}
