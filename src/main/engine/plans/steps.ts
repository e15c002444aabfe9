import { type DocumentProblem, type Experiment, STEPS_FORMAT } from '../../../shared/model/experiment.ts';
import { rulesOf } from '../factors/index.ts';
import { optionName } from '../tools/index.ts';
import { optionProblem } from '../tools/option-problem.ts';
import type { Tool } from '../tools/tool.ts';
import { contentsOf, databaseOf, dataOf, type Workload } from './data-groups.ts';
import type { ResolvedCell } from './effects.ts';

type Placed = (path: (string | number)[], message: string) => DocumentProblem;

/** Problems of the steps of a document, whatever the levels of its factors. The factors have no problems of their own. */
export function stepProblems(experiment: Experiment, tool: Tool, at: Placed): DocumentProblem[] {
  const { kneepoint, steps, factors, measure } = experiment;
  if (!steps) return [];
  const problems: DocumentProblem[] = [];
  if (kneepoint !== STEPS_FORMAT)
    problems.push(
      at(['kneepoint'], `A document with steps has format ${STEPS_FORMAT}: write “kneepoint: ${STEPS_FORMAT}”.`),
    );
  if (measure.events && steps.length > 1)
    problems.push(
      at(
        ['measure', 'events'],
        'Events need an experiment with one step: with more, it is open in which of them they happen.',
      ),
    );
  if (!steps.some(({ measured }) => measured))
    problems.push(at(['steps'], 'No step is measured, so there would be no result.'));
  const varied = new Map(
    factors.flatMap((factor) => rulesOf(factor, tool).varies.map((what) => [what, factor.name] as const)),
  );
  const names = new Set<string>();
  for (const [index, step] of steps.entries()) {
    if (names.has(step.name)) problems.push(at(['steps', index, 'name'], `Two steps are named “${step.name}”.`));
    names.add(step.name);
    const set: [string, (string | number)[]][] = Object.keys(step.options).map((name) => [
      optionName(tool, name),
      ['options', name],
    ]);
    if (step.duration !== undefined) set.push(['the duration', ['duration']]);
    for (const [what, path] of set) {
      const factor = varied.get(what);
      if (factor !== undefined)
        problems.push(
          at(
            ['steps', index, ...path],
            `Step “${step.name}” sets ${what}, which the factor “${factor}” varies. Omit it in one of them.`,
          ),
        );
    }
    for (const [name, value] of Object.entries(step.options)) {
      const problem = optionProblem(tool, name, value);
      if (problem !== undefined) problems.push(at(['steps', index, 'options', name], problem));
    }
  }
  return problems;
}

/** Steps of one trial that need different data in the same tables: one of them would remove what another has made. */
export function sharedDataProblems(
  { steps = [] }: Experiment,
  cells: readonly ResolvedCell[],
  workload: Workload,
  at: Placed,
): DocumentProblem[] {
  const found = new Map<string, DocumentProblem>();
  for (const cell of cells) {
    const contents = new Map<string, { content: string; place: number }>();
    for (const [place, step] of cell.steps.entries()) {
      const need = dataOf(step, workload);
      for (const [table, content] of need ? contentsOf(need, databaseOf(step, workload)) : []) {
        const other = contents.get(table);
        if (other && other.content !== content) {
          const [one, two] = [steps[other.place]?.name, steps[place]?.name];
          const message = `Steps “${one}” and “${two}” need different data in the same tables. Use the same size of data in both, or other tables.`;
          found.set(message, at(['steps', place], message));
        }
        contents.set(table, { content, place });
      }
    }
  }
  return [...found.values()];
}
