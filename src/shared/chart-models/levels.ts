import type { Scalar } from '../model/experiment.ts';
import type { LoadKind } from '../model/tool.ts';
import { formatLevels } from '../util/format.ts';

export interface FactorLevels {
  readonly name: string;
  readonly levels: readonly Scalar[];
  /** A number for each level that is a name; levels are ordered by it. */
  readonly values?: Readonly<Record<string, number>> | undefined;
  /** Present if levels raise the load. */
  readonly load?: LoadKind | undefined;
  /** Cells may lack a level of it; `when`: cells that have one have one of these levels of each named factor. */
  readonly sparse?: true | undefined;
  readonly when?: Readonly<Record<string, readonly Scalar[]>> | undefined;
}

type Levels = Readonly<Record<string, Scalar>>;

/** Whether a factor distinguishes cells: one with a single level that all cells have does not. */
export const isVaried = ({ levels, sparse }: Pick<FactorLevels, 'levels' | 'sparse'>): boolean =>
  levels.length > 1 || sparse === true;

/** Levels of a cell by which it differs from others. `constant`: instead those that all cells have in common. */
export const distinctLevels = (factors: readonly FactorLevels[], levels: Levels, { constant = false } = {}): Levels =>
  Object.fromEntries(
    Object.entries(levels).filter(([name]) => {
      const factor = factors.find((each) => each.name === name);
      return (factor === undefined || isVaried(factor)) !== constant;
    }),
  );

/** Name of a cell, by the factors in which cells differ. */
export const nameOfCell = (factors: readonly FactorLevels[], levels: Levels): string =>
  formatLevels(distinctLevels(factors, levels)) || formatLevels(levels) || 'the only cell';

/** Levels in drawing order: numbers by size, others as in the document. */
export const inOrder = <Level extends Scalar>(levels: readonly Level[]): Level[] =>
  levels.every((level) => typeof level === 'number') ? [...levels].sort((a, b) => Number(a) - Number(b)) : [...levels];

/** Whether a cell has all levels of a combination of these factors, and no level where the combination has none. */
export const isOf = (key: Levels, levels: Levels, factors: readonly FactorLevels[]): boolean =>
  factors.every(({ name }) => levels[name] === key[name]);

/** Combinations of these factors in the order of their levels, with missing levels of optional factors last: index = colour slot. */
export function lineKeys(factors: readonly FactorLevels[]): Levels[] {
  let keys: Levels[] = [{}];
  for (const factor of factors) {
    keys = keys.flatMap((key) => [
      ...inOrder(factor.levels).map((level) => ({ ...key, [factor.name]: level })),
      ...(factor.sparse ? [key] : []),
    ]);
  }
  return keys.filter((key) => factors.every((factor) => fits(key, factor, factors)));
}

/**
 * Whether a combination has a level of a factor if its condition is met, and none if not; either is possible if the combination does not
 * determine it.
 */
function fits(key: Levels, { name, when }: FactorLevels, factors: readonly FactorLevels[]): boolean {
  if (!when) return true;
  const determined = Object.entries(when).filter(([other]) => factors.some((factor) => factor.name === other));
  const holds = determined.every(([other, levels]) => levels.some((level) => String(level) === String(key[other])));
  const isComplete = determined.length === Object.keys(when).length;
  return key[name] === undefined ? !holds || !isComplete : holds;
}

/** Compares cells by these factors: the first factor in which they differ decides, by the order of its levels. */
export function byLevels(factors: readonly FactorLevels[]): (one: Levels, other: Levels) => number {
  const places = factors.map(({ name, levels }) => ({
    name,
    place: new Map(inOrder(levels).map((level, index) => [level, index])),
  }));
  return (one, other) => {
    for (const { name, place } of places) {
      const at = (levels: Levels): number => place.get(levels[name] as Scalar) ?? -1;
      if (at(one) !== at(other)) return at(one) - at(other);
    }
    return 0;
  };
}
