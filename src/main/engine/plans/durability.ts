import { durabilityOfTables, leastDurable } from '../../../shared/checks/index.ts';
import type { Experiment } from '../../../shared/model/experiment.ts';
import type { Cell } from '../../../shared/model/plan.ts';
import type { Durability, TargetDescription } from '../../../shared/model/target.ts';
import type { Tool } from '../tools/tool.ts';
import { cellsAgainst, effectsOf } from './effects.ts';

interface DescribedTarget {
  readonly name: string;
  readonly kind: string;
  readonly description?: TargetDescription | undefined;
}

/** What a power cut costs the tables that a cell measures; undefined where the target keeps nothing or tells nothing. */
export function cellDurability(
  experiment: Experiment,
  cell: Pick<Cell, 'levels'>,
  tool: Tool,
  target: DescribedTarget,
): Durability | undefined {
  const { kind, description } = target;
  if (!description?.durability) return undefined;
  const { options, generators } = effectsOf(experiment, cell, tool);
  const storage = tool.storage?.(options, kind);
  if (!description.storage && storage !== tool.storage?.(tool.options.parse({}), kind)) {
    return { level: 'unknown', why: `The server’s settings were judged for other tables than those of ${storage}.` };
  }
  const names = tool.data?.(options, kind, generators.length)?.tables.map(({ name }) => name);
  return durabilityOfTables(description, { ...(names && { names }), ...(storage !== undefined && { storage }) });
}

/** Of those of these cells that meet the target the one that promises least; undefined where the target tells nothing. */
export const cellsDurability = (
  experiment: Experiment,
  cells: readonly Pick<Cell, 'levels'>[],
  tool: Tool,
  target: DescribedTarget,
): Durability | undefined =>
  leastDurable(
    cellsAgainst(experiment, cells, tool, target.name).flatMap(
      (cell) => cellDurability(experiment, cell, tool, target) ?? [],
    ),
  );
