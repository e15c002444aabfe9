import type { Experiment } from '../../../../shared/model/experiment.ts';

/** Makes the factor with this name the one under test; without a name, none. */
export const withTested = (experiment: Experiment, name?: string): Experiment => ({
  ...experiment,
  factors: experiment.factors.map(({ tested: _, ...factor }) =>
    factor.name === name ? { ...factor, tested: true as const } : factor,
  ),
});
