import type { Experiment, Levels } from '../../../shared/model/experiment.ts';
import { CHANGE_COSTS, type ChangeCost, type Factor, levelsOf } from '../../../shared/model/factor.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import type { Cell, Changes, Trial } from '../../../shared/model/plan.ts';
import { rulesOf } from '../factors/index.ts';
import type { Tool } from '../tools/tool.ts';

/** What a change from one level of a factor to another takes at most. */
export type CostOf = (factor: Factor) => ChangeCost;

export const costsFor =
  (tool: Tool): CostOf =>
  (factor) =>
    rulesOf(factor, tool).cost;

interface Costly {
  readonly factor: Factor;
  readonly cost: ChangeCost;
}

const rank = (cost: ChangeCost): number => CHANGE_COSTS.indexOf(cost);

/** Factors whose levels are changed by a reload or more, the costliest first; of equals in the order of the document. */
function costlyFactors({ factors }: Experiment, costOf: CostOf): Costly[] {
  return factors
    .map((factor) => ({ factor, cost: costOf(factor) }))
    .filter(({ cost }) => rank(cost) >= rank('reload'))
    .sort((a, b) => rank(b.cost) - rank(a.cost));
}

/**
 * Cells that have the same levels of all costly factors together, in an order with few changes: the costliest factor varies slowest, and each
 * other one runs backwards every second time, so that it stays where it is while a costlier one changes.
 */
export function blocksOf(experiment: Experiment, cells: readonly Cell[], costOf: CostOf): Cell[][] {
  if (experiment.measure.blocks === 'none') return [[...cells]];
  return nested(
    cells,
    costlyFactors(experiment, costOf).map(({ factor }) => factor),
  );
}

/** What a person has to know when cells are not measured in turns. */
export function blockFindings({ measure }: Experiment, blocks: number): Finding[] {
  if (blocks < 2 || measure.blocks === 'rounds') return [];
  return [
    {
      code: 'blocks-in-turn',
      severity: 'note',
      message: `Trials are in ${blocks} blocks of cells that need the same restarts and reloads, so that these are few. What drifts with time falls between the blocks.`,
      next: 'A canary shows a drift; “blocks: rounds” measures the blocks in turns and takes more restarts.',
    },
  ];
}

function nested(cells: readonly Cell[], [slowest, ...rest]: readonly Factor[]): Cell[][] {
  if (!slowest) return [[...cells]];
  const places = [undefined, ...levelsOf(slowest)];
  return places
    .map((level) => cells.filter(({ levels }) => levels[slowest.name] === level))
    .filter((own) => own.length > 0)
    .flatMap((own, index) => {
      const blocks = nested(own, rest);
      return index % 2 === 0 ? blocks : blocks.reverse();
    });
}

/**
 * How often servers and hosts are changed on the way through the trials: before the first of them, between them, and back at the end. A change
 * that takes a restart reloads as well. At most: what is there already is not changed. `from`: the levels that are set now; absent: none are.
 */
export function changesOf(
  experiment: Experiment,
  { cells, trials }: { cells: readonly Cell[]; trials: readonly Trial[] },
  costOf: CostOf,
  from: Levels = {},
): Changes {
  const costly = costlyFactors(experiment, costOf).filter(({ cost }) => cost !== 'load');
  const changes: Changes = { reloads: 0, restarts: 0 };
  const levelsBy = new Map(cells.map(({ index, levels }) => [index, levels]));
  let before = from;
  const goTo = (levels: Levels): void => {
    const moved = costly.filter(({ factor }) => before[factor.name] !== levels[factor.name]);
    if (moved.some(({ cost }) => cost === 'restart')) changes.restarts += 1;
    else if (moved.length > 0) changes.reloads += 1;
    before = levels;
  };
  for (const { cell } of trials) goTo(levelsBy.get(cell) ?? {});
  goTo({});
  if (experiment.measure.before?.restart) changes.restarts += trials.length;
  return changes;
}
