import { expect, it } from 'vitest';
import { memoryWords, surprisingFindings } from './remarks.ts';

const GIB = 2 ** 30;

it('compares the data size with the cache over all cells', () => {
  expect(memoryWords([{ data: 24 * GIB, cache: 8 * GIB }])).toBe('data 24.0 GiB, 3.00 × the server’s cache');
  const halves = [1, 2, 4].map((part) => ({ data: 24 * GIB, cache: (24 * GIB) / part }));
  expect(memoryWords(halves)).toBe('data 24.0 GiB, 1.00 to 4.00 × the server’s cache');
  expect(memoryWords([{ data: GIB / 1024, cache: GIB }])).toBe('data 1.00 MiB, less than 0.01 × the server’s cache');
  expect(memoryWords([])).toBeUndefined();
  expect(memoryWords([{ data: 0, cache: GIB }])).toBeUndefined();
});

it('names the outlying trial, its cell and the run to repeat', () => {
  const steady = (cell: number) => ({
    ...{ cell, levels: { threads: 2 ** cell } },
    means: [100, 101, 99, 100].map((value) => value * (cell + 1)),
    trials: [0, 1, 2, 3].map((round) => 4 * round + cell),
  });
  const cells = [steady(0), steady(1), steady(2), { ...steady(3), means: [400, 404, 240, 396] }];
  const runs = cells.flatMap(({ cell, trials }) => trials.map((trial) => ({ id: 100 + trial, cell, trial })));
  expect(surprisingFindings(cells, runs)).toEqual([
    {
      ...{ code: 'surprising-run', severity: 'note', runId: 111, next: 'Repeat it before you draw conclusions.' },
      message:
        'Trial 12 (threads 8) is 40 % below the other repeats of its cell, beyond the usual variation of this session.',
    },
  ]);
  expect(surprisingFindings(cells.slice(0, 3), runs)).toEqual([]);
});
