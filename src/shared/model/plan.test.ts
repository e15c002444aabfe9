import { describe, expect, it } from 'vitest';
import { type Estimate, estimateBasis, estimateRows } from './plan.ts';

const ESTIMATE: Estimate = {
  ...{ start: 4, prepare: 83.4, again: 0, load: 280, overhead: 12, pauses: 15 },
  ...{ dataBytes: 1024 ** 3, sessions: [9, 7], preparing: 'learned' },
};
const rowsOf = (change: Partial<Estimate>) =>
  estimateRows({ ...ESTIMATE, ...change }).map(({ title, words }) => `${title}: ${words}`);

describe('the rows of an estimate', () => {
  it('list every part that takes time, and the data size', () => {
    expect(rowsOf({})).toEqual([
      'Load: 4 min 40 s',
      'Pauses: 15 s',
      'Launching, collecting: 12 s',
      'Reading facts: 4 s',
      'Preparing data: 1 min 23 s',
      'Data size: about 1.00 GiB',
    ]);
    expect(rowsOf({ pauses: 0, preparing: 'there' })).toContain('Preparing data: prepared');
    expect(rowsOf({ again: 90 })).toContain('Preparing again: 1 min 30 s');
    const { prepare: _, dataBytes: __, ...unknown } = ESTIMATE;
    expect(estimateRows({ ...unknown, preparing: 'unknown' }).map(({ words }) => words)).toContain('unknown');
    expect(rowsOf({ preparing: 'none' }).join()).not.toMatch(/data/);
    const changes = { restarts: 12, reloads: 1 };
    expect(rowsOf({ changes, changing: 182 })).toContain('Changing servers: 3 min 2 s: at most 12 restarts, 1 reload');
    expect(rowsOf({ again: 90, loads: 3 })).toContain('Data loads: 3 loads');
    expect(rowsOf({ before: 8 })).toContain('Before each trial: 8 s');
  });

  it('state the basis of the estimate', () => {
    expect(estimateBasis(ESTIMATE, ['db1'])).toBe('Estimated from 2 sessions on db1.');
    expect(estimateBasis({ ...ESTIMATE, preparing: 'default' }, ['db1'])).toBe(
      'Estimated from 2 sessions on db1; default rate for preparing data.',
    );
    expect(estimateBasis({ ...ESTIMATE, sessions: [] }, ['db1'])).toBe('Estimated from defaults (no earlier session).');
  });
});
