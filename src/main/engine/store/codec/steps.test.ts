import { describe, expect, it } from 'vitest';
import { packSteps, unpackSteps } from './steps.ts';

const stored = (cells: readonly unknown[]): unknown => JSON.parse(JSON.stringify(cells));

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
  ])('come back as they were where they differ in %s', (_, first, second) => {
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

  it('take 5 MB with the trials of 20,000 cells at most', () => {
    const cells = Array.from({ length: 20_000 }, (_, index) => ({
      index,
      levels: { threads: index },
      steps: [step(index)],
    }));
    const trials = cells.map(({ index }) => ({ index, cell: index, repeat: 0, seed: 2 ** 31 + index }));
    expect(JSON.stringify([packSteps(cells), trials]).length).toBeLessThan(5e6);
  });

  it('leave what is no list of cells to its schema', () => {
    expect(unpackSteps('damaged')).toBe('damaged');
    expect(unpackSteps([1, { steps: 2 }])).toEqual([1, { steps: 2 }]);
  });
});
