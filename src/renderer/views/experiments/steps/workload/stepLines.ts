import type { DocumentStep, Experiment, Scalar } from '../../../../../shared/model/experiment.ts';
import {
  DataUse,
  isMeasured,
  type ParallelStep,
  SteadyWhen,
  type StepFactor,
  wholeSteps,
} from '../../../../../shared/model/step.ts';
import type { Field, FormValues } from '../../../../forms/index.ts';

/** Maximum steps of a document or group. */
export const MOST = 60;

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

/** The data before and after a line, and what happens to it there. changed: since it was prepared. */
export interface DataPlace {
  readonly before: 'none' | 'prepared' | 'changed';
  readonly use: DataUse;
  readonly after: DataPlace['before'];
  /** Name of the last step that changed it, if it is changed. */
  readonly by?: string | undefined;
}

const STRENGTH = DataUse.options;

/**
 * The data along the lines, by their path. `uses`: of the steps of a trial. Without a step that prepares it, it exists before the first one.
 * Several steps on one line have their strongest use.
 */
export function dataAlong(steps: readonly DocumentStep[], uses: readonly DataUse[]): ReadonlyMap<string, DataPlace> {
  const whole = wholeSteps(steps);
  if (whole.length !== uses.length || uses.every((use) => use === 'none')) return new Map();
  const places = new Map<string, DataPlace>();
  let now: Pick<DataPlace, 'before' | 'by'> = { before: uses.includes('prepares') ? 'none' : 'prepared' };
  whole.forEach(({ at, name }, place) => {
    const use = uses[place] ?? 'none';
    const next: typeof now =
      use === 'prepares'
        ? { before: 'prepared' }
        : use === 'removes'
          ? { before: 'none' }
          : now.before !== 'none' && (use === 'changes' || use === 'may-change')
            ? { before: 'changed', by: name }
            : now;
    const [path, group] = [at.join('.'), at.slice(0, 2).join('.')];
    // Lines of its steps follow the line of the group.
    if (group !== path && !places.has(group))
      places.set(group, { before: now.before, use: 'none', after: now.before, by: now.by });
    const known = places.get(path);
    const strongest = known && STRENGTH.indexOf(known.use) > STRENGTH.indexOf(use) ? known.use : use;
    places.set(path, { ...now, ...known, use: strongest, after: next.before });
    now = next;
  });
  return places;
}

/** The use of the data in words, for a line and its mark. Empty if it uses none. */
export function dataWords({ before, use, by }: DataPlace): string {
  const as =
    before === 'changed' && by !== undefined && use !== 'prepares' && use !== 'removes' ? ` that “${by}” left` : '';
  return use === 'none' ? '' : `${USE_WORDS[use]} data${as}`;
}

const USE_WORDS: Readonly<Record<Exclude<DataUse, 'none'>, string>> = {
  reads: 'reads',
  changes: 'changes',
  'may-change': 'may change',
  prepares: 'prepares',
  removes: 'removes',
};

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

/** Replaces `count` items from `place` on. */
export const replacedBy = <Item>(items: readonly Item[], place: number, count: number, ...others: Item[]): Item[] => [
  ...items.slice(0, place),
  ...others,
  ...items.slice(place + count),
];

export function withFactors({ factors: _, ...step }: FormStep, factors: readonly StepFactor[]): FormStep {
  return factors.length === 0 ? step : { ...step, factors: [...factors] };
}

/** Undefined: that of the measurement. */
export function withLength(
  step: FormStep,
  change: { warmup?: number | undefined; duration?: number | undefined },
): FormStep {
  const { warmup, duration, ...rest } = { ...step, ...change };
  return { ...rest, ...(warmup !== undefined && { warmup }), ...(duration !== undefined && { duration }) };
}

export function withNote({ note: _, ...step }: FormStep, note: string): FormStep {
  return note === '' ? step : { ...step, note };
}

/** Undefined: with its group. */
export function withFrom({ from: _, ...step }: FormStep, from: number | undefined): FormStep {
  return from === undefined || from === 0 ? step : { ...step, from };
}

export function withMost(step: FormStep, most: number | undefined): FormStep {
  const { 'at-most': _, ...rest } = step;
  return { ...rest, ...(most !== undefined && { 'at-most': most }) };
}

/** Omitted if it is the default of the kind. */
export function withMeasured(step: FormStep, measured: boolean): FormStep {
  const { measured: _, ...rest } = measured && step.steady ? withSteady(step, false) : step;
  return { ...rest, ...(measured !== isMeasured(rest) && { measured }) };
}

export const USUAL_STEADY = SteadyWhen.parse({});
/** Default maximum of seconds for a load to become steady. */
const USUAL_MOST = 3600;

/** A load that runs until it is steady has a maximum time. */
export function withSteady(step: FormStep, isSteady: boolean): FormStep {
  const { steady: _, else: __, ...rest } = step;
  return isSteady ? { ...step, steady: USUAL_STEADY, duration: step.duration ?? USUAL_MOST } : rest;
}

/** A typed level as a boolean, a number or a text. */
export function scalarOf(text: string): Scalar {
  if (text === 'true' || text === 'false') return text === 'true';
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}
