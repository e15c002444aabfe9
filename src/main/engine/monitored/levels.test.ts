import { describe, expect, it } from 'vitest';
import { randomFrom } from '../../../shared/util/numbers.ts';
import { coarser, LEVEL_ROWS, levelOf, middlesOf, rangeOf, timesOf } from './levels.ts';

const seed = Number(process.env.KNEEPOINT_SEED ?? 32);

/** Values with gaps; whole stretches are unknown. */
function series(length: number, random: () => number): { t: Float64Array; v: Float64Array } {
  let gap = 0;
  const v = Float64Array.from({ length }, (_, index) => {
    if (gap === 0 && random() < 0.01) gap = Math.ceil(random() * 100);
    gap = Math.max(0, gap - 1);
    return gap > 0 || (index > 200 && index < 300) ? Number.NaN : 1000 * random();
  });
  return { t: Float64Array.from({ length }, (_, index) => index + random() / 10), v };
}

describe(`levels of random series (seed ${seed})`, () => {
  const random = randomFrom(seed);
  const worlds = Array.from({ length: 20 }, () => series(Math.ceil(random() * 5000), random));

  it('contain the number of known values, their mean, minimum and maximum of each interval', () => {
    for (const { v } of worlds) {
      const each = Math.ceil(random() * 5);
      const level = coarser(levelOf(v), each);
      const rows = each * LEVEL_ROWS;
      expect(level.known).toHaveLength(Math.ceil(v.length / rows));
      for (let stretch = 0; stretch < level.known.length; stretch += 1) {
        const known = [...v.subarray(stretch * rows, (stretch + 1) * rows)].filter((value) => !Number.isNaN(value));
        expect(level.known[stretch]).toBe(known.length);
        if (known.length === 0) {
          expect([level.mean[stretch], level.low[stretch], level.high[stretch]]).toEqual([NaN, NaN, NaN]);
          continue;
        }
        const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
        expect((level.mean[stretch] as number) / mean).toBeCloseTo(1, 6);
        expect(level.low[stretch]).toBe(Math.fround(Math.min(...known)));
        expect(level.high[stretch]).toBe(Math.fround(Math.max(...known)));
      }
    }
  });

  it('answer a part with the intervals inside it, about as many as requested, or not at all', () => {
    let [answered, refused] = [0, 0];
    for (const { t } of worlds) {
      const times = timesOf(t);
      const [one, other] = [t.length * random(), t.length * random()];
      const [from, to] = [Math.min(one, other), Math.max(one, other)];
      const points = Math.ceil(random() * 60);
      const range = rangeOf(times, { from, to }, points);
      const inside = t.filter((second) => second >= from && second <= to);
      if (!range) {
        // One stretch at each edge extends beyond.
        expect(inside.length).toBeLessThanOrEqual(points * (LEVEL_ROWS - 1));
        refused += 1;
        continue;
      }
      const middles = middlesOf(times, range);
      expect(middles.length).toBeGreaterThan(points / 2 - 1);
      expect(middles.length).toBeLessThanOrEqual(1.5 * points + 1);
      expect(times.from[range.first]).toBeLessThanOrEqual(inside[0] ?? to);
      expect(times.to[range.end - 1]).toBeGreaterThanOrEqual(inside.at(-1) ?? from);
      expect(middles.every((second, index) => index === 0 || second > (middles[index - 1] as number))).toBe(true);
      answered += 1;
    }
    expect([answered > 0, refused > 0]).toEqual([true, true]);
  });
});

it('an empty series has no levels', () => {
  expect(levelOf(new Float64Array(0)).known).toHaveLength(0);
  expect(rangeOf(timesOf(new Float64Array(0)), {}, 10)).toBeUndefined();
  expect(rangeOf(timesOf(Float64Array.of(1, 2, 3)), { from: 10 }, 10)).toBeUndefined();
});
