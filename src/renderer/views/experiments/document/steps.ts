import type { DocumentProblem } from '../../../../shared/model/experiment.ts';

export const STEPS = [
  { id: 'workload', title: 'Workload' },
  { id: 'where', title: 'Where' },
  { id: 'matrix', title: 'Matrix' },
  { id: 'measurement', title: 'Measurement' },
  { id: 'review', title: 'Review' },
] as const;
export type StepId = (typeof STEPS)[number]['id'];

const STEP_OF: Readonly<Record<string, StepId>> = {
  workload: 'workload',
  name: 'workload',
  question: 'workload',
  tags: 'workload',
  where: 'where',
  factors: 'matrix',
  design: 'matrix',
  base: 'matrix',
  only: 'matrix',
  exclude: 'matrix',
  measure: 'measurement',
  monitors: 'measurement',
  captures: 'measurement',
  derived: 'measurement',
  primary: 'measurement',
  charts: 'measurement',
};

const HEAD = /^[^.[\]]*/;

/** Step on which a problem can be fixed. */
export const stepOf = (problem: Pick<DocumentProblem, 'path'>): StepId =>
  STEP_OF[HEAD.exec(problem.path)?.[0] ?? ''] ?? 'review';

export const problemsOfStep = (problems: readonly DocumentProblem[], step: StepId): DocumentProblem[] =>
  problems.filter((problem) => stepOf(problem) === step);

/** Messages below a path by the next part of theirs: `workload.options` → { threads: … }. */
export function problemsBelow(problems: readonly DocumentProblem[], path: string): Record<string, string> {
  const below: Record<string, string> = {};
  for (const problem of problems) {
    if (!problem.path.startsWith(`${path}.`)) continue;
    const name = problem.path.slice(path.length + 1);
    below[name] = problem.message;
  }
  return below;
}
