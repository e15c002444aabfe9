import type { Experiment, Scalar } from '../../../shared/model/experiment.ts';
import { type Field, type FormValues, problemWith } from '../../forms/index.ts';

const number = (
  name: string,
  title: string,
  description: string,
  unit: string,
  preset: number,
  limits: { minimum: number; maximum: number; integer?: boolean },
  group: string,
): Field => ({
  name,
  title,
  description,
  unit,
  group,
  default: preset,
  required: false,
  shape: {
    kind: 'number',
    integer: limits.integer ?? false,
    minimum: limits.minimum,
    maximum: limits.maximum,
    words: [],
  },
});
const choice = (
  name: string,
  title: string,
  description: string,
  choices: readonly string[],
  preset: string,
  group: string,
): Field => ({
  name,
  title,
  description,
  group,
  default: preset,
  required: false,
  shape: { kind: 'choice', choices },
});

const ONE_TRIAL = 'One trial';
const ALL_TRIALS = 'All trials';
const DATA = 'Data';

/** Limits and defaults are those of `Measure` in the model. */
export const MEASURE_FIELDS: readonly Field[] = [
  number(
    'warmup',
    'Warm-up',
    'At the start of each trial; stored, but left out of every figure. It can still be moved afterwards.',
    's',
    0,
    { minimum: 0, maximum: 86_400 },
    ONE_TRIAL,
  ),
  number('duration', 'Duration', 'Measured after the warm-up.', 's', 60, { minimum: 1, maximum: 864_000 }, ONE_TRIAL),
  number(
    'repeats',
    'Repeats',
    'Of every cell. From three on an interval can tell a difference from noise.',
    '',
    1,
    { minimum: 1, maximum: 1000, integer: true },
    ALL_TRIALS,
  ),
  number(
    'pause',
    'Pause',
    'Rest between two trials, for caches to be written and hardware to cool.',
    's',
    0,
    { minimum: 0, maximum: 86_400 },
    ALL_TRIALS,
  ),
  choice(
    'order',
    'Order',
    'listed: cell by cell. rounds: every cell once, then again. shuffled: rounds, each in its own random order.',
    ['listed', 'rounds', 'shuffled'],
    'rounds',
    ALL_TRIALS,
  ),
  {
    ...number(
      'seed',
      'Seed',
      'The same seed gives the same order.',
      '',
      1,
      { minimum: 0, maximum: 4_294_967_295, integer: true },
      ALL_TRIALS,
    ),
    when: { option: 'order', in: ['shuffled'] },
  },
  choice(
    'data',
    'Data policy',
    'keep: use what is there. create: use it if it is complete, else prepare it. recreate: clean up and prepare first.',
    ['keep', 'create', 'recreate'],
    'create',
    DATA,
  ),
];

/** The measurement as the form's values: every one of them, so that defaults count as unchanged. */
export const measureValues = ({ measure, workload }: Experiment): FormValues => ({ ...measure, data: workload.data });

/** The document with those of the values that fit; what does not fit stays in the form until it does. */
export function withMeasure(experiment: Experiment, values: FormValues): Experiment {
  const fitting: Record<string, Scalar | undefined> = {};
  for (const field of MEASURE_FIELDS) {
    const value = values[field.name] ?? field.default;
    if (problemWith(field, value) === undefined) fitting[field.name] = value;
  }
  const { data, ...measure } = fitting;
  return {
    ...experiment,
    measure: { ...experiment.measure, ...measure },
    workload: { ...experiment.workload, ...(data !== undefined && { data: data as Experiment['workload']['data'] }) },
  };
}
