import { describe, expect, it } from 'vitest';
import { packRows, packSteps, unpackRows, unpackSteps } from './steps.ts';

const stored = (cells: unknown): unknown => JSON.parse(JSON.stringify(cells));

const step = (threads: number, more: Record<string, unknown> = {}) => ({
  workload: { tool: 'sysbench', options: { threads }, data: 'create' },
  options: Object.fromEntries([...Array.from({ length: 60 }, (_, at) => [`option-${at}`, at]), ['threads', threads]]),
  generators: ['this computer'],
  settings: [],
  ...more,
});

describe('the steps of cells', () => {
  it.each([
    ['one option', step(1), step(2)],
    ['a target that only some name', step(1, { target: 'shop' }), step(1)],
    [
      'lists and what they hold',
      step(1, { settings: [{ what: 'a', value: '1' }] }),
      step(1, { settings: [{ what: 'a', value: '2' }] }),
    ],
    ['an object in place of a value', step(1, { launch: 'plain' }), step(1, { launch: { cpus: '0-3' } })],
    ['nothing', step(1), step(1)],
    ['a null', step(1, { price: 1 }), step(1, { price: null })],
  ])('are read back unchanged with differences in %s', (_, first, second) => {
    for (const [a, b] of [
      [first, second],
      [second, first],
    ] as const) {
      const cells: { index: number; steps?: object[] }[] = [
        { index: 0, steps: [a, b] },
        { index: 1, steps: [b, a] },
        { index: 2, steps: [b] },
        { index: 3 },
      ];
      expect(unpackSteps(stored(packSteps(cells)))).toEqual(stored(cells));
    }
  });

  it('take at most 5 MB with the trials of 20,000 cells', () => {
    const cells = Array.from({ length: 20_000 }, (_, index) => ({
      index,
      levels: { threads: index },
      steps: [step(index)],
    }));
    const trials = cells.map(({ index }) => ({ index, cell: index, repeat: 0, seed: 2 ** 31 + index }));
    expect(JSON.stringify([packSteps(cells), packRows(trials)]).length).toBeLessThan(5e6);
  });

  it('are decoded on first access, in the order of their fields', () => {
    const cells = [step(1), step(2), step(3)].map((each, index) => ({ index, steps: [each] }));
    const read = unpackSteps(stored(packSteps(cells))) as { steps: { options: object }[] }[];
    const isMade = () =>
      read.map(({ steps: [first] }) => Object.getOwnPropertyDescriptor(first, 'options')?.get === undefined);
    expect(isMade()).toEqual([true, false, false]);
    expect(read[1]?.steps[0]?.options).toEqual(step(2).options);
    expect(read[1]?.steps[0]?.options).toBe(read[1]?.steps[0]?.options);
    expect(isMade()).toEqual([true, true, false]);
    expect(JSON.stringify(read)).toBe(JSON.stringify(cells));
  });

  it('leave invalid input to the schema', () => {
    expect(unpackSteps('damaged')).toBe('damaged');
    expect(unpackSteps([1, { steps: 2 }])).toEqual([1, { steps: 2 }]);
  });
});

describe('rows', () => {
  it.each([
    ['none', []],
    [
      'all with the same fields',
      [
        { index: 0, seed: 5 },
        { index: 1, seed: 7 },
      ],
    ],
    ['some with a field more', [{ index: 0 }, { index: 1, canary: true }]],
  ])('are read back unchanged: %s', (_, rows) => {
    expect(JSON.stringify(unpackRows(stored(packRows(rows))))).toBe(JSON.stringify(rows));
  });

  it('that were not packed stay unchanged', () => {
    expect(unpackRows([{ index: 0 }])).toEqual([{ index: 0 }]);
    expect(unpackRows({ columns: 3 })).toEqual({ columns: 3 });
  });
});
