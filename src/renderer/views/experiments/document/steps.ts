import { useEffect, useState } from 'react';
import type { DocumentProblem, Experiment } from '../../../../shared/model/experiment.ts';
import type { ToolInfo } from '../../../../shared/model/tool.ts';
import type { DocumentState, ExperimentDocument } from './document.ts';

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

/** Properties of every step: the parsed document, its findings, and a function to change it. */
export interface StepProperties {
  experiment: Experiment;
  state: DocumentState;
  tools: readonly ToolInfo[];
  edit(change: (experiment: Experiment) => Experiment): void;
}

/** Input and results of the preflight. */
export interface PreflightProperties {
  document: ExperimentDocument;
  allowed: Allowed | undefined;
  onAllow(allowed: Allowed): void;
  /** Called with the number of lines that block a start. */
  onBlocks(count: number): void;
}

/** Devices that the user allowed to be overwritten, for one text of the document: any change requires a new permission. */
export interface Allowed {
  text: string;
  /** As typed, `HOST:DEVICE`. */
  devices: readonly string[];
}

/** The permission for the current text; dropped permanently once another text is settled. */
export function useAllowed({ text, busy }: Pick<DocumentState, 'text' | 'busy'>) {
  const [allowed, setAllowed] = useState<Allowed>();
  const outdated = allowed !== undefined && !busy && allowed.text !== text;
  useEffect(() => {
    if (outdated) setAllowed(undefined);
  }, [outdated]);
  return [allowed, setAllowed] as const;
}

export const devicesAllowed = (allowed: Allowed | undefined, text: string): readonly string[] =>
  allowed?.text === text ? allowed.devices : [];
