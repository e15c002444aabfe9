import type { DocumentProblem, Experiment } from '../../../shared/model/experiment.ts';
import { LOCAL_HOST_NAME } from '../../../shared/model/host.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import type { Part, Tool } from '../tools/tool.ts';
import type { Step } from './effects.ts';

/** Options for one generator: the cell's own if they are for one generator, else its share of them. */
export const partOf = (tool: Tool, options: Record<string, unknown>, part: Part): Record<string, unknown> =>
  (part.count > 1 && tool.load?.divide?.(options, part)) || options;

/** The Node executable for Kneepoint's programs on a generator: on this computer Kneepoint's own, on a host the one in its path. */
export const nodeOn = (generator: string | undefined, own: string): string =>
  generator === LOCAL_HOST_NAME ? own : 'node';

/** A command for display: with several generators, each one's own, under its name. */
export function eachGenerator(names: readonly string[], command: (part: Part) => string): string {
  const count = names.length;
  if (count === 1) return command({ index: 0, count });
  return names.map((name, index) => `# ${name}\n${command({ index, count })}`).join('\n');
}

/** Whether every cell's load can come from the named generators. */
export function generatorProblems(
  { where: { generators } }: Experiment,
  { tool, steps }: { tool: Tool; steps: readonly Step[] },
  at: (path: (string | number)[], message: string) => DocumentProblem,
): DocumentProblem[] {
  const twice = generators.findIndex((name, index) => generators.indexOf(name) !== index);
  if (twice >= 0) return [at(['where', 'generators', twice], `“${generators[twice]}” is named twice.`)];
  if (generators.length < 2) return [];
  const divide = tool.load?.divide;
  if (!divide) return [at(['where', 'generators'], `${tool.title} runs on one generator; choose one host.`)];
  const refusals = new Set<string>();
  for (const { options, generators: own } of steps) {
    try {
      divide(options, { index: 0, count: own.length });
    } catch (error) {
      if (!(error instanceof KneepointError) || error.code !== 'experiment-invalid') throw error;
      refusals.add([error.message, error.problem.next].filter(Boolean).join(' '));
    }
  }
  return [...refusals].map((words) => at(['where', 'generators'], words));
}
