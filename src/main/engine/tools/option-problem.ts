import { z } from 'zod';
import type { Scalar } from '../../../shared/model/experiment.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import { formatCount } from '../../../shared/util/format.ts';
import { issueWords } from '../../../shared/util/issue-words.ts';
import { meantWords } from '../../../shared/util/nearest.ts';
import { normaliseOptions, optionName, optionValue } from './normalise.ts';
import type { Part, Tool } from './tool.ts';

/** Options of a document by the tool's own names, with values of the tool's types; not yet validated. */
export const toolOptions = (tool: Tool, options: Readonly<Record<string, Scalar>>): Record<string, Scalar> =>
  normaliseOptions(tool, options) as Record<string, Scalar>;

/** The problem with an option's name or value. Undefined if both are valid. */
export function optionProblem(tool: Tool, name: string, value: Scalar): string | undefined {
  const key = optionName(tool, name);
  const schema = Object.hasOwn(tool.options.shape, key) ? tool.options.shape[key] : undefined;
  if (!schema) return `${tool.title} has no option named “${name}”.${nearest(name, Object.keys(tool.options.shape))}`;
  if (typeof value === 'string' && value.includes('\0'))
    return `${name}: a NUL character cannot be passed to a program.`;
  const result = z.safeParse(schema, optionValue(tool, key, value));
  return result.success ? undefined : `${name} = ${String(value)}: ${result.error.issues.map(issueWords).join('; ')}`;
}

/** A suggestion for an unknown option name. */
export const unknownOption = (name: string, tool: Tool): string =>
  nearest(name, Object.keys(tool.options.shape)) || variable(tool);

const nearest = (name: string, known: readonly string[]): string => meantWords(name.replaceAll('_', '-'), known);

/** Maximum listed names: more would not fit in a sentence. */
const MOST_NAMES = 30;

function variable(tool: Tool): string {
  const names = Object.keys(tool.options.shape);
  const rest = names.length - MOST_NAMES;
  return ` Its options are: ${names.slice(0, MOST_NAMES).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`;
}

/** A generator's share of a countable total. The first generators get one more if it does not divide evenly. Throws if one would get none. */
export function shareOf(what: [one: string, many: string], total: number, { index, count }: Part): number {
  if (total < count) {
    throw invalidOptions(
      `${formatCount(total, ...what)} cannot be divided between ${count} generators: one of them would have nothing to do.`,
      `Use at least ${formatCount(count, ...what)} in every cell, or fewer generators.`,
    );
  }
  return Math.floor(total / count) + (index < total % count ? 1 : 0);
}

/** Where this generator's share begins: the sum of the shares before it. */
export const startOf = (what: [one: string, many: string], total: number, { index, count }: Part): number =>
  Array.from({ length: index }, (_, before) => shareOf(what, total, { index: before, count })).reduce(
    (sum, share) => sum + share,
    0,
  );

export const invalidOptions = (message: string, next: string): KneepointError =>
  new KneepointError({ code: 'experiment-invalid', message, safe: 'Nothing was started.', next });

/** Total seconds. Most tools only accept whole seconds. */
export const wholeSeconds = ({ warmup, duration }: { readonly warmup: number; readonly duration: number }): number =>
  Math.ceil(warmup + duration);
