import type { Experiment, Scalar } from '../../../shared/model/experiment.ts';
import { optionName, optionValue } from '../tools/index.ts';
import { optionProblem, toolOptions } from '../tools/option-problem.ts';
import type { Tool } from '../tools/tool.ts';
import type { Complain, PlainDurations } from './factor.ts';

/** Tool options that a level sets, by name. */
export type OptionSet = Readonly<Record<string, Scalar>>;

/** Names of all options that levels set, in the tool's spelling. */
export const optionsVaried = (sets: readonly OptionSet[], tool: Tool): string[] => [
  ...new Set(sets.flatMap((set) => Object.keys(set).map((name) => optionName(tool, name)))),
];

/** Equal for sets that mean the same. */
export const optionSetKey = (set: OptionSet, tool: Tool): string =>
  JSON.stringify(
    Object.entries(set)
      .map(([name, value]) => [optionName(tool, name), String(optionValue(tool, optionName(tool, name), value))])
      .sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
  );

/** Reports the tool's problems with the options of a level at `path`. */
export function checkOptionSet(
  set: OptionSet,
  tool: Tool,
  path: readonly (string | number)[],
  complain: Complain,
): void {
  for (const [name, value] of Object.entries(set)) {
    const problem = optionProblem(tool, name, value);
    if (problem !== undefined) complain([...path, name], problem);
  }
}

export const withOptions = (workload: Experiment['workload'], set: OptionSet, tool: Tool): Experiment['workload'] => ({
  ...workload,
  options: { ...workload.options, ...toolOptions(tool, { ...set }) },
});

/** Converts durations in a level's options to numbers. */
export function plainOptionSet(level: unknown, plain: PlainDurations): unknown {
  if (typeof level !== 'object' || level === null || !('options' in level)) return level;
  const { options } = level;
  if (typeof options !== 'object' || options === null || Array.isArray(options)) return level;
  return {
    ...level,
    options: Object.fromEntries(Object.entries(options).map(([name, value]) => [name, plain.option(name, value)])),
  };
}
