import { expect, it } from 'vitest';
import type { OperationCost } from '../../../shared/model/analysis.ts';
import { caveatsOf } from '../../../shared/model/figure.ts';
import type { CellResult, SessionResult, Verdict } from '../../../shared/model/result.ts';
import { TOOK } from '../../../shared/model/step.ts';
import { costsOfSteps, type MeasuredStep, stepsByCost, stepsTable } from './steps-table.ts';

const cellOf = (cell: number, levels: Record<string, string | number>, value: number) => ({
  ...{ cell, levels, value, runs: [], means: [value], errors: 0, partial: false },
});
/** Version 8 with these ratios to version 5, one for each number of threads. */
function step(place: number, name: string, metric: string, ratios: readonly (readonly [number, Verdict])[]) {
  const threads = ratios.map((_, index) => 2 ** index);
  const cells = threads.flatMap((count, index) => [
    cellOf(2 * index, { version: 5, threads: count }, 100),
    cellOf(2 * index + 1, { version: 8, threads: count }, 100 * (ratios[index]?.[0] ?? 1)),
  ]);
  const result: Pick<SessionResult, 'metric' | 'factors' | 'cells' | 'ratios' | 'answer'> = {
    ...{ metric, cells },
    factors: [
      { name: 'version', levels: [5, 8] },
      { name: 'threads', levels: threads, load: 'concurrency' },
    ],
    answer: { factor: 'version', baseline: 5, sentences: [], verdict: 'settled' },
    ratios: [
      {
        ...{ factor: 'version', level: 5, verdict: '' },
        cells: ratios.map(([ratio, verdict], index) => ({
          ...{ cell: 2 * index + 1, baseline: 2 * index, ratio, verdict, sentence: `It is ${ratio}.` },
        })),
      },
    ],
  };
  return { step: place, name, result };
}

it('has a line for each step and place, and a column for each level', () => {
  const table = stepsTable([
    step(0, 'reads', 'tps', [
      [0.9, 'worse'],
      [1.2, 'better'],
    ]),
    step(2, 'writes', 'tps', [
      [0.5, 'worse'],
      [1.01, 'no-difference'],
    ]),
  ]);
  expect(table).toMatchObject({ factor: 'version', levels: [5, 8], baseline: 5 });
  expect(table.lines.map(({ step: place, name, levels }) => [place, name, levels.threads])).toEqual([
    [0, 'reads', 1],
    [0, 'reads', 2],
    [2, 'writes', 1],
    [2, 'writes', 2],
  ]);
  expect(table.lines[2]?.cells).toEqual([
    { cell: 0, value: 100 },
    { cell: 1, value: 50, ratio: 0.5, verdict: 'worse', sentence: 'It is 0.5.' },
  ]);
  // (0.9 × 1.2 × 0.5 × 1.01)^(1/4) = 0.859
  expect(table.sentences).toEqual([
    'version 8: geometric mean ×0.86, 4 of 4 between ×0.50 and ×1.20, better in 1, worse in 2, no difference in 1.',
  ]);
});

it('gives the range of four in five of many ratios', () => {
  const ratios = Array.from({ length: 20 }, (_, index) => [0.5 + index * 0.05, 'cannot-tell'] as const);
  const table = stepsTable(ratios.map((ratio, place) => step(place, `test ${place}`, 'tps', [ratio])));
  expect(table.sentences[0]).toContain('16 of 20 between ×0.60 and ×1.35, open in 20.');
});

/** The same step with a full load generator in these cells. */
function behind(full: readonly number[], of: ReturnType<typeof step>): ReturnType<typeof step> {
  const bound = { verdict: 'generator-cpu' as const, sentence: 'load1 was full.' };
  const cells = of.result.cells.map((cell) =>
    full.includes(cell.cell) ? { ...cell, ...caveatsOf({ ...cell, bound }) } : cell,
  );
  return { ...of, result: { ...of.result, cells } };
}

it('counts no difference that shows the load, and names the least one', () => {
  const steps = (full: readonly number[]) => [
    behind(full, step(0, 'reads', 'tps', [[1.31, full.includes(0) ? 'cannot-tell' : 'better']])),
    step(1, 'writes', 'tps', [[0.5, 'worse']]),
  ];
  expect(stepsTable(steps([0, 1])).sentences).toEqual([
    'version 8: geometric mean ×0.81, 2 of 2 between ×0.50 and ×1.31, worse in 1; undetermined in 1, because the load generator was the limit.',
  ]);
  expect(stepsTable(steps([0, 1])).lines[0]?.cells[1]).toMatchObject({
    limit: { kind: 'limited', by: 'the load generator' },
  });
  expect(stepsTable(steps([1])).sentences).toEqual([
    'version 8: geometric mean ×0.81, 2 of 2 between ×0.50 and ×1.31, better in 1, worse in 1; at least that large in 1, because the load generator was the limit of the better side.',
  ]);
  const all = steps([0, 1]).map((each) => behind([0, 1], each));
  expect(stepsTable(all).sentences).toEqual([
    'version 8: undetermined, because the load generator was the limit; measured: geometric mean ×0.81, 2 of 2 between ×0.50 and ×1.31.',
  ]);
});

it('inverts latencies next to rates, so that more is better in the mean', () => {
  const table = stepsTable([
    step(0, 'rate', 'tps', [[2, 'better']]),
    step(1, 'latency', 'latency_p95_ms', [[0.5, 'better']]),
  ]);
  expect(table.sentences[0]).toBe(
    'version 8: geometric mean ×2.00 (latencies inverted), 2 of 2 between ×2.00 and ×2.00, better in 2.',
  );
});

/** A step that took these seconds in the trials of each version, interleaved. */
function timed(place: number, name: string, seconds: readonly (readonly number[])[]) {
  const cells = seconds.map((means, cell) => ({
    ...cellOf(cell, { version: [5, 8][cell] ?? 0 }, means.reduce((sum, each) => sum + each, 0) / means.length),
    ...{ means: [...means], trials: means.map((_, repeat) => 2 * repeat + cell) },
  }));
  const ratios = [{ factor: 'version', level: 5, verdict: '', cells: [] }];
  const result: Pick<SessionResult, 'metric' | 'factors' | 'cells' | 'ratios' | 'answer'> = {
    ...{ metric: 'took_s', cells, ratios, factors: [{ name: 'version', levels: [5, 8] }] },
    answer: { factor: 'version', baseline: 5, sentences: [], verdict: 'settled' },
  };
  return { step: place, name, result };
}

it('does not add up the overlapping seconds of parallel steps', () => {
  const [load, index] = [timed(0, 'load', [[300], [360]]), timed(1, 'index', [[90], [101]])];
  const during = { ...timed(2, 'both / dump', [[70], [75]]), isParallel: true as const };
  expect(stepsTable([load, index, during]).lines.at(-1)).toMatchObject({ name: 'sum of 2 timed steps' });
  expect(stepsTable([load, during]).lines.map(({ sum = false }) => sum)).toEqual([false, false]);
});

it('adds up the seconds of steps that end by themselves, trial by trial', () => {
  const table = stepsTable([
    timed(0, 'load', [
      [300, 310, 320],
      [360, 362, 364],
    ]),
    timed(1, 'index', [
      [90, 80, 70],
      [101, 99, 100],
    ]),
    step(2, 'reads', 'tps', [[0.9, 'worse']]),
  ]);
  expect(table.lines.map(({ name, sum = false }) => [name, sum])).toEqual([
    ['load', false],
    ['index', false],
    ['reads', false],
    ['sum of 2 timed steps', true],
  ]);
  // One step gets faster as the other gets slower: the sum of each trial is 390, which no mean of the parts would show.
  expect(table.lines[3]?.cells).toMatchObject([
    { value: 390 },
    { value: 462, ratio: expect.closeTo(1.185, 3), verdict: 'worse' },
  ]);
});

it('has the sum of the seconds of each group whose steps all end by themselves', () => {
  const inGroup = (place: number, group: string, name: string, metric = TOOK) => ({
    ...step(place, `${group} / ${name}`, metric, [[1.5, 'worse']]),
    group,
  });
  const { groups } = stepsTable([
    inGroup(0, 'two passes', 'rows'),
    inGroup(1, 'two passes', 'index'),
    inGroup(2, 'mixed', 'load'),
    inGroup(3, 'mixed', 'reads', 'tps'),
    { ...inGroup(4, 'together', 'one'), isParallel: true },
    { ...inGroup(5, 'together', 'other'), isParallel: true },
  ]);
  const sums = groups?.map(({ name, cells }) => [name, cells.map((cell) => cell.sum)]);
  expect(sums).toEqual([
    ['two passes', [200, 300]],
    ['mixed', [undefined, undefined]],
    ['together', [undefined, undefined]],
  ]);
});

it('compares a repeated step with the earlier one', () => {
  const before = step(0, 'before', 'tps', [[0.9, 'worse']]);
  const after = { ...step(2, 'after', 'tps', [[0.45, 'worse']]), same: 'before' };
  const [first, again] = stepsTable([before, after]).lines;
  expect(first).not.toHaveProperty('same');
  expect(again).toMatchObject({ same: 'before', cells: [{ again: 1 }, { again: 0.5 }] });
  // The time to recover is no share of a rate.
  const recovering = { ...step(2, 'beside', 'recovery_s', [[1, 'no-difference']]), same: 'before' };
  expect(stepsTable([before, recovering]).lines[1]).not.toHaveProperty('same');
});

it('has the geometric mean of each group and of its ratios to the group it repeats', () => {
  const inGroup = (place: number, group: string, name: string, ratio: number, metric = 'tps') => ({
    ...step(place, `${group} / ${name}`, metric, [[ratio, 'worse']]),
    group,
  });
  const table = stepsTable([
    step(0, 'alone', 'tps', [[0.1, 'worse']]),
    inGroup(1, 'before', 'a', 0.8),
    inGroup(2, 'before', 'b', 0.2),
    { ...inGroup(3, 'after', 'a', 0.4), same: 'before / a' },
    { ...inGroup(4, 'after', 'b', 0.4), same: 'before / b' },
    inGroup(5, 'mixed', 'rate', 2),
    inGroup(6, 'mixed', 'latency', 0.5, 'latency_p95_ms'),
  ]);
  expect(table.groups).toEqual([
    { name: 'before', step: 1, cells: [{}, { ratio: expect.closeTo(0.4, 9) }] },
    { name: 'after', step: 3, cells: [{ again: 1 }, { ratio: expect.closeTo(0.4, 9), again: expect.closeTo(1, 9) }] },
    { name: 'mixed', step: 5, cells: [{}, { ratio: expect.closeTo(2, 9) }], inverted: 'latencies' },
  ]);
  expect(table.lines.map(({ group }) => group)).toEqual([
    ...[undefined, 'before', 'before', 'after', 'after', 'mixed', 'mixed'],
  ]);
  // 0.5 and 2 of the second version: no change in the mean.
  expect(table.lines.slice(3, 5).map(({ cells }) => cells[1]?.again)).toEqual([0.5, 2]);
});

it('has one column without factors', () => {
  const { result } = step(0, 'reads', 'tps', []);
  const alone = { ...result, factors: [], ratios: [], cells: [cellOf(0, {}, 5)] };
  expect(stepsTable([{ step: 0, name: 'reads', result: { ...alone, answer: undefined } }])).toEqual({
    levels: [''],
    lines: [{ step: 0, name: 'reads', metric: 'tps', levels: {}, cells: [{ cell: 0, value: 5 }] }],
    sentences: [],
  });
});

const VERSIONS = ['5.6', '8.0'];
const REPEATS = [0, 1, 2, 3];

/** A costStep of two versions with four runs each: run 100 × costStep + 10 × version + repeat. */
function costStep(place: number, name: string, more: Partial<MeasuredStep> = {}): MeasuredStep {
  const cells = VERSIONS.map(
    (version, cell): CellResult => ({
      ...{ cell, levels: { version }, value: 1000, means: REPEATS.map(() => 1000), errors: 0, partial: false },
      trials: REPEATS.map((repeat) => 2 * repeat + cell),
      runs: REPEATS.map((repeat) => ({
        ...{ runId: 100 * place + 10 * cell + repeat, repeat, state: 'done', partial: false, errors: 0 },
      })),
    }),
  );
  const ratios = [{ factor: 'version', level: '5.6', verdict: '', cells: [] }];
  const answer = { factor: 'version', baseline: '5.6', sentences: [], verdict: 'settled' as const };
  const factors = [{ name: 'version', levels: VERSIONS }];
  return { step: place, name, ...more, result: { metric: 'tps', factors, cells, ratios, answer } };
}

const cost = (id: string, label: string, unit: string, value: number): OperationCost => ({
  ...{ id, label, unit, value, digits: 1, formula: '', from: [] },
});
/** CPU doubles with the version in costStep 1, and is the same in costStep 2; disks are known only for costStep 1. */
const costsOf = (runId: number): OperationCost[] => {
  const [place, version, repeat] = [Math.floor(runId / 100), Math.floor(runId / 10) % 10, runId % 10];
  const cpu = (place === 1 && version === 1 ? 200 : 100) + repeat * 0.1;
  return [
    ...(place < 3 ? [cost('cpu_us_server', 'CPU of the server', 'µs', cpu)] : []),
    ...(place === 1 ? [cost('written_bytes', 'Written to disk', 'B', 2048 * (version + 1))] : []),
    cost('cpu_us_process', 'CPU of mysqld', 'µs', 1),
  ];
};
const STEPS = [costStep(1, 'reads'), costStep(2, 'writes'), costStep(3, 'load')];

it('lists figures that any costStep has, in order', () => {
  expect(costsOfSteps(STEPS, costsOf)).toEqual([
    { id: 'cpu_us_server', label: 'CPU of the server per operation', unit: 'µs' },
    { id: 'written_bytes', label: 'Written to disk per operation', unit: 'KiB' },
  ]);
  expect(costsOfSteps(STEPS, () => [])).toEqual([]);
});

it('has a line for each costStep with figure, ratio to the baseline and geometric mean', () => {
  const table = stepsTable(stepsByCost(STEPS, 'cpu_us_server', costsOf, []));
  expect(table.lines.map(({ name, cells }) => [name, cells.map((cell) => cell?.value)])).toEqual([
    ['reads', [expect.closeTo(100.15, 9), expect.closeTo(200.15, 9)]],
    ['writes', [expect.closeTo(100.15, 9), expect.closeTo(100.15, 9)]],
  ]);
  const [reads, writes] = table.lines.map(({ cells }) => cells[1]);
  expect(reads).toMatchObject({ ratio: expect.closeTo(200.15 / 100.15, 3), verdict: 'worse' });
  expect(writes).toMatchObject({ ratio: expect.closeTo(1, 6), verdict: 'no-difference' });
  expect(table.baseline).toBe('5.6');
  expect(table.sentences).toEqual([expect.stringContaining('geometric mean ×1.41, 2 of 2')]);
});

it('shows bytes in KiB and omits values of several hosts', () => {
  const [bytes] = stepsByCost(STEPS, 'written_bytes', costsOf, []);
  expect(bytes?.result.cells.map(({ value }) => value)).toEqual([2, 4]);
  expect(bytes?.result.metric).toContain('Written to disk per operation:KiB:lower');
  const twice = (runId: number) => [...costsOf(runId), ...costsOf(runId)];
  expect(stepsByCost(STEPS, 'cpu_us_server', twice, [])).toEqual([]);
});
