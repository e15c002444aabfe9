import type { DocumentProblem, DocumentStep, Experiment } from '../../../shared/model/experiment.ts';
import { type ParallelStep, runsAlone, type TrialStep, wholeSteps } from '../../../shared/model/step.ts';
import { isAct, type ResolvedCell } from './effects.ts';

type Here = (path: (string | number)[], message: string) => DocumentProblem;
type Placed = Here;

/** Fields of a step in a parallel group that may be set when it repeats a step that ran alone. */
const WITH_SAME: readonly string[] = ['name', 'note', 'same', 'from', 'measured', 'gate', 'options'];

/** Problems of parallel steps; `own` returns those of a single step. `earlier` are the steps before the group. */
export function parallelProblems(
  group: DocumentStep,
  parallel: readonly ParallelStep[],
  earlier: readonly TrialStep[],
  own: (step: ParallelStep, here: Here) => DocumentProblem[],
  here: Here,
): DocumentProblem[] {
  const {
    name: _name,
    parallel: _parallel,
    measured: _measured,
    options,
    warmup,
    duration,
    gate: _gate,
    ...others
  } = group;
  const hasLoad = parallel.some((step) => kindOf(step, earlier) === undefined);
  const unused = [
    ...(Object.keys(options).length > 0 ? ['options'] : []),
    ...(warmup === undefined ? [] : ['warmup']),
    ...(duration === undefined ? [] : ['duration']),
  ];
  return [
    ...Object.keys(others).map((field) =>
      here([field], `“${field}” is not valid in a group of parallel steps: set it in the steps under “parallel”.`),
    ),
    ...(hasLoad
      ? []
      : unused.map((field) =>
          here([field], `No step of “${group.name}” runs the workload, so “${field}” has no effect.`),
        )),
    ...(parallel.every(({ from = 0 }) => from > 0)
      ? [here(['parallel'], `No step of “${group.name}” starts together with the group: omit “from” in the first one.`)]
      : []),
    ...(!hasLoad || parallel.some((step) => (step.from ?? 0) === 0 && kindOf(step, earlier) === undefined)
      ? []
      : [
          here(
            ['parallel'],
            `No load of “${group.name}” starts together with the group, so the group has no defined end: omit “from” in one of them.`,
          ),
        ]),
    ...parallel.flatMap((step, place) => {
      const inside: Here = (path, message) => here(['parallel', place, ...path], message);
      return step.same === undefined
        ? [...memberProblems(step, inside), ...own(step, inside)]
        : sameProblems(step, earlier, inside);
    }),
  ];
}

/** Kind of a step of the group; undefined if it runs the workload. */
const kindOf = (step: ParallelStep, earlier: readonly TrialStep[]): TrialStep['do'] =>
  (earlier.find(({ name }) => name === step.same) ?? step).do;

function memberProblems(step: ParallelStep, here: Here): DocumentProblem[] {
  return [
    ...(runsAlone(step)
      ? [here(['do'], `A step with “do: ${step.do}” runs alone: move it before or after the group.`)]
      : []),
    ...(step.steady
      ? [here(['steady'], 'A load that runs until it is steady runs alone: move it before the group.')]
      : []),
    ...(step.factors ? [here(['factors'], 'Options cannot vary within a parallel step: it is a single run.')] : []),
    ...(step.overwrites === undefined ? [] : [here(['overwrites'], OVERWRITES)]),
  ];
}

/** A device in use by a parallel step would be destroyed, and only its host knows which disk a server uses. */
export const OVERWRITES =
  'A step that overwrites a device runs alone: a parallel step may use that disk. Move it before or after the group.';

function sameProblems(step: ParallelStep, earlier: readonly TrialStep[], here: Here): DocumentProblem[] {
  const found = earlier.find(({ name }) => name === step.same);
  if (!found) return [here(['same'], `There is no step named “${step.same}” before this group.`)];
  if (runsAlone(found)) return [here(['same'], `“${step.same}” is a step with “do: ${found.do}”, which runs alone.`)];
  if (found.overwrites) return [here(['same'], OVERWRITES)];
  const set = Object.keys(step).find((field) => !WITH_SAME.includes(field)) ?? Object.keys(step.options)[0];
  return set === undefined
    ? []
    : [here([set], `A step with “same” copies the step that it names, so “${set}” is not valid in it.`)];
}

/** Loads that start after the end of their group, or have to last longer than it: in any cell, as factors can vary the length. */
export function lengthProblems(
  { steps = [] }: Pick<Experiment, 'steps'>,
  cells: readonly ResolvedCell[],
  at: Placed,
): DocumentProblem[] {
  return wholeSteps(steps).flatMap(({ parallel, name, from = 0, at: path }, place) => {
    if (parallel === undefined || from === 0) return [];
    const written = writtenAt(steps, path);
    const own = written?.same === undefined ? written?.duration : undefined;
    const short = cells
      .flatMap((cell) => cell.steps[place] ?? [])
      .find((step) => !isAct(step) && step.duration < Math.max(1, own ?? 1));
    if (!short) return [];
    const { warmup } = short;
    return [
      at(
        [...path, 'from'],
        `“${name}” would last longer than its group: it starts after ${from} s, warms up for ${warmup} s, and ${own === undefined ? 'nothing is left to measure' : `is measured for ${own} s`}. Start it earlier, or let the group last longer.`,
      ),
    ];
  });
}

function writtenAt(steps: readonly DocumentStep[], [, group, , place]: TrialStep['at']): ParallelStep | undefined {
  return steps[Number(group)]?.parallel?.[Number(place)];
}
