import { expect, it } from 'vitest';
import { failedRuns, isRepeatable } from './repeats.ts';
import type { RunState } from './states.ts';

const run = (id: number, repeat: number, state: RunState, cell = 0) => ({ id, cell, repeat, state });

it('counts failed and lost runs that have no replacement', () => {
  const runs = [
    run(1, 0, 'failed'),
    run(2, 1, 'lost'),
    run(3, 0, 'failed', 1),
    run(4, 0, 'done'),
    run(5, 2, 'skipped'),
  ];
  expect(failedRuns(runs).map(({ id }) => id)).toEqual([2, 3]);
});

it('a run can be repeated once it has ended, unless another one replaces it', () => {
  const runs = [run(1, 0, 'failed'), run(2, 0, 'pending'), run(3, 1, 'done'), run(4, 2, 'stopped')];
  expect(runs.filter((each) => isRepeatable(each, runs)).map(({ id }) => id)).toEqual([3, 4]);
});
