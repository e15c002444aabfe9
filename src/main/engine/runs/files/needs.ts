import type { Experiment } from '../../../../shared/model/experiment.ts';
import type { Cell } from '../../../../shared/model/plan.ts';
import { KneepointError } from '../../../../shared/model/problem.ts';
import { cellOptions } from '../../plans/index.ts';
import type { DataRecipe } from '../../store/store.ts';
import type { FileNeed, Step, Tool } from '../../tools/tool.ts';
import type { RunsContext } from '../context.ts';
import { connectionOf, stepsOf, toolOf } from '../steps.ts';

/** Files that have to be there before a cell is measured, and the steps that make them and take them away. */
export interface FilePreparation {
  /** The same for cells that can use the same files. */
  key: string;
  tool: Tool;
  need: FileNeed;
  prepare: Step;
  cleanup?: Step;
  recipe: DataRecipe;
}

/** The host on which the files of an experiment lie: tools that have files run on one generator. */
export const hostOf = ({ where }: Experiment): string => where.generators[0] as string;

/** Files of one cell; undefined when there are none to look at, or when the options do not fit: planning its steps says so. */
export function cellFiles(
  context: Pick<RunsContext, 'tools' | 'targets'>,
  experiment: Experiment,
  cell: Pick<Cell, 'levels'>,
): FileNeed | undefined {
  const tool = toolOf(context, experiment.workload.tool);
  const { target } = experiment.where;
  if (!tool.files) return undefined;
  const spec = target === undefined ? undefined : context.targets.spec(target);
  const path = spec?.kind === 'storage' || spec?.kind === 'host' ? spec.config.path : undefined;
  return filesAt(tool, experiment, cell, typeof path === 'string' ? path : undefined);
}

/** Whether any of these cells works on files of the generator, wherever its target is. */
export const haveFiles = (tool: Tool, experiment: Experiment, cells: readonly Cell[]): boolean =>
  cells.some((cell) => filesAt(tool, experiment, cell, '/') !== undefined);

function filesAt(
  tool: Tool,
  experiment: Experiment,
  { levels }: Pick<Cell, 'levels'>,
  path: string | undefined,
): FileNeed | undefined {
  if (experiment.where.generators.length > 1) return undefined;
  try {
    return tool.files?.(cellOptions(experiment, levels, tool), path);
  } catch (error) {
    if (error instanceof KneepointError && error.code === 'experiment-invalid') return undefined;
    throw error;
  }
}

/** Everything that these cells need, the same files once: the largest first, so that those after it find theirs large enough. */
export async function filePreparationsOf(
  context: RunsContext,
  experiment: Experiment,
  cells: readonly Cell[],
): Promise<FilePreparation[]> {
  const tool = toolOf(context, experiment.workload.tool);
  const found = new Map<string, FilePreparation>();
  for (const cell of cells) {
    const need = cellFiles(context, experiment, cell);
    if (!need || need.selfMade) continue;
    const key = JSON.stringify([need.directory, need.files]);
    if (found.has(key)) continue;
    const options = cellOptions(experiment, cell.levels, tool);
    const connection = await connectionOf(context, experiment, tool, options);
    const { prepare, cleanup } = stepsOf(context, experiment, { levels: cell.levels, repeat: 0 }, connection).plan;
    if (!prepare) continue;
    const { warmup, duration, seed } = experiment.measure;
    const recipe = {
      generator: hostOf(experiment),
      options: { ...options, directory: need.base },
      warmup,
      duration,
      seed,
    };
    found.set(key, { key, tool, need, recipe, prepare, ...(cleanup && { cleanup }) });
  }
  const largest = ({ need }: FilePreparation): number => Math.max(...need.files.map(({ bytes }) => bytes));
  return [...found.values()].sort((a, b) => largest(b) - largest(a) || b.need.files.length - a.need.files.length);
}
