import { durabilityOfTables, leastDurable } from '../../../shared/checks/index.ts';
import type { Durability, TargetDescription } from '../../../shared/model/target.ts';
import { durabilityOf, type Judged } from '../targets/durability.ts';
import { TARGETS } from '../targets/index.ts';
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

/**
 * The same with the server settings that the step asks for in place of those in force when the target was described. Settings without effect then
 * (`sync_binlog` without a binary log) still have none, except that any can make the server unsafe.
 */
export function durabilityWithSettings(tool: Tool, step: Step, target: DescribedTarget): Durability | undefined {
  const found = durabilityIn(tool, step, target);
  if (!found?.settings) return found;
  const judge = TARGETS.find(({ kind }) => kind === target.kind)?.settings?.durability;
  // Steps of earlier versions may have none.
  const { settings: wanted = [] } = step;
  const asked = wanted.flatMap(({ place, what, value }): Judged[] => {
    const level = place.kind === 'server' ? judge?.(what, value) : undefined;
    return level === undefined ? [] : [{ name: what, value, level }];
  });
  if (asked.length === 0) return found;
  // Servers ignore the case of names.
  const isSame = (one: Judged, other: Judged): boolean => one.name.toLowerCase() === other.name.toLowerCase();
  const { settings } = found;
  return durabilityOf([
    ...settings.map((each) => asked.find((own) => isSame(own, each)) ?? each),
    ...asked.filter((own) => own.level === 'unsafe' && !settings.some((each) => isSame(own, each))),
  ]);
}

/** The lowest durability among the steps that use the target. Undefined if the target does not report it. */
export const leastDurability = (steps: readonly KnownStep[], target: DescribedTarget): Durability | undefined =>
  leastDurable(
    steps.flatMap(({ tool, step }) => (step.target === target.name ? (durabilityIn(tool, step, target) ?? []) : [])),
  );
