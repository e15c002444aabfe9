import { expect, it } from 'vitest';
import { newestRounds } from './rounds.ts';

const WHEN = { rounds: 5, of: 60, within: 20, slope: 10 };
/** A sample per second with the value of its round. */
const seconds = (...rounds: number[]) => ({
  t: rounds.flatMap((_, round) => Array.from({ length: 60 }, (__, second) => round * 60 + second + 1)),
  v: rounds.flatMap((value) => Array.from({ length: 60 }, () => value)),
});

it('needs five complete rounds', () => {
  expect(newestRounds([seconds(100, 100, 100, 100)], 0, WHEN)).toBeUndefined();
  const almost = seconds(100, 100, 100, 100, 100);
  expect(newestRounds([{ t: almost.t.slice(0, -1), v: almost.v.slice(0, -1) }], 0, WHEN)).toBeUndefined();
  expect(newestRounds([], 0, WHEN)).toBeUndefined();
});

it('computes the range and the excursion of the best-fit line, in percent of the mean', () => {
  // By hand: mean 100, range 19, slope (−2·90.5 − 1·95 + 0 + 1·105 + 2·109.5) / 10 = 4.8 per round, 19.2 over all.
  const rising = newestRounds([seconds(90.5, 95, 100, 105, 109.5)], 0, WHEN);
  expect(rising).toMatchObject({ count: 5, low: 90.5, high: 109.5, isSteady: false });
  expect(rising?.range).toBeCloseTo(19, 9);
  expect(rising?.slope).toBeCloseTo(19.2, 9);
  // The same values in an order without a trend.
  expect(newestRounds([seconds(95, 109.5, 100, 90.5, 105)], 0, WHEN)).toMatchObject({ isSteady: true });
});

it('is not steady with a single outlier', () => {
  const found = newestRounds([seconds(100, 100, 130, 100, 100)], 0, WHEN);
  expect(found?.isSteady).toBe(false);
  expect(found?.slope).toBeCloseTo(0, 9);
  expect(found?.range).toBeCloseTo((100 * 30) / 106, 9);
});

it('uses only the newest rounds after the warm-up', () => {
  const fresh = [900, 500, 300, 200, 150];
  expect(newestRounds([seconds(...fresh, 101, 99, 100, 101, 100)], 0, WHEN)).toMatchObject({
    count: 10,
    isSteady: true,
  });
  expect(newestRounds([seconds(...fresh, 101, 99, 100, 101, 100)], 300, WHEN)).toMatchObject({
    count: 5,
    isSteady: true,
  });
  expect(newestRounds([seconds(...fresh, 101, 99, 100, 101, 100)], 360, WHEN)).toBeUndefined();
});

it('sums generators, and waits for the slowest', () => {
  const [up, down] = [seconds(80, 90, 100, 110, 120), seconds(120, 110, 100, 90, 80)];
  expect(newestRounds([up, down], 0, WHEN)).toMatchObject({ low: 200, high: 200, isSteady: true });
  expect(newestRounds([up, seconds(120, 110, 100, 90)], 0, WHEN)).toBeUndefined();
});

it('weights samples by their time, and counts a round without samples as 0', () => {
  const half = { ...WHEN, rounds: 2, of: 10 };
  expect(newestRounds([{ t: [4, 10, 20], v: [0, 100, 60] }], 0, half)).toMatchObject({ low: 60, high: 60 });
  expect(newestRounds([{ t: [10, 30], v: [100, 100] }], 0, half)).toMatchObject({ count: 3, low: 0, high: 100 });
});

it('is never steady at 0', () => {
  expect(newestRounds([seconds(0, 0, 0, 0, 0)], 0, WHEN)?.isSteady).toBe(false);
});
