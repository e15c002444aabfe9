import type { Experiment } from '../../../../shared/model/experiment.ts';
import type { Cell } from '../../../../shared/model/plan.ts';
import { cellData, cellOptions, type Workload } from '../../plans/index.ts';
import type { DataRecipe } from '../../store/store.ts';
import type { DataNeed, Step, Tool } from '../../tools/tool.ts';
import type { RunsContext } from '../context.ts';
import { cellFiles } from '../files/needs.ts';
import { connectionOf, stepsOf, toolOf } from '../steps.ts';

/** Data that has to be there before a cell is measured, and the steps that make it and take it away. */
export interface Preparation {
  /** The same for cells that can use the same data. */
  key: string;
  tool: Tool;
  prepare: Step;
  cleanup?: Step;
  /** Absent for what cannot be counted on a target: files, and data of tools that bring their own database. */
  data?: DataNeed;
  recipe: DataRecipe;
}

/** What orders the trials of an experiment by the data that they need. Throws not-found for an unknown tool or target. */
export function workloadOf(context: RunsContext, experiment: Experiment): Workload {
  const tool = toolOf(context, experiment.workload.tool);
  const { target } = experiment.where;
  return { tool, kind: target === undefined ? 'host' : context.targets.spec(target).kind };
}

/** The same for cells that can use the same data. */
export const keyOf = ({ shape, tables }: DataNeed): string => JSON.stringify([shape, tables]);

/** Everything that these cells need, each data once: the largest first, and none whose tables a larger one brings along. */
export async function preparationsOf(
  context: RunsContext,
  experiment: Experiment,
  cells: readonly Cell[],
): Promise<Preparation[]> {
  const workload = workloadOf(context, experiment);
  const { tool } = workload;
  const found = new Map<string, Preparation>();
  for (const cell of cells) {
    const options = cellOptions(experiment, cell.levels, tool);
    const connection = await connectionOf(context, experiment, tool, options);
    const { prepare, cleanup } = stepsOf(context, experiment, { levels: cell.levels, repeat: 0 }, connection).plan;
    // Files are seen to by themselves.
    if (!prepare || cellFiles(context, experiment, cell)) continue;
    const data = cellData(experiment, cell, workload);
    const key = data ? keyOf(data) : JSON.stringify(prepare.argv);
    if (found.has(key)) continue;
    const { warmup, duration, seed } = experiment.measure;
    const recipe = { generator: experiment.where.generators[0] as string, options, warmup, duration, seed };
    found.set(key, { key, tool, prepare, recipe, ...(cleanup && { cleanup }), ...(data && { data }) });
  }
  const ordered = [...found.values()].sort((a, b) => sizeOf(b) - sizeOf(a));
  return ordered.filter((each, at) => !ordered.slice(0, at).some((larger) => brings(larger, each)));
}

const namesOf = ({ data }: Preparation): string[] => data?.tables.map(({ name }) => name) ?? [];
const sizeOf = (preparation: Preparation): number => namesOf(preparation).length;

const brings = (larger: Preparation, smaller: Preparation): boolean =>
  smaller.data !== undefined && namesOf(smaller).every((name) => namesOf(larger).includes(name));
