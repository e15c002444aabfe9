import { describe, expect, it } from 'vitest';
import { costlyChanges } from './changes.ts';

const cells = [
  { index: 0, levels: { pool: '1G', threads: 1 } },
  { index: 1, levels: { pool: '1G', threads: 2 } },
  { index: 2, levels: { pool: '2G', threads: 1 } },
];
const trials = (...order: number[]) => order.map((cell, index) => ({ index, cell, repeat: 0 }));
const factors = [{ name: 'pool' }, { name: 'threads' }];

describe('costly changes between trials', () => {
  it('are before the first trial with another level of a factor that needs a reload or more', () => {
    expect(costlyChanges({ cells, trials: trials(0, 1, 2, 2, 0) }, factors, ['restart', 'none'])).toEqual([
      { trial: 2, cost: 'restart' },
      { trial: 4, cost: 'restart' },
    ]);
    expect(costlyChanges({ cells, trials: trials(0, 1, 2) }, factors, ['live', 'none'])).toEqual([]);
  });

  it('have the highest of their costs, including data', () => {
    const ofData = cells.map((cell, data) => ({ ...cell, data: data > 1 ? 1 : 0 }));
    expect(costlyChanges({ cells: ofData, trials: trials(0, 1, 2) }, factors, ['reload', 'none'])).toEqual([
      { trial: 2, cost: 'load' },
    ]);
  });
});
