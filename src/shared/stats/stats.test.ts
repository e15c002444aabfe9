import { describe, expect, it } from 'vitest';
import { randomFrom } from '../util/numbers.ts';
import { atDepth } from '../util/testing/depth.ts';
import {
  areInterleaved,
  holm,
  judge,
  meanInterval,
  percentile,
  type Repeats,
  repeatsInterval,
  resolutionOf,
  spreadOf,
  studentQuantile,
  trendOf,
} from './index.ts';
import { normalFrom } from './testing/load-worlds.ts';

describe('spread of per-second values', () => {
  it('agrees with values calculated by hand', () => {
    const spread = spreadOf(Float64Array.of(4, 1, 3, 2));
    expect(spread).toMatchObject({ n: 4, mean: 2.5, median: 2.5, min: 1, max: 4 });
    expect(spread?.p5).toBeCloseTo(1.15, 12);
    expect(spread?.p95).toBeCloseTo(3.85, 12);
    expect(spread?.cv).toBeCloseTo(Math.sqrt(5 / 3) / 2.5, 12);
  });
  it('is undefined for no values, and has no width for one', () => {
    expect(spreadOf(new Float64Array(0))).toBeUndefined();
    expect(spreadOf(Float64Array.of(7))).toMatchObject({ n: 1, mean: 7, median: 7, p5: 7, p95: 7, cv: 0 });
  });
  it('interpolates between ranks', () => {
    expect(percentile([10, 20], 25)).toBe(12.5);
    expect(percentile([10, 20, 30], 100)).toBe(30);
  });
});

describe("Student's t", () => {
  // Two-sided 95 % points as in published tables.
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
  it('of rates stays above zero, whatever the variance', () => {
    const interval = repeatsInterval([10, 1000]);
    // Student's t by hand, around the mean: ln 505 ± 12.7062 × sd of the logarithms / √2.
    const half = (12.7062047 * (Math.log(1000) - Math.log(10))) / 2;
    expect(interval?.low).toBeGreaterThan(0);
    expect(Math.log(interval?.low ?? 0)).toBeCloseTo(Math.log(505) - half, 5);
    expect(Math.log(interval?.high ?? 0)).toBeCloseTo(Math.log(505) + half, 5);
    expect(repeatsInterval([0, 2])).toMatchObject({ low: 0 });
    expect(repeatsInterval([-3, 2])?.low).toBeLessThan(-3);
    expect(repeatsInterval([5])).toBeUndefined();
  });
});

describe('a verdict on repeats', () => {
  const of = (values: number[], more: Partial<Repeats> = {}): Repeats => ({ values, ...more });
  const one = (baseline: Repeats, other: Repeats, margin?: number) =>
    judge([{ baseline, other }], margin === undefined ? {} : { margin })[0];

  it('follows Welch on the logarithms', () => {
    const found = one(of([100, 101, 99], { resolution: 0.001 }), of([84, 83, 85], { resolution: 0.001 }));
    // By hand: variances of the logarithms 1.00005e-4 and 1.41735e-4, standard error 0.0089767, 3.88 degrees of freedom.
    expect(found?.ratio).toBeCloseTo(0.84, 3);
    expect(found?.low).toBeCloseTo(0.84 * Math.exp(-2.8084 * 0.0089767), 3);
    expect(found?.high).toBeCloseTo(0.84 * Math.exp(2.8084 * 0.0089767), 3);
    expect(found).toMatchObject({ differs: true, within: false, pooled: false });
  });
  it('is the same with the sides swapped', () => {
    const there = one(of([100, 104]), of([50, 53]));
    const back = one(of([50, 53]), of([100, 104]));
    expect((there?.low ?? 0) * (back?.high ?? 0)).toBeCloseTo(1, 9);
  });
  it('finds no difference only within the margin, with two one-sided tests', () => {
    const quiet = [of([100, 100.4, 99.6, 100.2, 99.8]), of([100.3, 100.6, 99.9, 100.1, 100.4])] as const;
    expect(one(...quiet)).toMatchObject({ differs: false, within: true });
    expect(one(...quiet, 0.001)).toMatchObject({ differs: false, within: false });
    expect(one(of([100, 110, 90]), of([102, 93, 108]))).toMatchObject({ differs: false, within: false });
    const slight = one(of([100, 100.1, 99.9, 100.05]), of([101, 101.1, 100.9, 101.05]));
    expect(slight).toMatchObject({ differs: true, within: true });
  });
  it('is not certain if repeats are equal', () => {
    // Whole numbers, each of which may be off by half.
    expect(one(of([3, 3]), of([4, 4]))).toMatchObject({ differs: false });
    // A latency in buckets of 2 ms, and one reported in hundredths.
    const equal = (resolution: number) =>
      one(of([100, 100, 100], { resolution }), of([101, 101, 101], { resolution }))?.differs;
    expect(equal(2)).toBe(false);
    expect(equal(0.01)).toBe(true);
    // Their own seconds vary by far more than two agreeing repeats suggest.
    const within = 0.02 ** 2;
    expect(one(of([100.01, 100.02]), of([101.01, 101.02]))?.differs).toBe(true);
    expect(one(of([100.01, 100.02], { within }), of([101.01, 101.02], { within }))?.differs).toBe(false);
  });
  it('does not trust a cell that is quiet by chance', () => {
    const noisy = Array.from({ length: 6 }, (_, index) => of([90 + index, 110 - index, 100, 104]));
    const baseline = of([100, 100.001, 100.002, 100]);
    const lucky = of([100.5, 100.501, 100.502, 100.5]);
    expect(one(baseline, lucky)?.differs).toBe(true);
    expect(judge([lucky, ...noisy].map((other) => ({ baseline, other })))[0]?.differs).toBe(false);
  });
  it('pools the variance of all cells for few repeats, and reports it', () => {
    const cell = (rate: number) => of([rate * 0.995, rate * 1.005]);
    const baseline = cell(100);
    const [alone] = judge([{ baseline, other: cell(106) }], { among: 12 });
    expect(alone).toMatchObject({ differs: false, pooled: false });
    const many = Array.from({ length: 12 }, () => ({ baseline, other: cell(106) }));
    expect(judge(many)[0]).toMatchObject({ differs: true, pooled: true });
  });
  it('has intervals wide enough for many cells', () => {
    const pair = { baseline: of([100, 101, 99, 100]), other: of([103, 104, 102, 103]) };
    const [alone] = judge([pair]);
    const same = Array.from({ length: 40 }, () => ({ baseline: pair.baseline, other: of([100, 101, 99, 100]) }));
    const [among] = judge([pair, ...same]);
    expect(alone?.differs).toBe(true);
    expect(among?.differs).toBe(false);
    expect((among?.high ?? 0) - (among?.low ?? 0)).toBeGreaterThan((alone?.high ?? 0) - (alone?.low ?? 0));
  });
  it('has intervals that never contradict it, also where Holm decides more than they do (seed 20261128)', () => {
    const normal = normalFrom(randomFrom(20_261_128));
    const side = (mean: number) => of([0, 0, 0, 0].map(() => mean * Math.exp(0.02 * normal())));
    const counts = { cut: 0, apart: 0, alike: 0 };
    for (let world = 0; world < atDepth(4000, 400); world += 1) {
      const pairs = [1, 1.002, 1.04, 1.06].map((ratio) => ({ baseline: side(100), other: side(100 * ratio) }));
      for (const { ratio, low, high, differs, within } of judge(pairs).flatMap((each) => each ?? [])) {
        expect(low).toBeLessThanOrEqual(ratio);
        expect(high).toBeGreaterThanOrEqual(ratio);
        if (differs) expect(ratio > 1 ? low : 1 / high).toBeGreaterThanOrEqual(1);
        if (within) expect(Math.max(high, 1 / low)).toBeLessThanOrEqual(1.03 * (1 + 1e-12));
        if (!differs) expect(low < 1 && high > 1).toBe(true);
        if (low === 1 || high === 1) counts.cut += 1;
        if (differs) counts.apart += 1;
        if (within) counts.alike += 1;
      }
    }
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(0);
  });
  it('is undefined for too few repeats or zeros', () => {
    expect(one(of([100]), of([50, 51]))).toBeUndefined();
    expect(one(of([0, 1]), of([50, 51]))).toBeUndefined();
  });
});

describe('several tests', () => {
  it('are corrected as calculated by hand after Holm', () => {
    expect(holm([0.01, 0.04, 0.03])).toEqual([0.03, 0.06, 0.06]);
    expect(holm([0.5, 0.9])).toEqual([1, 1]);
    expect(holm([0.01], 4)).toEqual([0.04]);
  });
});

describe('the order of trials', () => {
  it('distinguishes interleaved cells from consecutive ones', () => {
    expect(areInterleaved([0, 2, 4], [1, 3, 5])).toBe(true);
    expect(areInterleaved([0, 1, 2], [3, 4, 5])).toBe(false);
    expect(areInterleaved([0, 1], [2, 3])).toBe(false);
    // First and last of fifty cells, in two rounds.
    expect(areInterleaved([0, 50], [49, 99])).toBe(true);
    expect(areInterleaved([0, 3], [1, 2])).toBe(true);
    expect(areInterleaved([0], [1])).toBe(false);
  });
  it('finds a trend that all cells share, and none in noise', () => {
    const cells = (fall: number) =>
      [1000, 3000].map((rate, cell) => {
        const trials = [0, 1, 2, 3, 4, 5].map((round) => round * 2 + cell);
        const noise = [0.002, -0.003, 0.001, -0.001, 0.003, -0.002];
        return { trials, means: trials.map((trial, index) => rate * (1 - fall * trial + (noise[index] ?? 0))) };
      });
    const trend = trendOf(cells(0.01));
    expect(trend?.ratio).toBeCloseTo(0.89, 2);
    expect(trend?.high).toBeLessThan(1);
    expect(trendOf(cells(0))).toBeUndefined();
    expect(trendOf([{ means: [1, 2], trials: [0, 1] }])).toBeUndefined();
  });
});

describe('the resolution of a metric', () => {
  it('is the smallest step between its values', () => {
    expect(resolutionOf(Float64Array.of(10, 14, 12, 12))).toBe(2);
    expect(resolutionOf(Float64Array.of(1.25, 1.25))).toBeCloseTo(0.01, 12);
    expect(resolutionOf(Float64Array.of(7))).toBe(1);
    expect(resolutionOf(new Float64Array(0))).toBeUndefined();
    expect(resolutionOf(Float64Array.of(0.1 + 0.2, 0.3, 0.4))).toBeCloseTo(0.1, 9);
  });
});
