import type { BarSeriesOption, EChartsOption } from 'echarts';
import { CPU_MODES, type CpuMode } from '../model/analysis.ts';
import type { Levels, Scalar } from '../model/experiment.ts';
import { formatLevel, formatLevels, formatNumber } from '../util/format.ts';
import { busyOf, type CpuPanel, type CpuUse } from './cpu-panels.ts';
import { roundStep } from './lanes/lane-scale.ts';
import { type FactorLevels, inOrder, isOf, lineKeys } from './levels.ts';
import type { ChartModel } from './model.ts';
import { rowOf } from './names-axis.ts';
import { ladderFactor } from './of-session.ts';
import { axisNumber, base, levelAxis, type TipLine, tip } from './parts.ts';
import { type ChartTheme, colourOf } from './theme.ts';

const MODE_WORDS: Readonly<Record<CpuMode, string>> = {
  user: 'User',
  system: 'System',
  irq: 'Interrupts',
  iowait: 'I/O wait',
  steal: 'Stolen by the hypervisor',
};

export interface CpuBars {
  panels: readonly CpuPanel[];
  /** Those that are shown. */
  cells: readonly { readonly cell: number; readonly levels: Levels }[];
  factors: readonly FactorLevels[];
}

/** Pixels: legend, name and plot of a panel, and what stands below the last one. */
const TOP = 30;
const ABOVE = 30;
/** The fewer there are, the more room each has. */
const PLOTS = [160, 124, 100];
const PLOT = 92;
const BELOW = 46;
const GROUPS = 18;
const LEFT = 44;
const RIGHT = 16;
/** A part of a core that nobody would see. */
const NOTHING = 0.005;
/** Share of all cores from which on the axis goes up to them. */
const NEAR_LIMIT = 0.35;
const DIGITS = 2;
/** Of more panels the tooltip tells what each used, and not of what that is made. */
const MOST_IN_TIP = 3;

/** Places along the axis: the cells of a line stand together, in the order of the load; where a line has no such cell the place is empty. */
interface Columns {
  x: string;
  levels: readonly string[];
  groups: readonly string[];
  cells: readonly (CpuBars['cells'][number] | undefined)[];
}

function columnsOf({ cells, factors }: CpuBars): Columns {
  const along = ladderFactor(factors);
  const others = factors.filter((factor) => factor !== along);
  const steps: (Scalar | undefined)[] = along
    ? inOrder(along.levels).filter((level) => cells.some(({ levels }) => levels[along.name] === level))
    : [];
  if (!along || cells.some(({ levels }) => levels[along.name] === undefined)) steps.push(undefined);
  const keys = lineKeys(others).filter((key) => cells.some(({ levels }) => isOf(key, levels, others)));
  return {
    x: along?.name ?? '',
    levels: keys.flatMap(() => steps.map((level) => (along ? formatLevel(level) : ''))),
    groups: keys.map((key) => formatLevels(key)),
    cells: keys.flatMap((key) =>
      steps.map((level) =>
        cells.find(({ levels }) => isOf(key, levels, others) && (!along || levels[along.name] === level)),
      ),
    ),
  };
}

const plotOf = ({ panels }: Pick<CpuBars, 'panels'>): number => PLOTS[panels.length - 1] ?? PLOT;

/** Pixels that all panels take in height. */
export const cpuBarsHeight = (chart: CpuBars): number =>
  TOP + chart.panels.length * (ABOVE + plotOf(chart)) + BELOW + (columnsOf(chart).groups.length > 1 ? GROUPS : 0);

/** Cores in use by mode, a stack for each cell; hosts of a role in panels of their own, all along the same cells. */
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

/** The places of a panel, and the lines that they belong to; words stand below the last panel. */
function upright(columns: Columns, gridIndex: number, isLast: boolean, width: number, theme: ChartTheme) {
  const axis = levelAxis(theme, isLast ? columns.x : '');
  const several = columns.groups.length > 1;
  const places = {
    ...axis,
    gridIndex,
    type: 'category' as const,
    position: 'bottom' as const,
    data: [...columns.levels],
    nameGap: several ? 26 + GROUPS : 26,
    axisTick: { ...axis.axisTick, show: isLast && columns.x !== '' },
    axisLabel: { ...axis.axisLabel, show: isLast },
  };
  if (!several) return [places];
  const room = (width - LEFT - RIGHT) / columns.groups.length - 8;
  return [
    places,
    {
      gridIndex,
      type: 'category' as const,
      position: 'bottom' as const,
      offset: 20,
      data: [...columns.groups],
      axisLine: { show: false },
      axisTick: { show: false },
      axisPointer: { show: false, triggerTooltip: false },
      axisLabel: {
        show: isLast,
        ...{ color: theme.text, fontSize: 12, interval: 0, margin: 4 },
        ...{ width: Math.max(20, room), overflow: 'truncate' as const },
      },
      splitLine: { show: true, lineStyle: { color: theme.axis } },
    },
  ];
}

const mostOf = ({ uses }: CpuPanel): number =>
  [...uses.values()].reduce((most, { modes }) => Math.max(most, total(modes)), 0);
const total = (modes: CpuUse['modes']): number => CPU_MODES.reduce((sum, mode) => sum + (modes[mode] ?? 0), 0);
const coreWords = (cores: number): string => `${formatNumber(cores)} ${cores === 1 ? 'core' : 'cores'}`;

/** From zero to all cores, or to a round number where they use much less. */
function coresAxis(panel: CpuPanel, gridIndex: number, width: number, theme: ChartTheme) {
  const { name, cores } = panel;
  const most = mostOf(panel);
  const isNear = most >= NEAR_LIMIT * cores;
  const interval = roundStep(isNear ? cores : most || 1, 3);
  const max = isNear ? cores : Math.ceil((most || 1) / interval - 1e-9) * interval;
  return {
    gridIndex,
    type: 'value' as const,
    ...{ min: 0, max, interval },
    name: `{name|${name}} {cores|${isNear ? '' : 'of '}${coreWords(cores)}}`,
    nameLocation: 'end' as const,
    nameGap: 10,
    nameTextStyle: {
      ...{ align: 'left' as const, padding: [0, 0, 0, -LEFT + 8], width: width - RIGHT, overflow: 'truncate' as const },
      rich: {
        name: { color: theme.text, fontSize: 12, fontWeight: 600 as const },
        cores: { color: theme.faint, fontSize: 12 },
      },
    },
    axisLabel: { color: theme.faint, fontSize: 11, formatter: axisNumber, showMaxLabel: max % interval < 1e-9 },
    axisLine: { show: false },
    axisTick: { show: false },
    splitLine: { lineStyle: { color: theme.grid } },
  };
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
    ...(isFirst && mostOf(panel) >= NEAR_LIMIT * panel.cores && { markLine: limitOf(panel, theme) }),
  };
}

const limitOf = ({ cores }: CpuPanel, theme: ChartTheme): NonNullable<BarSeriesOption['markLine']> => ({
  silent: true,
  symbol: 'none',
  data: [{ yAxis: cores }],
  lineStyle: { color: theme.bad, type: [4, 3], width: 1 },
  label: { show: false },
});

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
    if (!use) return [{ name: panel.name, value: 'not known' }];
    const busy = busyOf(use);
    const head = {
      name: panel.name,
      value: `${formatNumber(busy, DIGITS)} of ${coreWords(panel.cores)} busy (${formatNumber((100 * busy) / panel.cores)} %)`,
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
            { name: 'of it the load tool', value: formatNumber(use.programs.tool, DIGITS) },
            { name: 'of it the server', value: formatNumber(use.programs.server, DIGITS) },
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
    rows: panels.flatMap(({ name, cores, uses }) =>
      cells.flatMap(({ cell, levels }) => {
        const use = uses.get(cell);
        if (!use) return [];
        const busy = busyOf(use);
        return [
          [
            ...[name, formatLevels(levels) || 'the only cell', cores],
            ...CPU_MODES.map((mode) => figure(use.modes[mode])),
            ...[busy, (100 * busy) / cores, figure(use.programs?.tool), figure(use.programs?.server)],
          ],
        ];
      }),
    ),
  };
}
