import type { Changes } from '../../../shared/model/plan.ts';
import { changesOf, costsFor } from '../plans/index.ts';
import { type RunsContext, type SessionRecord, toolOf } from '../runs/index.ts';

/**
 * Restarts and reloads that are still to come, at most, the way back at the end included: after the trial with this number, or from the start
 * on. Undefined where the plan has none.
 */
export function changesLeft(
  context: Pick<RunsContext, 'tools'>,
  record: SessionRecord,
  after: number | undefined,
): Changes | undefined {
  const { experiment, plan } = record.snapshot();
  if (!plan.estimate?.changes) return undefined;
  const runs = record.runs();
  const trials = runs
    .filter(({ state, trial }) => state === 'pending' && trial !== after)
    .map(({ cell, repeat, trial }) => ({ index: trial, cell, repeat }));
  const from = runs.find(({ trial }) => trial === after)?.levels;
  const tool = toolOf(context, experiment.workload.tool);
  return changesOf(experiment, { cells: plan.cells, trials }, costsFor(tool), from);
}
