import type { CheckedDocument } from '../../../shared/contract/experiments.ts';
import type { Experiment } from '../../../shared/model/experiment.ts';
import type { ConnectionFacts } from '../../../shared/model/target.ts';
import { checkDocument, neededTargets, nodeOn } from '../plans/index.ts';
import { exampleFacts, GENERATOR_KIND } from '../targets/index.ts';
import type { RunsContext } from './context.ts';
import { type PlannedContext, withEstimate } from './planned.ts';
import { under } from './steps.ts';

export type CheckingContext = PlannedContext & Pick<RunsContext, 'shownCommand'>;

/** Problems, plan and shown commands of a document. A start asks the same, so that it refuses nothing that this lets through without a host. */
export const checkText = (context: CheckingContext, text: string): CheckedDocument =>
  checkDocument(text, {
    tools: context.tools,
    connection: (experiment) => shownConnection(context, experiment),
    estimated: (experiment, plan, workload, connection) =>
      withEstimate(context, experiment, plan, workload, connection),
    steps: (tool, { options, generators: names, launch }, experiment, connection, part, seed) => {
      const { warmup, duration } = experiment.measure;
      const { assetsDir, shownCommand } = context;
      const nodePath = nodeOn(names[part.index], context.nodePath);
      const generators = names.length;
      const input = { options, connection, warmup, duration, seed, part, generators, nodePath, assetsDir };
      const { run, prepare, cleanup } = tool.plan(input);
      return {
        run: shownCommand(under(launch, run)),
        ...(prepare && { prepare: shownCommand(prepare) }),
        ...(cleanup && { cleanup: shownCommand(cleanup) }),
        ...(tool.file && { file: tool.file.write(input) }),
      };
    },
  });

/** Where commands shown before a start would connect; a target that is not chosen yet gets a name in its place. */
export function shownConnection(
  { targets, tools }: Pick<RunsContext, 'targets' | 'tools'>,
  experiment: Experiment,
): ConnectionFacts {
  const name = experiment.where.target;
  const shown = name === undefined ? undefined : targets.shown(name);
  if (shown) return shown;
  const tool = tools.find(({ id }) => id === experiment.workload.tool);
  return exampleFacts((tool && neededTargets(experiment, tool)?.[0]) ?? GENERATOR_KIND, name);
}
