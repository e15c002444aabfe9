import { describe, expect, it } from 'vitest';
import { randomFrom } from '../util/numbers.ts';
import { atDepth, leastOf, mostOf } from '../util/testing/depth.ts';
import { repeatsInterval } from './index.ts';
import { isPrecise, meanRatio, reachOf } from './interval.ts';
import { normalFrom } from './testing/load-worlds.ts';

const SEED = 20_261_123;
const CELLS = atDepth(1000, 100);
const TRUTH = 1000;

describe('the half-width of an interval', () => {
  it('is in percent of the mean, towards the wider side', () => {
    const interval = repeatsInterval([98, 100, 102]);
    expect(reachOf([98, 100, 102])).toBeCloseTo((interval?.high ?? 0) - 100, 6);
    expect([reachOf([]), reachOf([5]), reachOf([0, 0, 0])]).toEqual([undefined, undefined, undefined]);
  });

  it('is precise enough after three repeats at the earliest', () => {
    expect(isPrecise([100, 100], 5)).toBe(false);
    expect(isPrecise([100, 100, 100], 5)).toBe(true);
    expect(isPrecise([100, 80, 120], 5)).toBe(false);
  });
});

describe(`cells repeated until their interval is narrow, seed ${SEED}`, () => {
  it.each([
    { noise: 0.01, percent: 5, most: 10 },
    { noise: 0.01, percent: 2, most: 10 },
    { noise: 0.02, percent: 2, most: 30 },
  ])('contain the truth in nine of ten cells, without bias: $noise noise, ±$percent, at most $most', (world) => {
    const cells = measured(world);
    expect(cells.filter(({ held }) => held).length).toBeGreaterThanOrEqual(leastOf(CELLS, 0.89));
    expect(Math.abs(cells.reduce((sum, { mean }) => sum + mean, 0) / CELLS / TRUTH - 1)).toBeLessThan(
      atDepth(0.002, 0.005),
    );
  });

  it('contain the truth far less often if only luck ends them early', () => {
    const lucky = measured({ noise: 0.02, percent: 1, most: 10 }).filter(({ repeats }) => repeats < 10);
    expect(lucky.length).toBeLessThanOrEqual(mostOf(CELLS, 0.25));
    expect(lucky.filter(({ held }) => held).length / lucky.length).toBeLessThan(0.8);
  });
});

/** `noise`: of runs, as a share; `percent`: the required reach; `most`: repeats. */
function measured({ noise, percent, most }: { noise: number; percent: number; most: number }) {
  const normal = normalFrom(randomFrom(SEED));
  return Array.from({ length: CELLS }, () => {
    const repeats: number[] = [];
    while (repeats.length < most && !isPrecise(repeats, percent)) repeats.push(TRUTH * Math.exp(noise * normal()));
    const { low = 0, high = 0 } = repeatsInterval(repeats) ?? {};
    const mean = repeats.reduce((sum, value) => sum + value, 0) / repeats.length;
    return { repeats: repeats.length, mean, held: low <= TRUTH && high >= TRUTH };
  });
}

const RATIO_SEED = 20_261_122;
const WORLDS = atDepth(400, 40);
/** Random error of a share over 400 simulations (three standard errors). */
const CHANCE = 3 * Math.sqrt((0.95 * 0.05) / 400);

describe(`geometric mean of ratios in ${WORLDS} simulated worlds, seed ${RATIO_SEED}`, () => {
  const random = randomFrom(RATIO_SEED);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const repeats = (count: number, level: number) => ({
    values: Array.from({ length: count }, () => 1000 * level * Math.exp(0.02 * normal())),
  });

  it.each([
    ...[2, 3, 5, 10].flatMap((count) => [2, 6, 20].map((cells) => [count, cells, 'a baseline each'] as const)),
    ...[2, 3, 5, 10].flatMap((count) => [2, 6, 20].map((cells) => [count, cells, 'one baseline'] as const)),
  ])('contains the truth in 95 % of worlds with %i repeats of %i cells, %s', (count, cells, kind) => {
    let held = 0;
    for (let world = 0; world < WORLDS; world++) {
      const shared = repeats(count, 1);
      const truths = Array.from({ length: cells }, (_, cell) => 0.8 + 0.3 * (cell % 3));
      const pairs = truths.map((truth) => ({
        baseline: kind === 'one baseline' ? shared : repeats(count, 1),
        other: repeats(count, truth),
      }));
      const truth = Math.exp(truths.reduce((sum, each) => sum + Math.log(each), 0) / cells);
      const found = meanRatio(pairs);
      if (found && found.low <= truth && found.high >= truth) held++;
    }
    expect(held).toBeGreaterThanOrEqual(leastOf(WORLDS, 0.95 - CHANCE));
  });
});

it('of one pair is its ratio, and of none undefined', () => {
  const pair = { baseline: { values: [100, 101, 99] }, other: { values: [110, 111, 109] } };
  expect(meanRatio([pair])?.ratio).toBeCloseTo(1.1, 3);
  expect(meanRatio([])).toBeUndefined();
});
