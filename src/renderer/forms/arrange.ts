import type { Field } from './fields.ts';
import { type FormValues, groupFields, isChanged, matchesQuery } from './values.ts';

/** Part of a form under one heading. */
export interface Section {
  readonly group: string;
  readonly fields: readonly Field[];
  /** Present where it can be folded: how many fields that hides, and whether it is folded now. */
  readonly fold?: { readonly hides: number; readonly folded: boolean };
}

export interface Arrangement {
  readonly query: string;
  /** Whether there are so many options, shown now or not, that some are folded. */
  readonly folds: boolean;
  /** Groups that a person has unfolded. */
  readonly unfolded: ReadonlySet<string>;
  /** Fields that stay in sight wherever they are: what was changed, has a problem, or is set elsewhere. */
  inSight(field: Field): boolean;
}

/** Heading of the few that matter first. */
export const MAIN_GROUP = 'Main options';

/** Up to so many fields are all shown: there is nothing to look for. */
const FEW = 12;

/**
 * The few that matter first, then each group, folded down to what has to stay in sight. While something is looked for: what was found,
 * in its groups.
 */
export function arrange(fields: readonly Field[], { query, folds, unfolded, inSight }: Arrangement): Section[] {
  if (query !== '') return groupFields(fields.filter((field) => matchesQuery(field, query)));
  if (!folds) return groupFields(fields);
  const main = fields.filter((field) => field.main);
  const rest = groupFields(fields.filter((field) => !field.main));
  return [
    ...(main.length > 0 ? [{ group: MAIN_GROUP, fields: main }] : []),
    ...rest.map(({ group, fields: members }): Section => {
      const seen = members.filter(inSight);
      const folded = !unfolded.has(group);
      return { group, fields: folded ? seen : members, fold: { hides: members.length - seen.length, folded } };
    }),
  ];
}

/** Whether so many options are worth folding: of all of them, so that one that appears changes no form from one kind into the other. */
export const canFold = (fields: readonly Field[]): boolean => fields.length > FEW;

export const countChanged = (fields: readonly Field[], values: FormValues): number =>
  fields.filter((field) => isChanged(field, values)).length;
