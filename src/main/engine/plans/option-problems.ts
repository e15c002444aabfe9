import type { DocumentProblem, Experiment } from '../../../shared/model/experiment.ts';
import { optionProblem } from '../tools/option-problem.ts';
import type { Tool } from '../tools/tool.ts';
import { MAX_PROBLEMS, type ReadDocument } from './document.ts';

/** What the tool's own schema has to say about the options of the workload, each at its place in the text. */
export function optionProblems(experiment: Experiment, tool: Tool, locate: ReadDocument['locate']): DocumentProblem[] {
  const problems: DocumentProblem[] = [];
  const add = (path: readonly (string | number)[], message: string): void => {
    if (problems.length < MAX_PROBLEMS) problems.push({ path: path.join('.'), message, ...locate(path) });
  };
  for (const [name, value] of Object.entries(experiment.workload.options)) {
    const problem = optionProblem(tool, name, value);
    if (problem !== undefined) add(['workload', 'options', name], problem);
  }
  return problems;
}
