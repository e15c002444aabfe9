import { expect, it } from 'vitest';
import { Experiment, type Scalar } from '../../../shared/model/experiment.ts';
import { expandCells, formatDocument, readDocument } from './index.ts';
import { interleave } from './interleave.ts';

const experiment = (options: Record<string, Scalar>, more: object = {}): Experiment =>
  Experiment.parse({
    kneepoint: 1,
    name: 'Ladder',
    workload: { tool: 'sysbench', options: { tables: 4, ...options } },
    where: { target: 'db' },
    factors: [{ name: 'threads', levels: [1, 8] }],
    measure: { warmup: 1, duration: 10, repeats: 3, order: 'listed' },
    ...more,
  });
const made = (a: Experiment, b: Experiment): Experiment => {
  const found = interleave(a, b);
  if ('why' in found) throw new Error(found.why);
  return found.experiment;
};

it('varies the differing option as a factor, interleaved and with enough repeats', () => {
  const both = made(experiment({ 'range-size': 100 }), experiment({ 'range-size': 200 }));
  expect(both.workload.options).toEqual({ tables: 4 });
  expect(expandCells(both).map(({ levels }) => levels)).toEqual([
    { 'range-size': 100, threads: 1 },
    { 'range-size': 100, threads: 8 },
    { 'range-size': 200, threads: 1 },
    { 'range-size': 200, threads: 8 },
  ]);
  expect(both.measure).toMatchObject({ order: 'shuffled', repeats: 5, duration: 10 });
  expect(readDocument(formatDocument(both)).experiment).toEqual(both);
});

it('omits options that neither side set', () => {
  const both = made(experiment({ a: 1, b: 'x', c: true }), experiment({ a: 2, b: 'y', c: false }));
  const sides = expandCells(both).map(({ levels: { a, b, c } }) => [a, b, c]);
  expect(new Set(sides.map(String))).toEqual(new Set(['1,x,true', '2,y,false']));
  expect(sides).toHaveLength(4);
});

it('varies target and generators as factors', () => {
  const places = (target: string, generators: string[]) => ({ where: { target, generators } });
  const both = made(
    experiment({ 'range-size': 100 }, places('mysql', ['a'])),
    experiment({ 'range-size': 200 }, places('mariadb', ['a', 'b'])),
  );
  expect(both.where).toEqual({ generators: ['a'] });
  const sides = expandCells(both).map(({ levels: { threads: _, ...levels } }) => JSON.stringify(levels));
  expect([...new Set(sides)].map((levels) => JSON.parse(levels))).toEqual([
    { target: 'mysql', generators: 'a', 'range-size': 100 },
    { target: 'mariadb', generators: 'a, b', 'range-size': 200 },
  ]);
  expect(readDocument(formatDocument(both)).experiment).toEqual(both);
});

it('explains why it is not possible', () => {
  const why = (a: Experiment, b: Experiment) => interleave(a, b);
  expect(why(experiment({}), experiment({}))).toEqual({
    why: expect.stringContaining('The experiments are identical'),
  });
  expect(why(experiment({ a: 1 }), experiment({}))).toEqual({ why: 'Only one of them sets a.' });
  expect(why(experiment({}), experiment({}, { where: {} }))).toEqual({ why: 'Only one of them names a target.' });
  const workload = { tool: 'sysbench', options: { tables: 4 }, data: 'keep' };
  expect(why(experiment({}), experiment({}, { workload }))).toEqual({
    why: 'One experiment cannot interleave both: they differ in their data policy.',
  });
});
