import type { Factor, Scalar } from '../../../../../shared/model/experiment.ts';
import { levelsOf } from '../../../../../shared/model/factor.ts';

/** Whether levels of a factor can have values: if one of them is a name. Numbers are their own values. */
export const takesValues = (factor: Factor): boolean =>
  factor.values !== undefined || levelsOf(factor).some((level) => typeof level !== 'number');

/** Undefined: levels have no values. */
export function withValues({ values: _, ...factor }: Factor, values: Factor['values']): Factor {
  return { ...factor, ...(values && { values }) };
}

/** A number followed by words. */
const QUANTITY = /^(-?\d+(?:\.\d+)?)(\D*)$/;

/** The numbers in names such as `1 TB` and `2 TB`, if all have the same words after them; otherwise none, as 512 GB is less than 1 TB. */
export function valuesInNames(levels: readonly Scalar[]): NonNullable<Factor['values']> {
  const read = levels.map((level) => QUANTITY.exec(String(level)));
  const [first] = read;
  const isAlike = first && read.every((each) => each?.[2] === first[2]);
  return isAlike ? Object.fromEntries(read.map((each) => [each?.[0] ?? '', Number(each?.[1])])) : {};
}
