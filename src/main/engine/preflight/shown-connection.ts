import type { Experiment } from '../../../shared/model/experiment.ts';
import type { ConnectionFacts } from '../../../shared/model/target.ts';
import { neededTargets, resolveCells, stepsOf } from '../plans/index.ts';
import type { RunsContext } from '../runs/index.ts';
import { exampleFacts, GENERATOR_KIND } from '../targets/index.ts';

/** Where commands shown before a start would connect; a target that is not chosen or not known yet gets a name in its place. */
export function shownConnection(
  { targets, tools }: Pick<RunsContext, 'targets' | 'tools'>,
  experiment: Experiment,
  target: string | undefined,
): ConnectionFacts {
  const shown = target === undefined ? undefined : targets.shown(target);
  if (shown) return shown;
  const tool = tools.find(({ id }) => id === experiment.workload.tool);
  return exampleFacts(
    (tool && neededTargets({ tool, steps: stepsOf(resolveCells(experiment, tool)) }).get(target)?.[0]) ??
      GENERATOR_KIND,
    target,
  );
}
