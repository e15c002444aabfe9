import { conditionsOf, inOrderOfConditions, sameLevel } from '../../../shared/model/cells.ts';
import type { DocumentProblem, Experiment, Levels, Scalar } from '../../../shared/model/experiment.ts';
import { levelsOf } from '../../../shared/model/factor.ts';

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
