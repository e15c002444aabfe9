import { combinationsOf, matches, sameLevel } from '../../../../../shared/model/cells.ts';
import type { Factor, Levels } from '../../../../../shared/model/experiment.ts';
import { levelsOf } from '../../../../../shared/model/factor.ts';

/** Whether every cell of `pattern` is also one of `wider`, by their levels. */
const covers = (wider: Levels, pattern: Levels): boolean => matches(pattern, wider);

/** Excludes every cell of the patterns; removes patterns that become redundant. */
export const withExcluded = (exclude: readonly Levels[], more: readonly Levels[]): Levels[] => {
  if (more.length === 0) return [...exclude];
  const added = more.filter((pattern) => !exclude.some((other) => covers(other, pattern)));
  return [...exclude.filter((other) => !added.some((pattern) => covers(pattern, other))), ...added];
};

/** Includes every cell of `pattern` again; a wider pattern is replaced by patterns for its other cells. */
export const withIncluded = (exclude: readonly Levels[], pattern: Levels, factors: readonly Factor[]): Levels[] =>
  exclude.flatMap((other) => (conflict(other, pattern) ? [other] : without(other, pattern, factors)));

const conflict = (a: Levels, b: Levels): boolean =>
  Object.entries(a).some(([name, level]) => b[name] !== undefined && !sameLevel(b[name], level));

/** The cells of one pattern that are not in another, as patterns. */
function without(wide: Levels, pattern: Levels, factors: readonly Factor[]): Levels[] {
  // Cells may lack a level of a factor with a condition: patterns with a level of it would miss these.
  if (factors.some(({ when }) => when !== undefined))
    return combinationsOf({ factors: [...factors] }).filter((cell) => matches(cell, wide) && !matches(cell, pattern));
  const remaining: Levels[] = [];
  let inside = wide;
  for (const factor of factors) {
    const level = pattern[factor.name];
    if (level === undefined || wide[factor.name] !== undefined) continue;
    for (const other of levelsOf(factor))
      if (!sameLevel(other, level)) remaining.push({ ...inside, [factor.name]: other });
    inside = { ...inside, [factor.name]: level };
  }
  return remaining;
}
