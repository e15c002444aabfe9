import { describe, expect, test } from 'vitest';
import {
  growZeta,
  type KeyChooser,
  keyChooser,
  keyOf,
  randomOf,
  scrambleFactor,
  ZIPFIAN_CONSTANT,
  Zipfian,
} from './keys.ts';

const DRAWS = 400_000;

function frequencies(next: () => number, items: number, draws = DRAWS): Float64Array {
  const counts = new Float64Array(items);
  for (let draw = 0; draw < draws; draw += 1) {
    const value = next();
    counts[value] = (counts[value] ?? 0) + 1;
  }
  return counts.map((count) => count / draws);
}

const sumTo = (values: Float64Array, end: number): number =>
  values.slice(0, end).reduce((sum, value) => sum + value, 0);

describe('zipfian', () => {
  const ITEMS = 1000;
  const zeta = growZeta(0, 0, ITEMS, ZIPFIAN_CONSTANT);
  const theory = Float64Array.from({ length: ITEMS }, (_, rank) => 1 / ((rank + 1) ** ZIPFIAN_CONSTANT * zeta));

  test('draws the first two ranks as often as in theory', () => {
    const zipfian = new Zipfian(ITEMS, randomOf(1, 0));
    const found = frequencies(() => zipfian.next(), ITEMS);
    for (const rank of [0, 1]) {
      const expected = theory[rank] ?? 0;
      const deviation = Math.sqrt((expected * (1 - expected)) / DRAWS);
      expect(Math.abs((found[rank] ?? 0) - expected)).toBeLessThan(4 * deviation);
    }
  });

  test('draws the most popular 5, 10, 100 and 500 within 2.5 percentage points of theory', () => {
    const zipfian = new Zipfian(ITEMS, randomOf(2, 0));
    const found = frequencies(() => zipfian.next(), ITEMS);
    for (const end of [5, 10, 100, 500]) expect(Math.abs(sumTo(found, end) - sumTo(theory, end))).toBeLessThan(0.025);
    expect(Math.abs(sumTo(found, ITEMS) - 1)).toBeLessThan(1e-9);
  });

  test('has the same zeta and the same draws when growing step by step as when starting with all items', () => {
    let grown = growZeta(0, 0, 100, ZIPFIAN_CONSTANT);
    for (let items = 100; items < ITEMS; items += 1) grown = growZeta(grown, items, items + 1, ZIPFIAN_CONSTANT);
    expect(grown).toBeCloseTo(zeta, 9);
    const small = new Zipfian(100, () => 0.75);
    expect(small.next(ITEMS)).toBe(new Zipfian(ITEMS, () => 0.75).next());
  });

  test('keeps every rank in range, also for one and two items', () => {
    for (const items of [1, 2, 3]) {
      const zipfian = new Zipfian(items, randomOf(3, items));
      for (let draw = 0; draw < 1000; draw += 1) expect(zipfian.next()).toBeLessThan(items);
    }
    expect(new Zipfian(10, () => 1 - 2 ** -53).next()).toBe(9);
  });
});

describe('key choosers', () => {
  const ITEMS = 1000;
  const found = (chooser: KeyChooser) => frequencies(() => chooser(ITEMS), ITEMS);

  test('zipfian scatters popular records without collisions', () => {
    const shares = found(keyChooser('zipfian', ITEMS, randomOf(4, 0)));
    const plain = new Zipfian(ITEMS, randomOf(4, 0));
    const ranks = frequencies(() => plain.next(), ITEMS);
    expect([...shares].sort()).toEqual([...ranks].sort());
    const popular = [...shares.keys()]
      .sort((a, b) => (shares[b] ?? 0) - (shares[a] ?? 0))
      .slice(0, 5)
      .sort((a, b) => a - b);
    const gaps = popular.slice(1).map((key, index) => key - (popular[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThan(50);
  });

  test('scrambling visits every record once', () => {
    for (const items of [1, 2, 7, 1000, 9973]) {
      const factor = scrambleFactor(items);
      expect(new Set(Array.from({ length: items }, (_, rank) => (rank * factor) % items)).size).toBe(items);
    }
  });

  test('uniform passes a chi-square test', () => {
    const shares = found(keyChooser('uniform', ITEMS, randomOf(5, 0)));
    const expected = DRAWS / ITEMS;
    const chiSquare = shares.reduce((sum, share) => sum + (share * DRAWS - expected) ** 2 / expected, 0);
    // 999 degrees of freedom: mean 999, standard deviation 44.7; five standard deviations to either side.
    expect(chiSquare).toBeGreaterThan(775);
    expect(chiSquare).toBeLessThan(1223);
  });

  test('latest prefers the newest record, also after inserts', () => {
    const chooser = keyChooser('latest', 100, randomOf(6, 0));
    for (const count of [100, 101, 500]) {
      const shares = frequencies(() => chooser(count), count, 50_000);
      const zeta = growZeta(0, 0, count, ZIPFIAN_CONSTANT);
      expect(Math.abs((shares[count - 1] ?? 0) - 1 / zeta)).toBeLessThan(0.01);
      expect(shares[count - 1]).toBeGreaterThan(shares[count - 2] ?? 1);
    }
  });

  test('keys are unique, of equal length, and not in numeric order', () => {
    const keys = Array.from({ length: 5000 }, (_, number) => keyOf(number));
    expect(new Set(keys).size).toBe(5000);
    expect(new Set(keys.map((key) => key.length))).toEqual(new Set([20]));
    expect(keys).not.toEqual([...keys].sort());
  });
});
