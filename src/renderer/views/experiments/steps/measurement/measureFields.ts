import { z } from 'zod';
import { type Experiment, MeasureForm, type Scalar } from '../../../../../shared/model/experiment.ts';
import { type Field, type FormValues, problemWith, readFields } from '../../../../forms/index.ts';

export const MEASURE_FIELDS: readonly Field[] = readFields(z.toJSONSchema(MeasureForm, { io: 'input' }));

/** The measurement as the form's values: every one of them, so that defaults count as unchanged. */
export const measureValues = ({ measure: { seeds, paused, ...measure }, workload }: Experiment): FormValues => ({
  ...measure,
  ...(seeds && { seeds }),
  ...(paused && { paused }),
  data: workload.data,
});

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
