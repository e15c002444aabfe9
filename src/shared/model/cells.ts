import type { Experiment, Levels, Scalar } from './experiment.ts';
import { type Factor, levelsOf } from './factor.ts';

/** Quotes around a level do not make it a different one. */
export const sameLevel = (a: Scalar | undefined, b: Scalar): boolean => a !== undefined && String(a) === String(b);

/** Requirements of a factor's condition: each other factor with its accepted levels. */
export const conditionsOf = ({ when = {} }: Pick<Factor, 'when'>): [string, readonly Scalar[]][] =>
  Object.entries(when).map(([name, levels]) => [name, Array.isArray(levels) ? levels : [levels]]);

/** Whether a factor applies to a cell with these levels of the others. */
const applies = (factor: Pick<Factor, 'when'>, levels: Levels): boolean =>
  conditionsOf(factor).every(([name, wanted]) =>
    wanted.some((level) => Object.hasOwn(levels, name) && sameLevel(levels[name], level)),
  );

/** Whether a cell has all levels of a pattern. An empty pattern matches no cell. */
export const matches = (levels: Levels, pattern: Levels): boolean => {
  const entries = Object.entries(pattern);
  return entries.length > 0 && entries.every(([name, level]) => sameLevel(levels[name], level));
};

/** Whether a cell matches any of the patterns. One look-up serves all patterns of the same factors, as there may be thousands. */
export function matcherOf(patterns: readonly Levels[]): (levels: Levels) => boolean {
  const keyOf = (levels: Levels, names: readonly string[]): string =>
    JSON.stringify(names.map((name) => (levels[name] === undefined ? null : String(levels[name]))));
  const groups = new Map<string, { names: readonly string[]; keys: Set<string> }>();
  for (const pattern of patterns) {
    const names = Object.keys(pattern).sort();
    if (names.length === 0) continue;
    const group = groups.get(names.join('\n')) ?? { names, keys: new Set() };
    group.keys.add(keyOf(pattern, names));
    groups.set(names.join('\n'), group);
  }
  const all = [...groups.values()];
  return (levels) => all.some(({ names, keys }) => keys.has(keyOf(levels, names)));
}

/** The factors, each after those that its condition names; undefined if the conditions are circular. */
export function inOrderOfConditions(factors: readonly Factor[]): Factor[] | undefined {
  const ordered: Factor[] = [];
  let left = [...factors];
  while (left.length > 0) {
    const waits = new Set(left.map(({ name }) => name));
    const ready = left.filter((factor) => conditionsOf(factor).every(([name]) => !waits.has(name)));
    if (ready.length === 0) return undefined;
    ordered.push(...ready);
    left = left.filter((factor) => !ready.includes(factor));
  }
  return ordered;
}

type Design = Pick<Experiment, 'factors' | 'design' | 'base'>;

/**
 * Combinations of levels in the order of the factors, the last factor fastest, before any is excluded: all of them, or one factor at a
 * time. None has a level of a factor whose condition is not met. Without factors, there is a single one.
 */
export const combinationsOf = (experiment: Design): Levels[] =>
  inOrder(
    experiment.design === 'one-at-a-time' ? oneAtATime(experiment) : crossed(experiment.factors),
    experiment.factors,
  );

/** Number of combinations; with conditions, counting stops at `most`, so that a typing error cannot fill the memory. */
export function countCombinations({ factors, design }: Design, most: number): number {
  if (design === 'one-at-a-time') return 1 + factors.reduce((sum, { levels }) => sum + levels.length - 1, 0);
  if (factors.every(({ when }) => when === undefined))
    return factors.reduce((product, { levels }) => product * levels.length, 1);
  let cells: Levels[] = [{}];
  for (const factor of inOrderOfConditions(factors) ?? []) {
    cells = withLevelsOf(cells, factor);
    if (cells.length > most) return cells.length;
  }
  return cells.length;
}

/** Whether a combination is measured: selected, if there is a selection, and not excluded. */
export function measuredOf({ only, exclude = [] }: Pick<Experiment, 'only' | 'exclude'>): (levels: Levels) => boolean {
  const selected = only === undefined ? () => true : matcherOf(only);
  const excluded = matcherOf(exclude);
  return (levels) => selected(levels) && !excluded(levels);
}

/** Conditions only refer to earlier factors, so no combination occurs twice. */
const crossed = (factors: readonly Factor[]): Levels[] =>
  (inOrderOfConditions(factors) ?? []).reduce<Levels[]>(withLevelsOf, [{}]);

const withLevelsOf = (cells: readonly Levels[], factor: Factor): Levels[] =>
  cells.flatMap((cell) =>
    applies(factor, cell) ? levelsOf(factor).map((level) => ({ ...cell, [factor.name]: level })) : [cell],
  );

/** Level of a factor while others are varied one at a time. */
export const baseLevelOf = (factor: Factor, base: Levels = {}): Scalar | undefined =>
  levelsOf(factor).find((level) => sameLevel(base[factor.name], level)) ?? levelsOf(factor)[0];

/** The base, and then each factor with each of its other levels, all others at the base. */
function oneAtATime({ factors, base }: Design): Levels[] {
  const ordered = inOrderOfConditions(factors) ?? [];
  const around = (varied?: Factor, level?: Scalar): Levels => {
    const cell: Levels = {};
    for (const factor of ordered) {
      const own = factor === varied ? level : baseLevelOf(factor, base);
      if (own !== undefined && applies(factor, cell)) cell[factor.name] = own;
    }
    return cell;
  };
  const varied = factors.flatMap((factor) => levelsOf(factor).map((level) => around(factor, level)));
  const key = (levels: Levels): string => JSON.stringify(factors.map(({ name }) => levels[name] ?? null));
  return [...new Map([around(), ...varied].map((levels) => [key(levels), levels])).values()];
}

/** Sorted by the positions of their levels, each with its levels in the order of the factors; a missing level sorts first. */
function inOrder(cells: readonly Levels[], factors: readonly Factor[]): Levels[] {
  const places = factors.map((factor) => new Map(levelsOf(factor).map((level, place) => [level, place])));
  return cells
    .map((levels) => ({
      levels: Object.fromEntries(
        factors.flatMap(({ name }) => (levels[name] === undefined ? [] : [[name, levels[name]] as const])),
      ),
      at: factors.map(({ name }, index) => {
        const level = levels[name];
        return level === undefined ? -1 : (places[index]?.get(level) ?? -1);
      }),
    }))
    .sort((a, b) => compared(a.at, b.at))
    .map(({ levels }) => levels);
}

const compared = (a: readonly number[], b: readonly number[]): number => {
  const at = a.findIndex((place, index) => place !== b[index]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
};
