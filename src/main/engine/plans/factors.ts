import type { DocumentProblem, Factor, Scalar } from '../../../shared/model/experiment.ts';
import type { Tool } from '../tools/tool.ts';
import type { PlainEffects } from './effects.ts';
import { optionFactor } from './option-factor.ts';

/** A path of the document, and what is wrong there. */
export type Complain = (path: readonly (string | number)[], message: string) => void;

/** What a factor means for one tool. A new kind is a member of `Factor` in the model, its rules, and a case below. */
export interface FactorRules {
  /** What it varies, by the name under which no two factors can vary it. */
  readonly varies: string;
  /** The same for levels that mean the same: 1, “1” and “01” are one number of threads. */
  levelKey(level: Scalar): string;
  /** What stands against the factor or one of its levels. Paths start at the factor. */
  check(complain: Complain): void;
  /** The effects of a cell with this level. */
  apply(effects: PlainEffects, level: Scalar): PlainEffects;
}

export function rulesOf(factor: Factor, tool: Tool): FactorRules {
  switch (factor.kind) {
    case 'option':
      return optionFactor(factor, tool);
  }
}

/** Problems of all factors: each by its rules, and of names, levels and what is varied that stand twice. */
export function factorProblems(
  factors: readonly Factor[],
  tool: Tool,
  at: (path: (string | number)[], message: string) => DocumentProblem,
): DocumentProblem[] {
  const problems: DocumentProblem[] = [];
  const names = new Set<string>();
  const varied = new Set<string>();
  factors.forEach((factor, index) => {
    const { varies, levelKey } = rulesOf(factor, tool);
    if (names.has(factor.name))
      problems.push(at(['factors', index, 'name'], `Two factors are named “${factor.name}”.`));
    else if (varied.has(varies)) problems.push(at(['factors', index], `Two factors vary “${varies}”.`));
    names.add(factor.name);
    varied.add(varies);
    if (new Set(factor.levels.map(levelKey)).size !== factor.levels.length)
      problems.push(at(['factors', index, 'levels'], `Factor “${factor.name}” has the same level twice.`));
  });
  return problems;
}
