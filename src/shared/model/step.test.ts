import { expect, it } from 'vitest';
import { Experiment } from './experiment.ts';
import { nameInGroup, wholeSteps } from './step.ts';

const whole = (steps: unknown[]) => wholeSteps(Experiment.shape.steps.parse(steps) ?? []);
const named = (steps: unknown[], name: string) => whole(steps).find((step) => step.name === name);

const GROUP = {
  name: 'reads',
  options: { threads: 2, tables: 4 },
  duration: 60,
  gate: { errors: 0 },
  each: [
    { name: 'point', options: { tables: 8 } },
    { name: 'ranges', duration: 5, gate: { above: 9 } },
    { name: 'count', do: 'statement', statement: 'SELECT 1', measured: true },
    { name: 'again', do: 'statement', statement: 'SELECT 1', gate: { equal: 'count', rows: 1 } },
  ],
};
const AFTER = { name: 'after', same: 'reads' };

it('has the steps of a group in their order, with what they share', () => {
  const steps = whole([{ name: 'fill' }, GROUP, { name: 'writes' }]);
  expect(steps.map(({ name }) => name)).toEqual([
    ...['fill', 'reads / point', 'reads / ranges', 'reads / count', 'reads / again', 'writes'],
  ]);
  expect(steps[1]).toEqual({
    ...{ name: 'reads / point', group: 'reads', at: ['steps', 1, 'each', 0] },
    ...{ options: { threads: 2, tables: 8 }, duration: 60, gate: { errors: 0 } },
  });
  expect(steps[2]).toMatchObject({ options: { threads: 2, tables: 4 }, duration: 5, gate: { above: 9 } });
  expect(steps[3]).toEqual({
    ...{ name: 'reads / count', group: 'reads', at: ['steps', 1, 'each', 2], options: {} },
    ...{ do: 'statement', statement: 'SELECT 1', measured: true },
  });
  expect(steps[5]).toEqual({ name: 'writes', options: {}, at: ['steps', 2] });
  expect(steps.map(nameInGroup)).toEqual(['fill', 'point', 'ranges', 'count', 'again', 'writes']);
});

it('repeats a group as a whole, each step with the one that it repeats', () => {
  const steps = whole([GROUP, AFTER, { name: 'third', same: 'after', measured: false }]).slice(4);
  expect(steps.map(({ name, same }) => `${name} = ${same}`)).toEqual([
    ...['after / point = reads / point', 'after / ranges = reads / ranges'],
    ...['after / count = reads / count', 'after / again = reads / again'],
    ...['third / point = after / point', 'third / ranges = after / ranges'],
    ...['third / count = after / count', 'third / again = after / again'],
  ]);
  expect(steps[0]).toMatchObject({ options: { threads: 2, tables: 8 }, duration: 60, at: ['steps', 1] });
  expect(steps.map(({ measured }) => measured)).toEqual([
    ...[undefined, undefined, true, undefined],
    ...[false, false, false, false],
  ]);
});

it('compares with a step of the same group, also in one that is repeated', () => {
  expect(named([GROUP, AFTER], 'reads / again')?.gate).toEqual({ equal: 'reads / count', rows: 1 });
  expect(named([GROUP, AFTER], 'after / again')?.gate).toEqual({ equal: 'after / count', rows: 1 });
  const earlier = { name: 'sum', do: 'statement', statement: 'SELECT 2' };
  const other = { name: 'a', do: 'statement', statement: 'SELECT 2', gate: { equal: 'sum' } };
  expect(named([earlier, { name: 'g', each: [other] }], 'g / a')?.gate).toEqual({ equal: 'sum' });
});

it('repeats a single step of a group by its whole name', () => {
  expect(whole([GROUP, { name: 'once more', same: 'reads / point', measured: false }]).at(-1)).toEqual({
    ...{ name: 'once more', same: 'reads / point', at: ['steps', 1], measured: false },
    ...{ options: { threads: 2, tables: 8 }, duration: 60, gate: { errors: 0 } },
  });
});
