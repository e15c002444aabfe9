import { describe, expect, it } from 'vitest';
import { randomFrom } from '../util/numbers.ts';
import { atDepth, leastOf } from '../util/testing/depth.ts';
import { meanRatio } from './mean-ratio.ts';

const SEED = 20_261_122;
const WORLDS = atDepth(400, 40);
/** Random error of a share over 400 simulations (three standard errors). */
const CHANCE = 3 * Math.sqrt((0.95 * 0.05) / 400);

describe(`geometric mean of ratios in ${WORLDS} simulated worlds, seed ${SEED}`, () => {
  const random = randomFrom(SEED);
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
