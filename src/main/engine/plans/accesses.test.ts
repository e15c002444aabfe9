import { expect, it } from 'vitest';
import { toolById } from '../tools/index.ts';
import { readDocument } from './document.ts';
import { resolveCells, stepsOf } from './effects.ts';
import { accessesOf, accessFindings } from './option-problems.ts';

function kindsOf(tool: string, options: string, factors = '[]') {
  const { experiment } = readDocument(
    `kneepoint: 1\nname: Rows\nworkload: { tool: ${tool}, options: ${options} }\nwhere: {}\nfactors: ${factors}\nmeasure: { duration: 10 }\n`,
  );
  const found = toolById(tool);
  if (!experiment || !found) throw new Error('The document cannot be read.');
  return accessesOf(stepsOf(resolveCells(experiment, found)), found);
}

it('describes each distribution among the cells once, whatever else varies', () => {
  const factors = '[{ name: rand-type, levels: [uniform, special] }, { name: threads, levels: [1, 2, 4] }]';
  const kinds = kindsOf('sysbench', '{ script: oltp_read_only }', factors);
  expect(kinds.map(({ words }) => words)).toEqual([
    'uniform: all rows equally',
    'special: 75 % of the accesses go to 0.75 % of the rows',
  ]);
  expect(accessFindings(kinds)).toMatchObject([{ code: 'few-rows-met', severity: 'warn' }]);
});

it('warns of the special distribution if a document names none for sysbench', () => {
  const [finding] = accessFindings(kindsOf('sysbench', '{ script: oltp_read_only }'));
  expect(finding?.message).toMatch(/^Half of the accesses go to 0\.49 % of the rows \(special: /);
});

it('names a share that two decimals would show as nothing', () => {
  const [finding] = accessFindings(
    kindsOf('sysbench', '{ script: oltp_read_only, rand-type: pareto, rand-pareto-h: 0.01 }'),
  );
  expect(finding?.message).toMatch(/^Half of the accesses go to less than 0\.01 % of the rows \(pareto, h = 0\.01\)\./);
});

it('is silent if no row is drawn or the tool does not report a distribution', () => {
  expect(kindsOf('sysbench', '{ script: cpu }')).toEqual([]);
  expect(kindsOf('command', '{ command: date }')).toEqual([]);
});
