import type { Levels, Scalar } from '../model/experiment.ts';
import { formatLevel, formatLevels } from '../util/format.ts';
import type { CpuPanel } from './cpu-panels.ts';
import { type FactorLevels, inOrder, isOf, lineKeys } from './levels.ts';
import { ladderFactor } from './of-session.ts';

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
