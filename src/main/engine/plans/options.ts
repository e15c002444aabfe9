import { z } from 'zod';
import type { DocumentProblem, Experiment, Factor, Levels, Scalar } from '../../../shared/model/experiment.ts';
import { optionName, optionValue } from '../tools/index.ts';
import type { Tool } from '../tools/tool.ts';
import { MAX_PROBLEMS, type ReadDocument } from './document.ts';
import { issueWords } from './words.ts';

/** The tool option that a factor sets. */
export const optionOf = (factor: Factor): string => factor.option ?? factor.name;

/** The workload's options with a cell's levels on top, by the tool's own option names; not yet validated. */
function rawOptions(experiment: Experiment, levels: Levels, tool: Tool): Record<string, Scalar> {
  const options: Record<string, Scalar> = {};
  const set = (given: string, value: Scalar): void => {
    const name = optionName(tool, given);
    options[name] = optionValue(tool, name, value) as Scalar;
  };
  for (const [name, value] of Object.entries(experiment.workload.options)) set(name, value);
  for (const factor of experiment.factors) {
    const level = levels[factor.name];
    if (level !== undefined) set(optionOf(factor), level);
  }
  return options;
}

/** Options of one cell with the tool's defaults filled in. Throws zod's error: documents are checked before. */
export const cellOptions = (experiment: Experiment, levels: Levels, tool: Tool): Record<string, unknown> =>
  tool.options.parse(rawOptions(experiment, levels, tool));

/** What the tool's own schema has to say about options and levels, each at its place in the text. */
export function optionProblems(experiment: Experiment, tool: Tool, locate: ReadDocument['locate']): DocumentProblem[] {
  const problems: DocumentProblem[] = [];
  const add = (path: (string | number)[], message: string): void => {
    if (problems.length < MAX_PROBLEMS) problems.push({ path: path.join('.'), message, ...locate(path) });
  };
  const check = (name: string, value: Scalar, path: (string | number)[]): void => {
    const key = optionName(tool, name);
    if (problems.length >= MAX_PROBLEMS) return;
    const schema = Object.hasOwn(tool.options.shape, key) ? tool.options.shape[key] : undefined;
    if (!schema) {
      add(path, `${tool.title} has no option named “${name}”.${nearest(name, Object.keys(tool.options.shape))}`);
      return;
    }
    if (typeof value === 'string' && value.includes('\0')) {
      add(path, `${name}: a NUL character cannot be passed to a program.`);
      return;
    }
    const result = z.safeParse(schema, optionValue(tool, key, value));
    if (!result.success) add(path, `${name} = ${String(value)}: ${result.error.issues.map(issueWords).join('; ')}`);
  };
  for (const [name, value] of Object.entries(experiment.workload.options)) {
    check(name, value, ['workload', 'options', name]);
  }
  experiment.factors.forEach((factor, index) => {
    const known = Object.hasOwn(tool.options.shape, optionName(tool, optionOf(factor)));
    if (!known) {
      const place = factor.option === undefined ? 'name' : 'option';
      add(
        ['factors', index, place],
        `${tool.title} has no option named “${optionOf(factor)}” that factor “${factor.name}” could vary.${nearest(optionOf(factor), Object.keys(tool.options.shape)) || variable(tool)}`,
      );
      return;
    }
    factor.levels.forEach((level, at) => {
      check(optionOf(factor), level, ['factors', index, 'levels', at]);
    });
  });
  return problems;
}

/** A level as the tool gets it: 1, “1” and “01” are the same number of threads. */
export const levelKey = (factor: Factor, level: Scalar, tool: Tool): string => {
  const name = optionName(tool, optionOf(factor));
  return String(Object.hasOwn(tool.options.shape, name) ? optionValue(tool, name, level) : level);
};

function nearest(name: string, known: readonly string[]): string {
  const best = known
    .map((candidate) => ({ candidate, distance: editDistance(name.replaceAll('_', '-'), candidate) }))
    .sort((a, b) => a.distance - b.distance)[0];
  return best && best.distance <= 3 ? ` Did you mean “${best.candidate}”?` : '';
}

/** More names than this are a page, not a sentence. */
const MOST_NAMES = 30;

function variable(tool: Tool): string {
  const names = Object.keys(tool.options.shape);
  const rest = names.length - MOST_NAMES;
  return ` Its options are: ${names.slice(0, MOST_NAMES).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`;
}

/** Levenshtein distance. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitute = (previous[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min((previous[j] as number) + 1, (row[j - 1] as number) + 1, substitute));
    }
    previous = row;
  }
  return previous[b.length] as number;
}
