import { isAveraged, metricName } from '../../../shared/metrics/index.ts';
import { conditionsOf, inOrderOfConditions, sameLevel } from '../../../shared/model/cells.ts';
import type { DocumentProblem, Experiment, Levels, Scalar } from '../../../shared/model/experiment.ts';
import { levelsOf } from '../../../shared/model/factor.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import type { AccessShares } from '../../../shared/model/tool.ts';
import { LEAST_REPEATS } from '../../../shared/stats/index.ts';
import { formatNumber } from '../../../shared/util/format.ts';
import { accessShares } from '../tools/accesses.ts';
import { optionProblem } from '../tools/option-problem.ts';
import type { Tool } from '../tools/tool.ts';
import { MAX_PROBLEMS, type ReadDocument } from './document.ts';
import { metricOfStep, type Step } from './effects.ts';

/** Problems that the tool's schema reports for the workload's options, each with its place in the text. */
export function optionProblems(experiment: Experiment, tool: Tool, locate: ReadDocument['locate']): DocumentProblem[] {
  const problems: DocumentProblem[] = [];
  const add = (path: readonly (string | number)[], message: string): void => {
    if (problems.length < MAX_PROBLEMS) problems.push({ path: path.join('.'), message, ...locate(path) });
  };
  for (const [name, value] of Object.entries(experiment.workload.options)) {
    const problem = optionProblem(tool, name, value);
    if (problem !== undefined) add(['workload', 'options', name], problem);
  }
  return problems;
}

/** If half of the accesses go to less than this share of the rows, the size of a table hardly matters. */
const FEW_ROWS = 0.01;

/** Each kind of accesses of these steps, once, in the order of the cells. */
export function accessesOf(steps: readonly Step[], tool: Tool): AccessShares[] {
  const kinds = new Map<string, AccessShares>();
  if (!tool.accesses) return [];
  for (const { options } of steps)
    for (const accesses of tool.accesses(options))
      if (!kinds.has(accesses.words)) kinds.set(accesses.words, sharesWith(options, tool.id, accesses));
  return [...kinds.values()];
}

/** Number of kept shares: those of a few documents that are checked again and again while they are edited. */
const MOST_KEPT = 100;
const kept = new Map<string, AccessShares>();

/** Sums over 20,000 parts take milliseconds, and each check needs them twice. */
function sharesWith(
  options: Step['options'],
  tool: string,
  accesses: Parameters<typeof accessShares>[0],
): AccessShares {
  const key = JSON.stringify([tool, accesses.words, options]);
  const shares = kept.get(key) ?? accessShares(accesses);
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(key, shares);
  return shares;
}

/** Smallest share that two decimals of a per cent show. */
const LEAST_SHOWN = 0.0001;
const shareWords = (share: number): string =>
  share < LEAST_SHOWN ? 'less than 0.01 %' : `${formatNumber(share * 100, 2)} %`;

export const accessFindings = (kinds: readonly AccessShares[]): Finding[] =>
  kinds.flatMap(({ words, of, shares }) => {
    const half = shares.find(({ accesses }) => accesses === 0.5);
    if (!half || half.rows >= FEW_ROWS) return [];
    return [
      {
        code: 'few-rows-met',
        severity: 'warn',
        message: `Half of the accesses go to ${shareWords(half.rows)} of the ${of} (${words}). These few ${of} decide the result; the size of the ${of === 'blocks' ? 'files' : 'table'} hardly matters.`,
        next: 'Use a uniform distribution if the ratio of data to memory matters, and compare only results with the same distribution.',
      },
    ];
  });

type Placed = (path: (string | number)[], message: string) => DocumentProblem;

/** Conditions, bases and patterns with unknown names: cells would be measured, or left out, by mistake. */
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
    problems.push(at(['base'], '“base” is only valid with design: one-at-a-time.'));
  if (inOrderOfConditions(factors) === undefined) problems.push(at(['factors'], 'Conditions of factors are circular.'));
  return problems;
}

/** A pattern without levels is a mistake. */
const patternProblems = (patterns: readonly Levels[], path: string, what: string, at: Placed): DocumentProblem[] =>
  patterns.flatMap((pattern, index) =>
    Object.keys(pattern).length === 0 ? [at([path, index], `This ${what} names no level.`)] : [],
  );

/** Stop rules that cannot take effect in this document. */
export function stopFindings(experiment: Experiment, steps: readonly Step[], tool: Tool): Finding[] {
  const { stop, repeats } = experiment.measure;
  const [effects] = steps;
  if (!stop || !effects) return [];
  const metric = metricOfStep(experiment, steps, tool);
  const findings: Finding[] = [];
  if (stop.interval !== undefined && repeats <= LEAST_REPEATS)
    findings.push({
      code: 'stop-without-effect',
      severity: 'note',
      message: `“Repeat until within” has no effect: it needs more than ${LEAST_REPEATS} repeats, but there are ${repeats}.`,
      next: 'Set “Repeats” to the largest number of repeats that a cell may have.',
    });
  if (stop.interval !== undefined && metric === null)
    findings.push({
      code: 'stop-without-effect',
      severity: 'note',
      message: `“Repeat until within” has no effect: ${tool.title} reports no figures.`,
    });
  if (stop.interval !== undefined && metric !== null && !isAveraged(metric))
    findings.push({
      code: 'stop-without-effect',
      severity: 'note',
      message: `“Repeat until within” has no effect: ${metricName(metric)} has no mean, so it has no interval.`,
    });
  if (stop.cost !== undefined && effects.prices === undefined)
    findings.push({
      code: 'stop-without-effect',
      severity: 'note',
      message: 'The cost limit applies once the session has a price; no level has one.',
      next: 'Assign a price to the session after its start, or vary a price.',
    });
  return findings;
}
