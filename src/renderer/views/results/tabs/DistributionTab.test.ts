import { expect, it } from 'vitest';
import type { Run } from '../../../../shared/model/session.ts';
import { secondsOf } from './DistributionTab.tsx';

const run = (id: number): Run => ({
  id,
  sessionId: 1,
  trial: id,
  cell: 0,
  repeat: id,
  levels: { threads: 4 },
  state: 'done',
  warmup: 1,
  duration: 3,
  summary: {},
  findings: [],
  partial: false,
  seconds: 5,
});
const series = (runId: number, v: number[]) => ({
  runId,
  generator: 0,
  metric: 'tps',
  t: Float64Array.from(v, (_, index) => index + 1),
  v: Float64Array.from(v),
});
const spread = { n: 1, mean: 1, median: 1, p5: 1, p25: 1, p75: 1, p95: 1, min: 1, max: 1, cv: 0 };
const result = {
  metric: 'tps',
  warmup: 1,
  factors: [{ name: 'threads', levels: [4] }],
  cells: [
    {
      cell: 0,
      levels: { threads: 4 },
      runs: [1, 2].map((runId) => ({
        runId,
        repeat: runId,
        state: 'done' as const,
        partial: false,
        spread,
        errors: 0,
      })),
      means: [],
      errors: 0,
      partial: false,
    },
  ],
};

it('pools the measured seconds of a cell: neither warm-up nor what came after the planned end', () => {
  const [cell] = secondsOf(result, [run(1), run(2)], [series(1, [9, 3, 1, 2, 8]), series(2, [9, 5, 4, 6, 8])]);
  expect([...(cell?.ascending ?? [])]).toEqual([1, 2, 3, 4, 5, 6]);
  expect(cell?.name).toBe('threads 4');
});

it('leaves out other metrics and runs of other cells', () => {
  const other = { ...series(1, [1, 2, 3]), metric: 'qps' };
  expect(secondsOf(result, [run(1)], [other, series(7, [1, 2, 3])])[0]?.ascending).toHaveLength(0);
});
