import { expect, it } from 'vitest';
import { Experiment } from '../../../shared/model/experiment.ts';
import { setIn } from './set.ts';

const EXPERIMENT = Experiment.parse({
  ...{ kneepoint: 2, name: 'Suite', workload: { tool: 'sysbench' }, where: {}, measure: {} },
  factors: [{ name: 'threads', levels: [1, 2] }],
  steps: [
    { name: 'index', do: 'statement', statement: 'CREATE INDEX k ON t (k)' },
    { name: 'reads', options: { tables: 4 } },
    { name: 'reads.after', options: {} },
    { name: 'group', each: [{ name: 'point' }, { name: 'wait', do: 'wait', until: { file: '/up' } }] },
    { name: 'group again', same: 'group' },
    { name: 'ladder', factors: [{ name: 'clients', option: 'threads', levels: [1, 2, 4] }] },
    { name: 'both', parallel: [{ name: 'load' }, { name: 'late', from: 5, options: { tables: 1 } }] },
  ],
});
const stepOf = (assignment: string, place: number) => setIn(EXPERIMENT, assignment).steps?.[place];

it('sets or adds levels of a factor', () => {
  expect(setIn(EXPERIMENT, 'threads=4,8').factors).toMatchObject([{ name: 'threads', levels: [4, 8] }]);
  expect(setIn(EXPERIMENT, 'tables=on,3').factors[1]).toEqual({ name: 'tables', kind: 'option', levels: ['on', 3] });
});

it('sets an option of one step by its longest matching name', () => {
  expect(stepOf('reads.tables=8', 1)).toMatchObject({ options: { tables: 8 } });
  expect(stepOf('reads.after.tables=8', 2)).toMatchObject({ options: { tables: 8 } });
  expect(stepOf('reads.script=a,b', 1)?.options.script).toBe('a,b');
  expect(EXPERIMENT.steps?.[1]?.options).toEqual({ tables: 4 });
});

it('sets options of a group or of one of its steps', () => {
  expect(stepOf('group.threads=3', 3)).toMatchObject({ options: { threads: 3 }, each: [{ options: {} }, {}] });
  expect(stepOf('group / point.threads=3', 3)).toMatchObject({ options: {}, each: [{ options: { threads: 3 } }, {}] });
  expect(stepOf('group / wait.at-most=1m', 3)?.each?.[1]).toMatchObject({ 'at-most': 60 });
});

it.each(['clients', 'threads'])('sets the levels of a factor of a step, named as %s', (name) => {
  const step = stepOf(`ladder.${name}=8,16`, 5);
  expect(step).toMatchObject({ options: {}, factors: [{ name: 'clients', option: 'threads', levels: [8, 16] }] });
});

it('sets the start of a parallel step', () => {
  expect(stepOf('both / late.from=1m', 6)?.parallel).toMatchObject([{}, { from: 60, options: { tables: 1 } }]);
});

it('sets durations and texts of one step', () => {
  expect(stepOf('reads.duration=5m', 1)?.duration).toBe(300);
  expect(stepOf('index.at-most=90', 0)?.['at-most']).toBe(90);
  expect(stepOf('index.for=1m', 0)?.for).toBe(60);
  expect(stepOf('index.statement=SELECT a, b FROM t WHERE a = 1', 0)?.statement).toBe('SELECT a, b FROM t WHERE a = 1');
});

it.each([
  ['threads', 'not valid: “threads”'],
  ['threads=1,,2', 'a level between the commas is empty'],
  ['ladder.threads=1,,2', 'a level between the commas is empty'],
  ['reeds.tables=8', 'Steps are: index, reads, reads.after, group, group again, ladder, both, group / point'],
  ['reads.duration=soon', 'takes seconds or a duration'],
])('refuses %s', (assignment, words) => {
  expect(() => setIn(EXPERIMENT, assignment)).toThrow(words);
});
