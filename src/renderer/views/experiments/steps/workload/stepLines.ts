import type { DocumentStep, Experiment } from '../../../../../shared/model/experiment.ts';
import type { ParallelStep } from '../../../../../shared/model/step.ts';
import type { Field, FormValues } from '../../../../forms/index.ts';

/** A step as edited in the form: `from` is set if it runs at the same time as others. */
export type FormStep = DocumentStep & Pick<ParallelStep, 'from'>;

/** A step as a line of the list: a step of the trial, or of a group. */
export interface StepLine {
  readonly step: FormStep;
  /** Displayed number: 4, or 4.1 in a group. */
  readonly number: string;
  /** Path in the document. */
  readonly path: string;
  /** Index of its group in the trial; absent if it is in none. */
  readonly group?: number;
  /** Steps of the trial, or of its group, and its index among them. */
  readonly siblings: readonly FormStep[];
  readonly place: number;
}

/** The steps of a group; undefined if it is none. */
export const groupedIn = ({ each, parallel }: DocumentStep): readonly FormStep[] | undefined => parallel ?? each;

/** A group with these steps. */
export const withGrouped = ({ parallel, ...group }: DocumentStep, steps: readonly FormStep[]): DocumentStep =>
  parallel ? { ...group, parallel: [...steps] } : { ...group, each: [...steps] };

/** All steps in order, those of a group below it. */
export const linesOf = (steps: readonly DocumentStep[]): StepLine[] =>
  steps.flatMap((step, place) => [
    { step, number: String(place + 1), path: `steps.${place}`, siblings: steps, place },
    ...(groupedIn(step) ?? []).map((own, ownPlace, siblings) => ({
      ...{ step: own, number: `${place + 1}.${ownPlace + 1}` },
      path: `steps.${place}.${step.parallel ? 'parallel' : 'each'}.${ownPlace}`,
      ...{ group: place, siblings, place: ownPlace },
    })),
  ]);

/** The steps of a trial after replacing a line and its siblings. */
export const withSiblings = (
  steps: readonly DocumentStep[],
  { group }: Pick<StepLine, 'group'>,
  siblings: readonly FormStep[],
): readonly DocumentStep[] =>
  group === undefined ? siblings : steps.map((step, place) => (place === group ? withGrouped(step, siblings) : step));

/** Documents may spell options with underscores, as sysbench allows; the form uses their own names. */
export function dashed(fields: readonly Field[], options: Experiment['workload']['options']): FormValues {
  const known = new Set(fields.map((field) => field.name));
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => {
      const other = name.replaceAll('_', '-');
      return [known.has(name) || !known.has(other) ? name : other, value];
    }),
  );
}
