import { expect, it } from 'vitest';
import { bucketSeconds, timeBuckets } from './time-buckets.ts';

const run = (values: readonly number[], from = 1) => ({
  t: Float64Array.from(values, (_, index) => from + index),
  v: Float64Array.from(values),
});

it('return the median and range of each second over several runs', () => {
  const { t, median, low, high } = timeBuckets([run([10, 20, 30]), run([12, 26, 90]), run([11, 21, 31])], 1);
  expect([...t]).toEqual([0, 1, 2]);
  expect([...median]).toEqual([11, 21, 31]);
  expect([...low]).toEqual([10, 20, 30]);
  expect([...high]).toEqual([12, 26, 90]);
});

it('keep the second of a stall in ten hours, within the requested number', () => {
  const hours = run(Array.from({ length: 36_000 }, (_, second) => (second === 20_000 ? 1 : 100 + (second % 2))));
  const seconds = bucketSeconds([hours], 600);
  const { t, median, low } = timeBuckets([hours], seconds);
  expect(seconds).toBe(60);
  expect(t.length).toBeLessThanOrEqual(600);
  expect([t[0], t[1]]).toEqual([0, 60]);
  expect([...low].filter((value) => value === 1)).toHaveLength(1);
  expect(Math.min(...median)).toBe(100.5);
});

it('omit missing values', () => {
  const gap = { t: Float64Array.of(1, 2, 3, 4), v: Float64Array.of(5, Number.NaN, Number.NaN, 7) };
  expect([...timeBuckets([gap], 1).t]).toEqual([0, 3]);
  expect([...timeBuckets([gap], 1).median]).toEqual([5, 7]);
  expect(timeBuckets([], 1).t).toHaveLength(0);
  expect(bucketSeconds([], 600)).toBe(1);
});

it('have no hole if a tool prints slightly late, or every ten seconds', () => {
  const late = { t: Float64Array.of(18.9, 19.9, 20.905, 22.117, 23.1), v: Float64Array.of(1, 2, 3, 4, 5) };
  expect([...timeBuckets([late], 1).t]).toEqual([18, 19, 20, 21, 22]);
  expect([...timeBuckets([late], 1).median]).toEqual([1, 2, 3, 4, 5]);
  const slow = { t: Float64Array.of(10, 20, 30), v: Float64Array.of(1, 2, 3) };
  expect([...timeBuckets([slow], 1).t]).toEqual(Array.from({ length: 30 }, (_, second) => second));
  expect([...timeBuckets([slow], 1).median].slice(9, 11)).toEqual([1, 2]);
});

it('put the last second of a warm-up before its end, and the first measured one after it', () => {
  const { t, median } = timeBuckets([run([1, 1, 1, 1, 1, 100])], 1);
  expect([t[4], median[4]]).toEqual([4, 1]);
  expect([t[5], median[5]]).toEqual([5, 100]);
});
