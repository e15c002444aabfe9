import type { Experiment } from '../../../../shared/model/experiment.ts';

/** The factor of this name becomes the one that the question is about; without a name none is. */
export const withTested = (experiment: Experiment, name?: string): Experiment => ({
  ...experiment,
  factors: experiment.factors.map(({ tested: _, ...factor }) =>
    factor.name === name ? { ...factor, tested: true as const } : factor,
  ),
});
