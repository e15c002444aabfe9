import { describe, expect, it } from 'vitest';
import { randomFrom } from '../../../../../shared/util/numbers.ts';
import { accessShares } from '../../accesses.ts';
import { rowAccesses } from './accesses.ts';
import { SysbenchOptions } from './index.ts';

const of = (options: Record<string, unknown>) => {
  const [accesses] = rowAccesses(SysbenchOptions.parse({ script: 'oltp_read_only', ...options }));
  if (!accesses) throw new Error('No rows are drawn.');
  return accessShares(accesses);
};
const rowsFor = (options: Record<string, unknown>): number[] => of(options).shares.map(({ rows }) => rows);

describe('the share of rows with half, 90 % and 99 % of the accesses', () => {
  it('is proportional for a uniform distribution', () => {
    const [half = 0, most = 0, all = 0] = rowsFor({ 'rand-type': 'uniform' });
    expect(half).toBeCloseTo(0.5, 6);
    expect(most).toBeCloseTo(0.9, 6);
    expect(all).toBeCloseTo(0.99, 6);
  });

  it('follows h of the Pareto distribution: with 0.2, a fifth of the rows has four fifths', () => {
    const { curve } = of({ 'rand-type': 'pareto', 'rand-pareto-h': 0.2 });
    const [half = 0, most = 0] = rowsFor({ 'rand-type': 'pareto', 'rand-pareto-h': 0.2 });
    // x^(ln(1 - h) / ln h), solved for x.
    const exponent = Math.log(0.2) / Math.log(0.8);
    expect(half).toBeCloseTo(0.5 ** exponent, 3);
    expect(most).toBeCloseTo(0.9 ** exponent, 3);
    expect(curve.at(0)).toEqual({ rows: 0, accesses: 0 });
    expect(curve.at(-1)?.accesses).toBeCloseTo(1, 9);
  });

  it('is two thirds of the hot rows for half of the special accesses', () => {
    expect(rowsFor({ 'rand-type': 'special' })[0]).toBeCloseTo((0.0075 * 0.5) / 0.75, 3);
    expect(of({ 'rand-type': 'special' }).words).toBe('special: 75 % of the accesses go to 0.75 % of the rows');
  });

  it('matches drawn numbers, for every distribution of sysbench 1.0 (seed 11)', () => {
    const random = randomFrom(11);
    const mean = (count: number): number => {
      let sum = 0;
      for (let each = 0; each < count; each += 1) sum += random();
      return sum / count;
    };
    const draws: Record<string, () => number> = {
      uniform: random,
      gaussian: () => mean(12),
      special: () => (random() < 0.75 ? 0.4975 + 0.0075 * random() : mean(12)),
      pareto: () => random() ** (Math.log(0.2) / Math.log(0.8)),
    };
    for (const [type, draw] of Object.entries(draws)) {
      const expected = drawn(draw);
      rowsFor({ 'rand-type': type }).forEach((rows, index) => {
        expect(Math.abs(rows - (expected[index] ?? 0)), `${type} ${index}`).toBeLessThan(0.01);
      });
    }
  });

  it('of zipfian keys follows the sum of 1 / rank^s over all rows', () => {
    const rows = 50_000;
    const weights = Array.from({ length: rows }, (_, rank) => (rank + 1) ** -0.8);
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    let sum = 0;
    const half = weights.findIndex((weight) => {
      sum += weight / total;
      return sum >= 0.5;
    });
    const [found = 0] = rowsFor({ 'rand-type': 'zipfian', 'table-size': rows, 'rand-zipfian-exp': 0.8 });
    expect(found).toBeCloseTo((half + 1) / rows, 3);
  });

  it('approaches the normal distribution for a mean of many numbers', () => {
    const few = rowsFor({ 'rand-type': 'gaussian', 'rand-spec-iter': 20 });
    const many = rowsFor({ 'rand-type': 'gaussian', 'rand-spec-iter': 21 });
    few.forEach((rows, index) => {
      expect(Math.abs(rows - (many[index] ?? 0))).toBeLessThan(0.02);
    });
  });
});

it('has no share for tests that draw no rows', () => {
  expect(rowAccesses(SysbenchOptions.parse({ script: 'cpu' }))).toEqual([]);
});

/** The smallest shares, in 200 parts of the keys, that received half, 90 % and 99 % of a million draws. */
function drawn(draw: () => number): number[] {
  const counts = new Array<number>(200).fill(0);
  for (let index = 0; index < 1_000_000; index += 1) {
    const bin = Math.min(199, Math.floor(draw() * 200));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  counts.sort((left, right) => right - left);
  return [0.5, 0.9, 0.99].map((share) => {
    let sum = 0;
    return (
      (counts.findIndex((count) => {
        sum += count;
        return sum >= share * 1_000_000;
      }) +
        1) /
      200
    );
  });
}
