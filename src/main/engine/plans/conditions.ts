import type { DocumentProblem, Experiment, Levels, Scalar } from '../../../shared/model/experiment.ts';
import { type Factor, levelsOf } from '../../../shared/model/factor.ts';

/** Quotes around a level make no other one of it. */
export const sameLevel = (a: Scalar | undefined, b: Scalar): boolean => a !== undefined && String(a) === String(b);

const conditionsOf = ({ when = {} }: Factor): [string, readonly Scalar[]][] =>
  Object.entries(when).map(([name, levels]) => [name, Array.isArray(levels) ? levels : [levels]]);

/** Whether a factor means anything in a cell that has these levels of the others. */
export const applies = (factor: Factor, levels: Levels): boolean =>
  conditionsOf(factor).every(([name, wanted]) =>
    wanted.some((level) => Object.hasOwn(levels, name) && sameLevel(levels[name], level)),
  );

/** Whether a cell has all levels of a pattern. An empty pattern fits none. */
export const matches = (levels: Levels, pattern: Levels): boolean => {
  const entries = Object.entries(pattern);
  return entries.length > 0 && entries.every(([name, level]) => sameLevel(levels[name], level));
};

/** The factors, each behind those that its condition names; undefined where conditions go round in a circle. */
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

type Placed = (path: (string | number)[], message: string) => DocumentProblem;

/** Conditions, bases and patterns that name what is not there: cells would be measured, or left out, that nobody meant. */
export function conditionProblems(experiment: Experiment, at: Placed): DocumentProblem[] {
  const { factors, exclude = [], only = [], base, design } = experiment;
  const of = (names: readonly [string, readonly Scalar[]][], path: (string | number)[], what: string) =>
    names.flatMap(([name, levels]) => {
      const factor = factors.find((entry) => entry.name === name);
      if (!factor) return [at(path, `“${name}” is ${what}, but is not a factor.`)];
      return levels
        .filter((level) => !levelsOf(factor).some((known) => sameLevel(known, level)))
        .map((level) => at([...path, name], `${String(level)} is ${what}, but is not a level of “${name}”.`));
    });
  const plain = (levels: Levels): [string, Scalar[]][] =>
    Object.entries(levels).map(([name, level]) => [name, [level]]);
  const problems = [
    ...factors.flatMap((factor, index) => of(conditionsOf(factor), ['factors', index, 'when'], 'a condition')),
    ...factors.flatMap((factor, index) => {
      const { name, baseline } = factor;
      if (baseline === undefined || levelsOf(factor).some((level) => sameLevel(level, baseline))) return [];
      const message = `${String(baseline)} is the baseline, but is not a level of “${name}”.`;
      return [at(['factors', index, 'baseline'], message)];
    }),
    ...patternProblems(exclude, 'exclude', 'exclusion', at),
    ...exclude.flatMap((pattern, index) => of(plain(pattern), ['exclude', index], 'excluded')),
    ...patternProblems(only, 'only', 'selection', at),
    ...only.flatMap((pattern, index) => of(plain(pattern), ['only', index], 'selected')),
    ...of(plain(base ?? {}), ['base'], 'in the base'),
  ];
  if (base && design !== 'one-at-a-time')
    problems.push(at(['base'], 'A base belongs to design: one-at-a-time; every combination needs none.'));
  if (inOrderOfConditions(factors) === undefined)
    problems.push(at(['factors'], 'Conditions of factors go round in a circle: each waits for a level of the other.'));
  return problems;
}

/** A pattern that names nothing is a slip of the pen. */
const patternProblems = (patterns: readonly Levels[], path: string, what: string, at: Placed): DocumentProblem[] =>
  patterns.flatMap((pattern, index) =>
    Object.keys(pattern).length === 0 ? [at([path, index], `This ${what} names no level.`)] : [],
  );
