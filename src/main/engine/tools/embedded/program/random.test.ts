import { expect, test } from 'vitest';
import { randomOf } from './random.ts';

test('the same seed and stream give the same numbers, another stream others', () => {
  const draw = (seed: number, stream: number) => Array.from({ length: 50 }, randomOf(seed, stream));
  expect(draw(1, 0)).toEqual(draw(1, 0));
  expect(new Set([...draw(1, 0), ...draw(1, 1), ...draw(2, 0)]).size).toBe(150);
});

test('numbers lie in [0, 1) and fill sixteen bins evenly', () => {
  const random = randomOf(42, 3);
  const bins = new Array<number>(16).fill(0);
  for (let draw = 0; draw < 160_000; draw += 1) {
    const value = random();
    bins[Math.floor(value * 16)] = (bins[Math.floor(value * 16)] ?? 0) + 1;
  }
  // A number outside [0, 1) would have made a bin outside the sixteen.
  expect(bins).toHaveLength(16);
  const chiSquare = bins.reduce((sum, count) => sum + (count - 10_000) ** 2 / 10_000, 0);
  // 15 degrees of freedom: 37.7 is passed by chance once in a thousand.
  expect(chiSquare).toBeLessThan(37.7);
});
