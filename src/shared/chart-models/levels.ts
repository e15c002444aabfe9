import type { Scalar } from '../model/experiment.ts';

export interface FactorLevels {
  readonly name: string;
  readonly levels: readonly Scalar[];
  /** There can be cells without a level of it. */
  readonly sparse?: true | undefined;
}

type Levels = Readonly<Record<string, Scalar>>;

/** Levels in the order in which they are drawn: numbers by size, others as the document has them. */
export const inOrder = <Level extends Scalar>(levels: readonly Level[]): Level[] =>
  levels.every((level) => typeof level === 'number') ? [...levels].sort((a, b) => Number(a) - Number(b)) : [...levels];

/** Whether a cell has all levels of a combination of these factors, and no level where that has none. */
export const isOf = (key: Levels, levels: Levels, factors: readonly FactorLevels[]): boolean =>
  factors.every(({ name }) => levels[name] === key[name]);

/** Combinations of these factors in the order of their levels, at last without one of those that can be without: index = colour slot. */
export function lineKeys(factors: readonly FactorLevels[]): Levels[] {
  let keys: Levels[] = [{}];
  for (const factor of factors) {
    keys = keys.flatMap((key) => [
      ...inOrder(factor.levels).map((level) => ({ ...key, [factor.name]: level })),
      ...(factor.sparse ? [key] : []),
    ]);
  }
  return keys;
}

/** Compares cells of these factors: the first factor that tells them apart decides, by the order of its levels. */
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
