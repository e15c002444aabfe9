import { expect, it } from 'vitest';
import type { Run } from '../../../../shared/model/session.ts';
import { refusedCells } from './RefusedCells.tsx';

const run = (cell: number, repeat: number, more: Partial<Run>): Run => ({
  id: 10 * cell + repeat,
  sessionId: 1,
  trial: 0,
  cell,
  repeat,
  levels: { swap: cell },
  state: 'failed',
  warmup: 0,
  duration: 1,
  summary: {},
  findings: [],
  partial: false,
  seconds: 0,
  ...more,
});
const refusal = (message: string): Partial<Run> => ({
  findings: [{ code: 'change-refused', severity: 'error', message }],
});

it('lists each refused cell once, grouped by message', () => {
  const runs = [
    run(1, 0, refusal('It does not take 1.')),
    run(2, 0, { state: 'done', startedAt: 5 }),
    run(1, 1, refusal('It does not take 1.')),
    run(3, 0, refusal('It does not take 1.')),
    run(4, 0, refusal('It is read-only.')),
    run(5, 0, { ...refusal('The server went away.'), startedAt: 5 }),
    run(6, 0, { findings: [{ code: 'tool-missing', severity: 'error', message: 'There is no tool.' }] }),
  ];
  expect(refusedCells(runs)).toEqual([
    { message: 'It does not take 1.', cells: ['swap 1', 'swap 3'], trials: 3 },
    { message: 'It is read-only.', cells: ['swap 4'], trials: 1 },
  ]);
});
