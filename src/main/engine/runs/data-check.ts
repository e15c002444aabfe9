import type { Experiment } from '../../../shared/model/experiment.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import { makePlan } from '../plans/index.ts';
import type { RunsContext } from './context.ts';
import { dataState } from './data-state.ts';
import { needsOf } from './needs.ts';

/** What the data policy makes of the tables that are there now: what will be prepared or replaced, and what is in the way. */
export async function lookAtData(
  context: RunsContext,
  experiment: Experiment,
  target: string,
  signal: AbortSignal,
): Promise<Finding[]> {
  const { together } = await needsOf(context, experiment, makePlan(experiment));
  const policy = experiment.workload.data;
  if (!together) return [];
  if (policy === 'recreate') {
    return [
      {
        code: 'data-replaced',
        severity: 'warn',
        message: `The tables of this workload on ${target} will be dropped and made again: ${together.title}.`,
      },
    ];
  }
  const state = await dataState(context, target, together, signal);
  if (state.complete) return [];
  const what = state.wrong.slice(0, 3).join('; ');
  if (policy === 'keep') {
    return [
      {
        code: 'data-mismatch',
        severity: 'block',
        message: `The data is not as the workload needs it: ${what}.`,
        next: 'Choose “create” to prepare it.',
      },
    ];
  }
  return state.empty
    ? [{ code: 'data-prepared', severity: 'note', message: `It will be prepared first: ${together.title}.` }]
    : [
        {
          code: 'data-mismatch',
          severity: 'block',
          message: `There are tables of another size: ${what}.`,
          next: 'Choose “recreate” to replace them, or use another database.',
        },
      ];
}
