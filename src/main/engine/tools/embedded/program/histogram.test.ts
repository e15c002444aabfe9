import { expect, test } from 'vitest';
import { cellOf, HISTOGRAM_CELLS, middleOf, quantiles } from './histogram.ts';
import { randomOf } from './random.ts';

test('a value is read back within 0.2 %, from 1 ns to an hour', () => {
  for (let value = 1; value < 3.6e12; value = Math.ceil(value * 1.013)) {
    expect(Math.abs(middleOf(cellOf(value)) - value) / value).toBeLessThanOrEqual(0.002);
  }
});

test('cells grow with values and longer ones stay in the last cell', () => {
  let before = -1;
  for (let value = 0; value < 1e12; value = Math.ceil(value * 1.01 + 1)) {
    const cell = cellOf(value);
    expect(cell).toBeGreaterThanOrEqual(before);
    before = cell;
  }
  expect(cellOf(1e18)).toBe(HISTOGRAM_CELLS - 1);
});

test('quantiles agree with those of the sorted values', () => {
  const random = randomOf(11, 0);
  const values = Array.from({ length: 10_000 }, () => Math.floor(1000 * Math.exp(12 * random()))).sort((a, b) => a - b);
  const cells = new Uint32Array(HISTOGRAM_CELLS);
  for (const value of values) cells[cellOf(value)] = (cells[cellOf(value)] ?? 0) + 1;
  const fractions = [0.001, 0.5, 0.95, 0.99, 0.999, 1];
  const found = quantiles(cells, fractions) ?? [];
  fractions.forEach((fraction, index) => {
    const exact = values[Math.ceil(fraction * values.length) - 1] ?? 0;
    expect(Math.abs((found[index] ?? 0) - exact) / exact).toBeLessThanOrEqual(0.002);
  });
});

test('an empty histogram has no quantiles', () => {
  expect(quantiles(new Uint32Array(HISTOGRAM_CELLS), [0.5])).toBeUndefined();
});
