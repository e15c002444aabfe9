import { combinationsOf, measuredOf } from '../../../shared/model/cells.ts';
import type { Experiment } from '../../../shared/model/experiment.ts';
import type { Cell } from '../../../shared/model/plan.ts';
import { OVERHEAD_SECONDS } from './estimate.ts';

/** The cells of a document, each once, in the order of `combinationsOf`, without those that are not measured. */
export const expandCells = (experiment: Experiment): Cell[] =>
  combinationsOf(experiment)
    .filter(measuredOf(experiment))
    .map((levels, index) => ({ index, levels }));

/** Without what comes before the first trial. `load`: seconds of all trials together; absent: they are equally long. */
export function estimateSeconds(
  trials: number,
  measure: Experiment['measure'],
  load = trials * (measure.warmup + measure.duration),
): number {
  return load + trials * OVERHEAD_SECONDS + Math.max(0, trials - 1) * measure.pause;
}
