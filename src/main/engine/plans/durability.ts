import { durabilityOfTables, leastDurable } from '../../../shared/checks/index.ts';
import type { Durability, TargetDescription } from '../../../shared/model/target.ts';
import type { Tool } from '../tools/tool.ts';
import type { KnownStep, Step } from './effects.ts';

interface DescribedTarget {
  readonly name: string;
  readonly kind: string;
  readonly description?: TargetDescription | undefined;
}

/** Effect of a power failure on the tables that a step measures. Undefined if the target stores or reports nothing. */
export function durabilityIn(
  tool: Tool,
  { options, generators }: Step,
  { kind, description }: DescribedTarget,
): Durability | undefined {
  if (!description?.durability) return undefined;
  const storage = tool.storage?.(options, kind);
  if (!description.storage && storage !== tool.storage?.(tool.options.parse({}), kind)) {
    return { level: 'unknown', why: `Durability was assessed for tables other than those of ${storage}.` };
  }
  const names = tool.data?.(options, kind, generators.length)?.tables.map(({ name }) => name);
  return durabilityOfTables(description, { ...(names && { names }), ...(storage !== undefined && { storage }) });
}

/** The lowest durability among the steps that use the target. Undefined if the target does not report it. */
export const leastDurability = (steps: readonly KnownStep[], target: DescribedTarget): Durability | undefined =>
  leastDurable(
    steps.flatMap(({ tool, step }) => (step.target === target.name ? (durabilityIn(tool, step, target) ?? []) : [])),
  );
