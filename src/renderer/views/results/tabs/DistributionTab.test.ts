import { expect, it } from 'vitest';
import { countedOf } from './DistributionTab.tsx';

const spread = { n: 1, mean: 1, median: 1, p5: 1, p25: 1, p75: 1, p95: 1, min: 1, max: 1, cv: 0 };
const run = (runId: number, partial = false) => ({
  ...{ runId, repeat: runId, state: 'done' as const, errors: 0, partial },
  spread,
});

it('counts complete runs, or partial ones if a cell has no other', () => {
  expect(countedOf({ runs: [run(1), run(2, true), run(3)], partial: false })).toEqual([1, 3]);
  expect(countedOf({ runs: [run(2, true)], partial: true })).toEqual([2]);
  expect(countedOf({ runs: [{ ...run(1), spread: undefined }], partial: false })).toEqual([]);
});
