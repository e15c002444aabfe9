import { expect, it } from 'vitest';
import { Experiment, trialSeconds } from './experiment.ts';
import { fittedDurations, turnsOf } from './parallel-steps.ts';
import { gateWords, nameInGroup, wholeSteps } from './step.ts';

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

it('expands a group into its steps in order, with shared options', () => {
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

it('repeats a whole group, each step with the step that it repeats', () => {
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

it('compares with a step of the same group, also in a repeated group', () => {
  expect(named([GROUP, AFTER], 'reads / again')?.gate).toEqual({ equal: 'reads / count', rows: 1 });
  expect(named([GROUP, AFTER], 'after / again')?.gate).toEqual({ equal: 'after / count', rows: 1 });
  const earlier = { name: 'sum', do: 'statement', statement: 'SELECT 2' };
  const other = { name: 'a', do: 'statement', statement: 'SELECT 2', gate: { equal: 'sum' } };
  expect(named([earlier, { name: 'g', each: [other] }], 'g / a')?.gate).toEqual({ equal: 'sum' });
});

it('divides by a step of the same group, or by each step of the group that is repeated', () => {
  const ratio = (of: string) => ({ gate: { of, 'ratio-above': 0.9 } });
  const group = { name: 'g', each: [{ name: 'a' }, { name: 'b', ...ratio('a') }] };
  const again = { name: 'h', same: 'g', ...ratio('g') };
  const gates = whole([group, again]).map(({ name, gate }) => [name, gate?.of]);
  expect(gates).toEqual([
    ['g / a', undefined],
    ['g / b', 'g / a'],
    ['h / a', 'g / a'],
    // A step’s own gate takes precedence.
    ['h / b', 'h / a'],
  ]);
  const alone = { name: 'load' };
  const both = { name: 'both', parallel: [{ name: 'load', same: 'load', ...ratio('load') }, { name: 'scan' }] };
  expect(named([alone, both], 'both / load')?.gate?.of).toBe('load');
  expect(named([alone, { ...alone, name: 'after', same: 'load', ...ratio('load') }], 'after')?.gate?.of).toBe('load');
});

it('words a gate by all of its conditions', () => {
  expect(gateWords({ errors: 0, above: 5, below: 9, 'ratio-above': 0.5 })).toBe(
    'errors at most 0, figure above 5 and below 9, ratio to the baseline above 0.5',
  );
  expect(gateWords({ rows: 1, equal: 'count', of: 'one', 'ratio-below': 2 })).toBe(
    'rows exactly 1, same result as step “count”, ratio to step “one” below 2',
  );
});

const THREADS = { name: 'threads', levels: [1, 2] };

it('expands the levels of a step, with the last factor fastest', () => {
  const factors = [THREADS, { name: 'rows', option: 'table-size', levels: [10, 20] }];
  const reads = { name: 'reads', options: { tables: 4 }, duration: 5, factors };
  const steps = whole([reads, { name: 'after', same: 'reads' }]);
  expect(steps.map(({ name, options }) => [name, options.threads, options['table-size']])).toEqual([
    ...[
      ['reads / threads 1, rows 10', 1, 10],
      ['reads / threads 1, rows 20', 1, 20],
    ],
    ...[
      ['reads / threads 2, rows 10', 2, 10],
      ['reads / threads 2, rows 20', 2, 20],
    ],
    ...[
      ['after / threads 1, rows 10', 1, 10],
      ['after / threads 1, rows 20', 1, 20],
    ],
    ...[
      ['after / threads 2, rows 10', 2, 10],
      ['after / threads 2, rows 20', 2, 20],
    ],
  ]);
  expect(steps[0]).toEqual({
    ...{ name: 'reads / threads 1, rows 10', group: 'reads', at: ['steps', 0], duration: 5 },
    options: { tables: 4, threads: 1, 'table-size': 10 },
  });
  expect(steps[4]).toMatchObject({ same: 'reads / threads 1, rows 10', at: ['steps', 1] });
});

it('names steps by levels as the document has them, however large', () => {
  const factors = [{ name: 'rows', option: 'table-size', levels: [10_000_000] }];
  expect(whole([{ name: 'reads', factors }]).map(({ name }) => name)).toEqual(['reads / rows 10000000']);
});

it('applies the levels of a group to each of its steps that run the workload', () => {
  const each = [
    { name: 'a', options: { tables: 1 } },
    { name: 'sync', do: 'run', command: 'sync' },
    { name: 'b', factors: [{ name: 'tables', levels: [7] }] },
  ];
  const steps = whole([{ name: 'g', factors: [THREADS], each }]);
  expect(steps.map(({ name, options, at }) => [name, options, at[3]])).toEqual([
    ['g / a, threads 1', { tables: 1, threads: 1 }, 0],
    ['g / a, threads 2', { tables: 1, threads: 2 }, 0],
    ['g / sync', {}, 1],
    ['g / b, threads 1, tables 7', { threads: 1, tables: 7 }, 2],
    ['g / b, threads 2, tables 7', { threads: 2, tables: 7 }, 2],
  ]);
  expect(steps.every((step) => !('factors' in step))).toBe(true);
});

it('repeats a single step of a group by its full name', () => {
  expect(whole([GROUP, { name: 'once more', same: 'reads / point', measured: false }]).at(-1)).toEqual({
    ...{ name: 'once more', same: 'reads / point', at: ['steps', 1], measured: false },
    ...{ options: { threads: 2, tables: 8 }, duration: 60, gate: { errors: 0 } },
  });
});

const ALONE = { name: 'alone', options: { threads: 8 }, duration: 60, gate: { above: 9 } };
const BOTH = {
  name: 'both',
  options: { tables: 4 },
  warmup: 10,
  parallel: [
    { name: 'load', same: 'alone' },
    { name: 'report', do: 'statement', statement: 'SELECT 1', from: 30, measured: true },
    { name: 'reads', options: { threads: 2 }, from: 20 },
  ],
};

it('expands parallel steps like a group, including a repeat of an earlier step', () => {
  const steps = whole([ALONE, BOTH, { name: 'again', same: 'both' }]);
  expect(steps.map(({ name, same, parallel }) => [name, same, parallel])).toEqual([
    ['alone', undefined, undefined],
    ['both / load', 'alone', 'both'],
    ['both / report', undefined, 'both'],
    ['both / reads', undefined, 'both'],
    ['again / load', 'both / load', 'again'],
    ['again / report', 'both / report', 'again'],
    ['again / reads', 'both / reads', 'again'],
  ]);
  // The gate is that of the step alone, with a different figure.
  expect(steps[1]).toEqual({
    ...{ name: 'both / load', same: 'alone', options: { threads: 8 }, warmup: 10, duration: 60 },
    ...{ group: 'both', parallel: 'both', at: ['steps', 1, 'parallel', 0] },
  });
  expect(steps[2]).toMatchObject({ do: 'statement', from: 30, measured: true, options: {} });
  expect(steps[3]).toMatchObject({ options: { threads: 2, tables: 4 }, warmup: 10, from: 20 });
  expect(turnsOf(steps).map((turn) => turn.length)).toEqual([1, 3, 3]);
});

it('ends a delayed load with its group, and takes the longest of parallel steps', () => {
  const load = { warmup: 10, duration: 50, ends: false };
  const late = { ...load, parallel: 'both', from: 20 };
  const report = { parallel: 'both', from: 5, warmup: 0, duration: 900, ends: true };
  expect(fittedDurations([load, { ...load, parallel: 'both' }, late, report])).toEqual([50, 50, 30, 900]);
  expect(
    fittedDurations([
      { ...load, parallel: 'both' },
      { ...late, duration: 5 },
    ]),
  ).toEqual([50, 5]);
  expect(
    fittedDurations([
      { ...load, parallel: 'both' },
      { ...late, from: 55 },
    ])[1],
  ).toBeLessThan(0);
  const steps = Experiment.shape.steps.parse([ALONE, BOTH]);
  expect(trialSeconds({ steps, measure: { warmup: 5, duration: 100 } })).toBe(65 + 70);
});
