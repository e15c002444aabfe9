import { CPU_MODES, type CpuMode } from '../model/analysis.ts';
import { formatLevels, formatNumber, plainLevels } from '../util/format.ts';
import { coreWords } from './cpu-axes.ts';
import type { Columns, CpuBars } from './cpu-columns.ts';
import { busyOf, type CpuPanel } from './cpu-panels.ts';
import type { ChartModel } from './model.ts';
import { type TipLine, tip } from './parts.ts';
import { type ChartTheme, colourOf } from './theme.ts';

export const MODE_WORDS: Readonly<Record<CpuMode, string>> = {
  user: 'User',
  system: 'System',
  irq: 'Interrupts',
  iowait: 'I/O wait',
  steal: 'Steal',
};

const DIGITS = 2;
/** With more panels the tooltip shows only the total of each, without its parts. */
const MOST_IN_TIP = 3;

export function tipOf(
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

export function tableOf({ panels, cells }: CpuBars): ReturnType<ChartModel['table']> {
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
