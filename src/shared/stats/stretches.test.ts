import { expect, it } from 'vitest';
import { stretches, stretchOf } from './stretches.ts';

const run = (values: readonly number[], from = 1) => ({
  t: Float64Array.from(values, (_, index) => from + index),
  v: Float64Array.from(values),
});

it('tell the median and the range of each second of several runs', () => {
  const { t, median, low, high } = stretches([run([10, 20, 30]), run([12, 26, 90]), run([11, 21, 31])], 1);
  expect([...t]).toEqual([1, 2, 3]);
  expect([...median]).toEqual([11, 21, 31]);
  expect([...low]).toEqual([10, 20, 30]);
  expect([...high]).toEqual([12, 26, 90]);
});

it('keep the second of a stall in ten hours, and are as many as asked for', () => {
  const hours = run(Array.from({ length: 36_000 }, (_, second) => (second === 20_000 ? 1 : 100 + (second % 2))));
  const seconds = stretchOf([hours], 600);
  const { t, median, low } = stretches([hours], seconds);
  expect(seconds).toBe(61);
  expect(t.length).toBeLessThanOrEqual(600);
  expect([t[0], t[1]]).toEqual([0, 61]);
  expect([...low].filter((value) => value === 1)).toHaveLength(1);
  expect(Math.min(...median)).toBe(100);
});

it('leave out what has no value', () => {
  const gap = { t: Float64Array.of(1, 2, 9), v: Float64Array.of(5, Number.NaN, 7) };
  expect([...stretches([gap], 2).t]).toEqual([0, 8]);
  expect([...stretches([gap], 2).median]).toEqual([5, 7]);
  expect(stretches([], 1).t).toHaveLength(0);
  expect(stretchOf([], 600)).toBe(1);
});
