import { expect, it } from 'vitest';
import { Factor } from '../../../shared/model/factor.ts';
import { shownCommand, TOOLS } from '../tools/index.ts';
import type { Tool } from '../tools/tool.ts';
import type { StepDraft } from './factor.ts';
import { factorProblems, rulesOf } from './index.ts';

const tool = TOOLS[0] as Tool;
const cpus = (...levels: (string | number)[]) => ({ name: 'c', kind: 'tool-cpus', levels });
const files = (...levels: (string | number)[]) => ({ name: 'f', kind: 'tool-limits', limit: 'open-files', levels });
const problems = (...factors: object[]): string[] =>
  factorProblems(
    { factors: factors.map((each) => Factor.parse(each)), where: { generators: ['this computer'] } },
    tool,
    (path, message) => ({ path: path.join('.'), message }),
  ).map(({ path, message }) => `${path}: ${message}`);
const UNVARIED: StepDraft = {
  workload: { tool: tool.id, options: {}, data: 'keep' } as StepDraft['workload'],
  generators: ['this computer'],
  warmup: 0,
  duration: 1,
  settings: [],
  launch: {},
};

it('combines limits of several kinds in one start of the tool', () => {
  const factors = [cpus('0-3'), files(1024), { ...files(5000), name: 'p', limit: 'processes' }];
  expect(problems(...factors)).toEqual([]);
  const { launch } = factors.reduce(
    (draft, each) => rulesOf(Factor.parse(each), tool).apply(draft, each.levels[0] ?? ''),
    UNVARIED,
  );
  expect(launch).toEqual({ cpus: '0-3', limits: { n: 1024, u: 5000 } });
  const step = { argv: ['sysbench', 'run'], env: { A: '1' }, files: [], plannedSeconds: 1, under: launch };
  expect(shownCommand(step)).toBe('ulimit -n 1024; ulimit -u 5000; A=1 taskset -c 0-3 sysbench run');
});

it('refuses levels that are not CPUs, not limits, or duplicates', () => {
  expect(problems(cpus('all', '3-1', 0))).toEqual([
    'factors.0.levels.0: “all” is not a list of CPUs such as 0-3,8.',
    'factors.0.levels.1: “3-1” is not a list of CPUs such as 0-3,8.',
  ]);
  expect(problems(cpus('0-1', '1,0'))).toEqual(['factors.0.levels: Factor “c” has the same level twice.']);
  expect(problems(files('unlimited', 10))).toEqual([
    'factors.0.levels.0: “unlimited” is not a limit: open-files takes a whole number of files.',
  ]);
  expect(problems(files(1), { ...files(2), name: 'g' })).toEqual([
    'factors.1: Two factors vary “limit of open-files”.',
  ]);
});
