import { expect, it } from 'vitest';
import type { OperationCost } from '../../../shared/model/analysis.ts';
import type { CellResult } from '../../../shared/model/result.ts';
import { costsOfSteps, type MeasuredStep, stepsByCost, stepsTable } from './steps-table.ts';

const VERSIONS = ['5.6', '8.0'];
const REPEATS = [0, 1, 2, 3];

/** A step of two versions with four runs each: run 100 × step + 10 × version + repeat. */
function step(place: number, name: string, more: Partial<MeasuredStep> = {}): MeasuredStep {
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
/** CPU doubles with the version in step 1, and is the same in step 2; disks are known only for step 1. */
const costsOf = (runId: number): OperationCost[] => {
  const [place, version, repeat] = [Math.floor(runId / 100), Math.floor(runId / 10) % 10, runId % 10];
  const cpu = (place === 1 && version === 1 ? 200 : 100) + repeat * 0.1;
  return [
    ...(place < 3 ? [cost('cpu_us_server', 'CPU of the server', 'µs', cpu)] : []),
    ...(place === 1 ? [cost('written_bytes', 'Written to disk', 'B', 2048 * (version + 1))] : []),
    cost('cpu_us_process', 'CPU of mysqld', 'µs', 1),
  ];
};
const STEPS = [step(1, 'reads'), step(2, 'writes'), step(3, 'load')];

it('lists figures that any step has, in order', () => {
  expect(costsOfSteps(STEPS, costsOf)).toEqual([
    { id: 'cpu_us_server', label: 'CPU of the server per operation', unit: 'µs' },
    { id: 'written_bytes', label: 'Written to disk per operation', unit: 'KiB' },
  ]);
  expect(costsOfSteps(STEPS, () => [])).toEqual([]);
});

it('has a line for each step with figure, ratio to the baseline and geometric mean', () => {
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
