import { describe, expect, it } from 'vitest';
import { randomFrom } from '../util/numbers.ts';
import { atDepth } from '../util/testing/depth.ts';
import { type Canary, driftOf, driftWords } from './drift.ts';
import { canaries } from './testing/canary-worlds.ts';

const SEED = 20_261_123;
const TIMES = atDepth(600, 60);
const COUNTS = [4, 6, 10, 20];

/** Random error of a share over this many simulations (three standard errors). */
const chance = (share: number): number => 3 * Math.sqrt((share * (1 - share)) / TIMES);

const words = (points: readonly Canary[]): string =>
  driftWords(driftOf(points), { label: 'Transactions', levels: { threads: 4 }, canaries: points.length });
const line = (...values: number[]): Canary[] => values.map((value, at) => ({ at, value }));

describe(`the drift of a canary in simulated worlds, seed ${SEED}`, () => {
  const shareOf = (count: number, world: Parameters<typeof canaries>[0], is: (points: Canary[]) => boolean): number => {
    const random = randomFrom(SEED + count);
    return Array.from({ length: TIMES }, () => is(canaries(world, count, random))).filter(Boolean).length / TIMES;
  };

  it('is a false alarm in at most 5 % of worlds without drift, whatever the noise', () => {
    const worlds = [{ run: 0.02 }, { run: 0.002 }, { run: 0.01, heavy: true }, { run: 0.01, step: 5 }];
    const shares = worlds.flatMap((world) =>
      COUNTS.map((count) => ({
        world,
        count,
        share: shareOf(count, world, (points) => driftOf(points).verdict === 'drift'),
      })),
    );
    expect(shares.filter(({ share }) => share > 0.05 + chance(0.05))).toEqual([]);
  });

  it('has an interval that contains the truth in 95 % of worlds', () => {
    const shares = COUNTS.map((count) =>
      shareOf(count, { run: 0.02, drift: -0.07 }, (points) => {
        const { low = 1, high = 0 } = driftOf(points).change ?? {};
        return low <= 0.93 && high >= 0.93;
      }),
    );
    expect(shares.filter((share) => share < 0.95 - chance(0.95))).toEqual([]);
  });

  it('is found if it is large, and never called steady within less than its size', () => {
    const world = { run: 0.01, drift: -0.15 };
    expect(shareOf(8, world, (points) => driftOf(points).verdict === 'drift')).toBeGreaterThan(0.99);
    const hidden = shareOf(8, world, (points) => {
      const { verdict, most = 1 } = driftOf(points);
      return verdict === 'steady' && most < 0.15;
    });
    expect(hidden).toBe(0);
  });
});

describe('the sentence about a canary', () => {
  it('states the drift with its interval, and the consequence for late cells', () => {
    expect(words(line(1000, 985, 972, 958, 944, 930))).toMatch(
      /^Canary \(threads 4\): transactions fell by 7\.0 % \(95 % interval 6\.\d % to 7\.\d %\) over the session, 6 complete trials\. Cells measured late/,
    );
  });
  it('states the largest possible drift if none was found', () => {
    expect(words(line(1000, 1004, 997, 1002, 999, 1001))).toMatch(
      /no steady drift of transactions larger than 1\.0 % over the session, 6 complete trials/,
    );
  });
  it('states that noise would hide a drift, or that there are too few trials', () => {
    expect(words(line(1000, 1300, 800, 1200, 900))).toMatch(
      /drift unknown: .* vary too much to reveal a drift of \d+ %/,
    );
    expect(words(line(1000, 1001, 999))).toMatch(
      /drift unknown because there are only 3 complete trials\. 4 or more are needed\./,
    );
  });
});
