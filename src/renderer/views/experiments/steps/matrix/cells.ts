import type { Experiment, Factor, Levels, Scalar } from '../../../../../shared/model/experiment.ts';
import { levelsOf, optionOf, UNNAMED_KIND } from '../../../../../shared/model/factor.ts';

/** All combinations of levels, the last factor fastest; one empty combination without factors. */
export const combinations = (factors: readonly Factor[]): Levels[] =>
  factors.reduce<Levels[]>(
    (cells, factor) => cells.flatMap((cell) => levelsOf(factor).map((level) => ({ ...cell, [factor.name]: level }))),
    [{}],
  );

export const countCombinations = (factors: readonly Factor[]): number =>
  factors.reduce((product, factor) => product * factor.levels.length, 1);

/** Whether a combination has all the levels of a pattern. An empty pattern covers nothing. */
const covers = (pattern: Levels, cell: Levels): boolean => {
  const entries = Object.entries(pattern);
  return entries.length > 0 && entries.every(([name, level]) => cell[name] === level);
};

export const isExcluded = (exclude: readonly Levels[], cell: Levels): boolean =>
  exclude.some((pattern) => covers(pattern, cell));

/** Leaves out every cell of `pattern`; patterns that it makes needless go. */
export const withExcluded = (exclude: readonly Levels[], pattern: Levels): Levels[] => [
  ...exclude.filter((other) => !covers(pattern, other)),
  pattern,
];

/** Takes every cell of `pattern` back in; a wider pattern is replaced by what else it left out. */
export function withIncluded(exclude: readonly Levels[], pattern: Levels, factors: readonly Factor[]): Levels[] {
  const cells = combinations(factors);
  return exclude.flatMap((other) => {
    const covered = cells.filter((cell) => covers(other, cell));
    const stay = covered.filter((cell) => !covers(pattern, cell));
    return stay.length === covered.length ? [other] : stay;
  });
}

/** Excluded patterns that still name factors and levels that exist. */
const liveExclude = (exclude: readonly Levels[], factors: readonly Factor[]): Levels[] =>
  exclude.filter((pattern) =>
    Object.entries(pattern).every(([name, level]) =>
      factors.some((factor) => factor.name === name && levelsOf(factor).includes(level)),
    ),
  );

/** The document with other factors; what was excluded goes along as far as it still means something. */
export function withFactors(experiment: Experiment, factors: Factor[]): Experiment {
  const { exclude, ...rest } = experiment;
  const live = liveExclude(exclude ?? [], factors);
  return { ...rest, factors, ...(live.length > 0 && { exclude: live }) };
}

export function withExclude(experiment: Experiment, exclude: Levels[]): Experiment {
  const { exclude: _, ...rest } = experiment;
  return exclude.length > 0 ? { ...rest, exclude } : rest;
}

/** A factor under another name, in what is excluded too. */
export function renamed(experiment: Experiment, index: number, name: string): Experiment {
  const old = experiment.factors[index];
  if (!old) return experiment;
  const rename = (pattern: Levels): Levels =>
    Object.fromEntries(
      Object.entries(pattern).map(([key, level]): [string, Scalar] => [key === old.name ? name : key, level]),
    );
  const factors = experiment.factors.map((factor, place) =>
    place === index ? { ...factor, ...(factor.kind === UNNAMED_KIND && { option: optionOf(factor) }), name } : factor,
  );
  return withExclude({ ...experiment, factors }, (experiment.exclude ?? []).map(rename));
}

/** The factor at `index` moved by one place. */
export function moved<T>(items: readonly T[], index: number, by: -1 | 1): T[] {
  const copy = [...items];
  const [item] = copy.splice(index, 1);
  if (item !== undefined) copy.splice(index + by, 0, item);
  return copy;
}
