import { describe, expect, it } from 'vitest';
import { meanInterval, percentile, ratioInterval, spreadOf, studentQuantile } from './index.ts';

describe('spread of per-second values', () => {
  it('agrees with values worked out by hand', () => {
    const spread = spreadOf(Float64Array.of(4, 1, 3, 2));
    expect(spread).toMatchObject({ n: 4, mean: 2.5, median: 2.5, min: 1, max: 4 });
    expect(spread?.p5).toBeCloseTo(1.15, 12);
    expect(spread?.p95).toBeCloseTo(3.85, 12);
    expect(spread?.cv).toBeCloseTo(Math.sqrt(5 / 3) / 2.5, 12);
  });
  it('has nothing to say of nothing, and no spread of one value', () => {
    expect(spreadOf(new Float64Array(0))).toBeUndefined();
    expect(spreadOf(Float64Array.of(7))).toMatchObject({ n: 1, mean: 7, median: 7, p5: 7, p95: 7, cv: 0 });
  });
  it('interpolates between ranks', () => {
    expect(percentile([10, 20], 25)).toBe(12.5);
    expect(percentile([10, 20, 30], 100)).toBe(30);
  });
});

describe("Student's t", () => {
  // Two-sided 95 % points as printed in every table.
  it.each([
    [1, 12.7062],
    [2, 4.3027],
    [4, 2.7764],
    [10, 2.2281],
    [30, 2.0423],
    [1000, 1.9623],
  ])('with %d degrees of freedom', (freedom, expected) => {
    expect(studentQuantile(0.975, freedom)).toBeCloseTo(expected, 3);
    expect(studentQuantile(0.025, freedom)).toBeCloseTo(-expected, 3);
  });
});

describe('intervals', () => {
  it('of a mean', () => {
    const interval = meanInterval([99, 100, 101]);
    expect(interval?.low).toBeCloseTo(100 - 4.302653 / Math.sqrt(3), 4);
    expect(meanInterval([100])).toBeUndefined();
  });
  it('of a ratio excludes 1 for a clear difference and holds it for noise', () => {
    const clear = ratioInterval([100, 101, 99], [84, 83, 85]);
    expect(clear?.ratio).toBeCloseTo(0.84, 2);
    expect(clear?.high).toBeLessThan(0.9);
    const noise = ratioInterval([100, 110, 90], [102, 93, 108]);
    expect(noise?.low).toBeLessThan(1);
    expect(noise?.high).toBeGreaterThan(1);
  });
  it('is the same seen from the other side', () => {
    const there = ratioInterval([100, 104], [50, 53]);
    const back = ratioInterval([50, 53], [100, 104]);
    expect((there?.low ?? 0) * (back?.high ?? 0)).toBeCloseTo(1, 12);
  });
  it('is not made up from too few repeats or from zeros', () => {
    expect(ratioInterval([100], [50, 51])).toBeUndefined();
    expect(ratioInterval([0, 1], [50, 51])).toBeUndefined();
  });
});
