import type { DocumentStep } from '../../../../../shared/model/experiment.ts';

/** A step as a line of the list: a step of the trial, or of a group. */
export interface StepLine {
  readonly step: DocumentStep;
  /** As it is shown: 4, or 4.1 in a group. */
  readonly number: string;
  /** Path in the document. */
  readonly path: string;
  /** Place of its group in the trial; absent: it is in none. */
  readonly group?: number;
  /** Steps of the trial, or of its group, and its place among them. */
  readonly siblings: readonly DocumentStep[];
  readonly place: number;
}

/** All steps in their order, those of a group below it. */
export const linesOf = (steps: readonly DocumentStep[]): StepLine[] =>
  steps.flatMap((step, place) => [
    { step, number: String(place + 1), path: `steps.${place}`, siblings: steps, place },
    ...(step.each ?? []).map((own, ownPlace, siblings) => ({
      ...{ step: own, number: `${place + 1}.${ownPlace + 1}`, path: `steps.${place}.each.${ownPlace}` },
      ...{ group: place, siblings, place: ownPlace },
    })),
  ]);

/** The steps of a trial with these in the place of a line and its siblings. */
export const withSiblings = (
  steps: readonly DocumentStep[],
  { group }: Pick<StepLine, 'group'>,
  siblings: readonly DocumentStep[],
): readonly DocumentStep[] =>
  group === undefined
    ? siblings
    : steps.map((step, place) => (place === group ? { ...step, each: [...siblings] } : step));
