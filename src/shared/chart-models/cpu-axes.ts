import { CPU_MODES } from '../model/analysis.ts';
import type { Levels, Scalar } from '../model/experiment.ts';
import { formatLevel, formatLevels, formatNumber } from '../util/format.ts';
import type { CpuPanel, CpuUse } from './cpu-panels.ts';
import { shortLabels } from './labels.ts';
import { roundStep } from './lanes/lane-scale.ts';
import { type FactorLevels, inOrder, isOf, lineKeys } from './levels.ts';
import { ladderFactor } from './of-session.ts';
import { axisNumber, levelAxis } from './parts.ts';
import type { ChartTheme } from './theme.ts';

/** Pixels: legend, name and plot of a panel, and the space below the last one. */
export const TOP = 30;
export const ABOVE = 30;
/** The fewer there are, the taller each is. */
const PLOTS = [160, 124, 100];
const PLOT = 92;
const BELOW = 46;
const GROUPS = 18;
export const LEFT = 44;
export const RIGHT = 16;
/** Pixels of a letter of a group's name, and minimum letters of one. */
const LETTER = 6.6;
const LEAST_LETTERS = 4;
/** From this share of all cores on, the axis includes all of them. */
const NEAR_LIMIT = 0.35;
export const plotOf = ({ panels }: Pick<CpuBars, 'panels'>): number => PLOTS[panels.length - 1] ?? PLOT;

/** Total height of all panels, pixels. */
export const cpuBarsHeight = (chart: CpuBars): number =>
  TOP + chart.panels.length * (ABOVE + plotOf(chart)) + BELOW + (columnsOf(chart).groups.length > 1 ? GROUPS : 0);

/** The horizontal axis of a panel, and the lines of its places; words are below the last panel only. */
export function upright(columns: Columns, gridIndex: number, isLast: boolean, width: number, theme: ChartTheme) {
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
      data: shortLabels(columns.groups, Math.max(LEAST_LETTERS, Math.floor(room / LETTER))),
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
export const coreWords = (cores: number): string => `${formatNumber(cores)} ${cores === 1 ? 'core' : 'cores'}`;

/** Whether its axis includes all of its cores. */
export const isNearLimit = (panel: CpuPanel): boolean => mostOf(panel) >= NEAR_LIMIT * panel.cores;

/** From zero to all cores, or to a round number if much less is used. */
export function coresAxis(panel: CpuPanel, gridIndex: number, width: number, theme: ChartTheme) {
  const { name, cores } = panel;
  const most = mostOf(panel);
  const isNear = isNearLimit(panel);
  const interval = roundStep(isNear ? cores : most || 1, 3);
  const max = isNear ? cores : Math.ceil((most || 1) / interval - 1e-9) * interval;
  return {
    gridIndex,
    type: 'value' as const,
    ...{ min: 0, max, interval },
    name: `{name|${name}}{cores|${isNear ? '' : 'of '}${coreWords(cores)}}`,
    nameLocation: 'end' as const,
    nameGap: 10,
    nameTextStyle: {
      ...{ align: 'left' as const, padding: [0, 0, 0, -LEFT + 8], width: width - RIGHT, overflow: 'truncate' as const },
      rich: {
        name: { color: theme.text, fontSize: 12, fontWeight: 600 as const },
        cores: { color: theme.faint, fontSize: 12, padding: [0, 0, 0, 6] },
      },
    },
    axisLabel: { color: theme.faint, fontSize: 11, formatter: axisNumber, showMaxLabel: max % interval < 1e-9 },
    axisLine: { show: false },
    axisTick: { show: false },
    splitLine: { lineStyle: { color: theme.grid } },
  };
}

export interface CpuBars {
  panels: readonly CpuPanel[];
  /** Visible cells. */
  cells: readonly { readonly cell: number; readonly levels: Levels }[];
  factors: readonly FactorLevels[];
}

/** Places along the axis: the cells of a line are adjacent, in the order of the load; missing cells of a line leave empty places. */
export interface Columns {
  x: string;
  levels: readonly string[];
  groups: readonly string[];
  cells: readonly (CpuBars['cells'][number] | undefined)[];
}

export function columnsOf({ cells, factors }: CpuBars): Columns {
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
