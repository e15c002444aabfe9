import type { Factor } from '../../../../../shared/model/experiment.ts';
import { CHANGE_COSTS, type ChangeCost } from '../../../../../shared/model/factor.ts';
import type { Plan } from '../../../../../shared/model/plan.ts';

/** A trial preceded by a time-consuming change: its index in the order, from 0. */
export interface CostlyChange {
  readonly trial: number;
  readonly cost: ChangeCost;
}

const rank = (cost: ChangeCost): number => CHANGE_COSTS.indexOf(cost);

/** Where a plan reloads, restarts or loads between two trials. `costs`: highest cost of a change of each factor, in order. */
export function costlyChanges(
  { cells, trials }: Pick<Plan, 'cells' | 'trials'>,
  factors: readonly Pick<Factor, 'name'>[],
  costs: readonly ChangeCost[],
): CostlyChange[] {
  const costly = factors.flatMap(({ name }, index) => {
    const cost = costs[index] ?? 'none';
    return rank(cost) >= rank('reload') ? [{ name, cost }] : [];
  });
  return trials.flatMap((trial, index) => {
    const before = cells[trials[index - 1]?.cell ?? -1];
    const now = cells[trial.cell];
    if (!before || !now || before === now) return [];
    const made = costly.filter(({ name }) => before.levels[name] !== now.levels[name]).map(({ cost }) => cost);
    if (before.data !== now.data) made.push('load');
    const [dearest] = made.sort((a, b) => rank(b) - rank(a));
    return dearest === undefined ? [] : [{ trial: trial.index, cost: dearest }];
  });
}
