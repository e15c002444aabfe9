import type { Experiment, Levels, Scalar } from '../../../shared/model/experiment.ts';
import { CHANGE_COSTS, type ChangeCost, type Factor, levelsOf } from '../../../shared/model/factor.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import type { Cell, Changes, Trial } from '../../../shared/model/plan.ts';
import { rulesOf } from '../factors/index.ts';
import type { Tool } from '../tools/tool.ts';

/** From one level of a factor to another; undefined is the original state. */
interface Move {
  readonly from: Scalar | undefined;
  readonly to: Scalar | undefined;
}

/** Upper limit for the cost of a level change: of this one, or of any between the factor's levels. */
export type CostOf = (factor: Factor, move?: Move) => ChangeCost;

export const costsFor =
  (tool: Tool): CostOf =>
  (factor, move) => {
    const { cost, costOfMove } = rulesOf(factor, tool);
    return move && costOfMove ? costOfMove(move.from, move.to) : cost;
  };

interface Costly {
  readonly factor: Factor;
  readonly cost: ChangeCost;
}

const rank = (cost: ChangeCost): number => CHANGE_COSTS.indexOf(cost);

/** Factors whose levels take at least a reload to change, the costliest first, then in document order. */
function costlyFactors({ factors }: Experiment, costOf: CostOf): Costly[] {
  return factors
    .map((factor) => ({ factor, cost: costOf(factor) }))
    .filter(({ cost }) => rank(cost) >= rank('reload'))
    .sort((a, b) => rank(b.cost) - rank(a.cost));
}

/**
 * Groups cells with the same levels of all costly factors, in an order with few changes: the costliest factor varies slowest, and each
 * other one runs backwards every second time, so it keeps its level while a costlier one changes.
 */
export function blocksOf<Own extends Cell>(experiment: Experiment, cells: readonly Own[], costOf: CostOf): Own[][] {
  if (experiment.measure.blocks === 'none') return [[...cells]];
  return nested(
    cells,
    costlyFactors(experiment, costOf).map(({ factor }) => factor),
  );
}

/** A note for the user if cells are not interleaved. */
export function blockFindings({ measure }: Experiment, blocks: number): Finding[] {
  if (blocks < 2 || measure.blocks === 'rounds') return [];
  return [
    {
      code: 'blocks-in-turn',
      severity: 'note',
      message: `To save restarts and reloads, trials are grouped into ${blocks} blocks of cells. Drift over time then affects comparisons between blocks.`,
      next: 'A canary shows drift; “blocks: rounds” interleaves the blocks and needs more restarts.',
    },
  ];
}

function nested<Own extends Cell>(cells: readonly Own[], [slowest, ...rest]: readonly Factor[]): Own[][] {
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
 * Number of changes to servers and hosts over all trials: before the first, between them, and back at the end. A change with a restart
 * includes a reload. Each server counts separately. An upper limit: what is already set is not changed. `from` are the current levels; by
 * default none are set.
 */
export function changesOf(
  experiment: Experiment,
  { cells, trials }: { cells: readonly Cell[]; trials: readonly Trial[] },
  costOf: CostOf,
  from: Levels = {},
): Changes {
  const costly = costlyFactors(experiment, costOf).filter(({ cost }) => cost !== 'load');
  let changes: Changes = { reloads: 0, restarts: 0 };
  const levelsBy = new Map(cells.map(({ index, levels }) => [index, levels]));
  /** Current changes by place and factor. */
  const places = new Map<string, Map<Factor, Scalar>>();
  const goTo = (levels: Levels): void => {
    for (const { factor } of costly) {
      const place = placeOf(experiment, factor, levels);
      if (!places.has(place)) places.set(place, new Map());
    }
    for (const [place, changed] of places) {
      const costs = costly.flatMap(({ factor }) => {
        const to = placeOf(experiment, factor, levels) === place ? levels[factor.name] : undefined;
        // This cell sets the factor on its own server; the other one keeps its level.
        if (to === undefined && levels[factor.name] !== undefined) return [];
        const now = changed.get(factor);
        if (to === undefined) changed.delete(factor);
        else changed.set(factor, to);
        return now === to ? [] : [costOf(factor, { from: now, to })];
      });
      if (costs.includes('restart')) changes.restarts += 1;
      else if (costs.includes('reload')) changes.reloads += 1;
    }
  };
  goTo(from);
  changes = { reloads: 0, restarts: 0 };
  for (const { cell } of trials) goTo(levelsBy.get(cell) ?? {});
  goTo({});
  if (experiment.measure.before?.restart) changes.restarts += trials.length;
  return changes;
}

const CELLS_OWN = 'target';

/** Where a factor's levels are set in a cell: on the host or target that it names, or on the cell's target. */
function placeOf({ factors, where }: Experiment, { on }: Factor, levels: Levels): string {
  if (typeof on === 'string' && on !== CELLS_OWN) return `on ${on}`;
  const target = factors.find(({ kind, name }) => kind === 'target' && levels[name] !== undefined);
  return `${CELLS_OWN} ${(target && levels[target.name]) ?? where.target}`;
}
