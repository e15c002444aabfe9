import type { Experiment } from '../../../shared/model/experiment.ts';
import type { Trial } from '../../../shared/model/plan.ts';
import { blocksOf, costsFor } from './blocks.ts';
import { groupByData, type Workload } from './data-groups.ts';
import type { ResolvedCell } from './effects.ts';
import { orderTrials } from './order.ts';
import { trialSeed } from './seeds.ts';

/** What is added to a session: so many repeats of each of these cells. */
interface Added {
  cells: readonly ResolvedCell[];
  repeats: number;
  /** Number of the first repeat that is added to a cell. */
  first(cell: number): number;
  /** Drawn for the session. */
  seed: number | undefined;
}

/**
 * Trials that are added to a session, in their order: in rounds also where the experiment lists all repeats of a cell one after the other, as only
 * what is measured in turns can be compared. Each has a seed of its own.
 */
export function addedTrials(
  experiment: Experiment,
  workload: Workload,
  { cells, repeats, first, seed: session }: Added,
): Omit<Trial, 'index'>[] {
  const { measure } = experiment;
  const costOf = costsFor(workload.tool);
  const groups = groupByData(cells, workload).map((group) => blocksOf(experiment, group, costOf));
  const { order, seed } = measure;
  const begins = Math.max(...cells.map(({ index }) => first(index)));
  // A seed of its own: shuffled rounds would else repeat the order of those before.
  const added = { ...measure, repeats, order: order === 'listed' ? ('rounds' as const) : order, seed: seed + begins };
  return orderTrials(groups, added).map(({ cell, repeat }) => {
    const numbered = { cell, repeat: first(cell) + repeat };
    return { ...numbered, seed: trialSeed(measure, numbered, session) };
  });
}
