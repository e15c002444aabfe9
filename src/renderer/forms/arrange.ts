import type { Field } from './fields.ts';
import { type FormValues, groupFields, isChanged, matchesQuery } from './values.ts';

/** Part of a form under one heading. */
export interface Section {
  readonly group: string;
  readonly fields: readonly Field[];
  /** Present if it can be folded: number of hidden fields, and whether it is folded now. */
  readonly fold?: { readonly hides: number; readonly folded: boolean };
}

export interface Arrangement {
  readonly query: string;
  /** Whether there are so many options, shown now or not, that some are folded. */
  readonly folds: boolean;
  /** Groups that the user has unfolded. */
  readonly unfolded: ReadonlySet<string>;
  /** Fields that stay visible wherever they are: changed ones, those with a problem, and those set elsewhere. */
  isVisible(field: Field): boolean;
}

/** Heading of the main options. */
export const MAIN_GROUP = 'Main options';

/** Up to this number of fields, all are shown without a search. */
const FEW = 12;

/**
 * The main options first, then each group, folded except for fields that have to stay visible. During a search: the matches in their
 * groups.
 */
export function arrange(fields: readonly Field[], { query, folds, unfolded, isVisible }: Arrangement): Section[] {
  if (query !== '') return groupFields(fields.filter((field) => matchesQuery(field, query)));
  if (!folds) return groupFields(fields);
  const main = fields.filter((field) => field.main);
  const rest = groupFields(fields.filter((field) => !field.main));
  return [
    ...(main.length > 0 ? [{ group: MAIN_GROUP, fields: main }] : []),
    ...rest.map(({ group, fields: members }): Section => {
      const seen = members.filter(isVisible);
      const folded = !unfolded.has(group);
      return { group, fields: folded ? seen : members, fold: { hides: members.length - seen.length, folded } };
    }),
  ];
}

/** Whether there are enough options to fold: counts all of them, so that one that appears does not change the kind of the form. */
export const canFold = (fields: readonly Field[]): boolean => fields.length > FEW;

export const countChanged = (fields: readonly Field[], values: FormValues): number =>
  fields.filter((field) => isChanged(field, values)).length;
