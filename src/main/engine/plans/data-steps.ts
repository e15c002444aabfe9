import type { DocumentProblem, Experiment } from '../../../shared/model/experiment.ts';
import { wholeSteps, worksOnData } from '../../../shared/model/step.ts';
import { preparesData } from '../tools/index.ts';
import { contentsOf, databaseOf, dataOf, type Workload } from './data-groups.ts';
import { dataStepOf, isAct, type ResolvedCell, type Step } from './effects.ts';

type Placed = (path: (string | number)[], message: string) => DocumentProblem;

/**
 * Problems of trials that prepare their data in a step: data that is not theirs to remove, and loads that would not find what they need.
 */
export function dataStepProblems(
  { steps = [], workload: { data } }: Experiment,
  cells: readonly ResolvedCell[],
  workload: Workload,
  at: Placed,
): DocumentProblem[] {
  const whole = wholeSteps(steps);
  const first = whole.find(worksOnData);
  if (!first) return [];
  if (data !== 'recreate')
    return [
      at(
        ['workload', 'data'],
        `Step “${first.name}” removes existing data in each trial. Set “data: recreate” to allow that.`,
      ),
    ];
  const nameOf = (place: number): string => `Step “${whole[place]?.name}”`;
  const found = new Map<string, DocumentProblem>();
  const problem = (place: number, message: string): void =>
    void found.set(message, at([...(whole[place]?.at ?? ['steps'])], message));
  for (const cell of cells) {
    if (cell.steps.some(({ variant }) => variant !== undefined))
      return [
        at(
          [...first.at, 'do'],
          'Variants of tables are applied before a trial, but this trial prepares its own tables. Apply the variant with a step “do: statement” after the preparation.',
        ),
      ];
    /** Contents of tables after the steps so far, and the step that prepared them. */
    let there = new Map<string, string>();
    let made: number | undefined;
    for (const [place, step] of cell.steps.entries()) {
      const prepared = dataStepOf(step);
      const need = neededBy(prepared ?? step, workload);
      if (prepared) {
        const isMade = preparesData(step.workload.tool);
        there = new Map(isMade ? need : []);
        made = isMade ? place : undefined;
      } else if (need.length === 0) continue;
      else if (made === undefined)
        problem(
          place,
          `${nameOf(place)} needs data, and no step before it prepares it. Move the step that prepares it to the front.`,
        );
      else if (need.some(([table, content]) => there.get(table) !== content))
        problem(
          place,
          `${nameOf(place)} needs other data than step “${whole[made]?.name}” prepares. Use the same size of data in both.`,
        );
    }
  }
  return [...found.values()];
}

/** Tables that a workload step needs, with their contents. Empty if unknown. */
function neededBy(step: Step, workload: Workload): readonly (readonly [string, string])[] {
  const need = isAct(step) ? undefined : dataOf(step, workload);
  return need ? contentsOf(need, databaseOf(step, workload)) : [];
}
