import type { Experiment } from '../../../../../shared/model/experiment.ts';
import type { Field, FormValues } from '../../../../forms/index.ts';

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
