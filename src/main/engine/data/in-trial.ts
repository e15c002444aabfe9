import { dataStepOf, type Step } from '../plans/index.ts';
import { stepOf, toolOf } from '../runs/index.ts';
import type { RunRow } from '../store/store.ts';
import { preparesData } from '../tools/index.ts';
import type { DataContext, Need } from './kind.ts';
import { needOf } from './kinds.ts';
import { beginMaking, setsIn } from './sets.ts';

/*
 * Data that a step of each trial prepares or removes. Its state is recorded without a check: counting would read it into the caches that
 * the next step starts with.
 */

/** The data that a run's step prepares or removes. Undefined for other steps, and for data that Kneepoint cannot check. */
function neededBy(context: DataContext, run: RunRow): { step: Step; need: Need; isMade: boolean } | undefined {
  const { experiment, step: own } = stepOf(context, run);
  const step = dataStepOf(own);
  const need = step && needOf(context, experiment, step);
  return need && { step, need, isMade: preparesData(own.workload.tool) };
}

/** Records that data is about to be removed, and made again. */
export function beforeDataStep(context: DataContext, run: RunRow): void {
  const known = neededBy(context, run);
  if (!known) return;
  const { step, need, isMade } = known;
  if (isMade) {
    const { options, warmup, duration, generators } = step;
    const { seed } = stepOf(context, run).experiment.measure;
    const recipe = {
      generator: generators[0] ?? '',
      options: { ...options, ...need.extraOptions },
      warmup,
      duration,
      seed,
    };
    const made = { tool: toolOf(context, step.workload.tool), need, recipe };
    beginMaking(context, run.sessionId, made, { fromNothing: true });
    return;
  }
  for (const { kind, id } of setsIn(context.store, need)) context.store.dataSets[kind].update(id, { state: 'partial' });
  context.dataChanged();
}

/** Records the state of a finished run's data. If the step did not finish, the earlier record stays. */
export function afterDataStep(context: DataContext, run: RunRow): void {
  const known = run.state === 'done' ? neededBy(context, run) : undefined;
  if (!known) return;
  const { need, isMade } = known;
  for (const { kind, id, state, madeBy } of setsIn(context.store, need)) {
    const isOwn = state === 'making' && madeBy === run.sessionId;
    if (isMade && isOwn) context.store.dataSets[kind].update(id, { state: 'ready', madeAt: context.clock.now() });
    if (!isMade) context.store.dataSets[kind].update(id, { state: 'gone' });
  }
  context.dataChanged();
}
