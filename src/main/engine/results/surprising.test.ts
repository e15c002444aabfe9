import { expect, it } from 'vitest';
import { surprisingFindings } from './remarks.ts';

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
