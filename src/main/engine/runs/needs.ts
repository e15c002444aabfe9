import type { Experiment } from '../../../shared/model/experiment.ts';
import type { Plan } from '../../../shared/model/plan.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import { cellOptions } from '../plans/index.ts';
import type { DataNeed, ToolPlan } from '../tools/tool.ts';
import type { RunsContext } from './context.ts';
import { connectionOf, stepsOf, toolOf } from './steps.ts';

/** What has to be made before the first trial, and what it amounts to together. */
export interface Needs {
  /** One per different data, the largest first: smaller ones with the same tables are then there already. */
  steps: ToolPlan[];
  /** All tables of all cells; undefined when no cell names any. */
  together?: DataNeed;
}

/**
 * Reads the data needs of every cell. All data is made before the first trial, so two cells that want different rows in one table
 * cannot stand in one experiment: one of them would measure the other's data. Throws `data-mismatch` for that.
 */
export async function needsOf(context: RunsContext, experiment: Experiment, plan: Pick<Plan, 'cells'>): Promise<Needs> {
  const tool = toolOf(context, experiment.workload.tool);
  const steps = new Map<string, ToolPlan>();
  const rows = new Map<string, number>();
  for (const { levels } of plan.cells) {
    const connection = await connectionOf(context, experiment, tool, cellOptions(experiment, levels, tool));
    const { plan: made } = stepsOf(context, experiment, { levels, repeat: 0 }, connection);
    if (!made.prepare) continue;
    for (const table of made.data?.tables ?? []) {
      const known = rows.get(table.name);
      if (known !== undefined && known !== table.rows) throw twoSizes(table.name, known, table.rows);
      rows.set(table.name, table.rows);
    }
    const key = JSON.stringify(made.data ?? made.prepare.argv);
    if (!steps.has(key)) steps.set(key, made);
  }
  const ordered = [...steps.values()].sort((a, b) => tablesOf(b) - tablesOf(a));
  const [largest] = ordered;
  if (!largest?.data) return { steps: ordered };
  const tables = [...rows].map(([name, count]) => ({ name, rows: count }));
  return { steps: ordered, together: { ...largest.data, tables } };
}

const tablesOf = (steps: ToolPlan): number => steps.data?.tables.length ?? 0;

const twoSizes = (table: string, one: number, other: number): KneepointError =>
  new KneepointError({
    code: 'data-mismatch',
    message: `The cells need different data in one table: ${table} with ${one} and with ${other} rows. All data is made before the first trial, so one of them would measure the other's.`,
    safe: 'Nothing on the target was changed.',
    next: 'Put each size into an experiment of its own, and compare the sessions.',
  });
