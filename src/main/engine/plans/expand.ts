import { combinationsOf, measuredOf } from '../../../shared/model/cells.ts';
import type { Experiment } from '../../../shared/model/experiment.ts';
import type { Cell } from '../../../shared/model/plan.ts';

/** The cells of a document, each once, in the order of `combinationsOf`, without those that are not measured. */
export const expandCells = (experiment: Experiment): Cell[] =>
  combinationsOf(experiment)
    .filter(measuredOf(experiment))
    .map((levels, index) => ({ index, levels }));
