import { afterEach, expect, test, vi } from 'vitest';
import { randomOf } from './keys.ts';
import { KINDS, kindChooser, kindsOf, MIX_NAMES, MIXES, type Mix } from './settings.ts';
import { cellOf, commonClock, HISTOGRAM_CELLS, middleOf, NewKeys, quantiles, sharedMemory } from './shared.ts';

test('draws the same numbers for the same seed and stream, and others for another stream', () => {
  const draw = (seed: number, stream: number) => Array.from({ length: 50 }, randomOf(seed, stream));
  expect(draw(1, 0)).toEqual(draw(1, 0));
  expect(new Set([...draw(1, 0), ...draw(1, 1), ...draw(2, 0)]).size).toBe(150);
});

test('draws numbers in [0, 1) that fill sixteen bins evenly', () => {
  const random = randomOf(42, 3);
  const bins = new Array<number>(16).fill(0);
  for (let draw = 0; draw < 160_000; draw += 1) {
    const value = random();
    bins[Math.floor(value * 16)] = (bins[Math.floor(value * 16)] ?? 0) + 1;
  }
  // A number outside [0, 1) would have added a bin.
  expect(bins).toHaveLength(16);
  const chiSquare = bins.reduce((sum, count) => sum + (count - 10_000) ** 2 / 10_000, 0);
  // 15 degrees of freedom: 37.7 is exceeded by chance once in a thousand.
  expect(chiSquare).toBeLessThan(37.7);
});

test.each(MIX_NAMES)('draws kinds of mix %s in their defined shares', (name) => {
  const mix: Mix = MIXES[name];
  const choose = kindChooser(mix);
  const random = randomOf(9, 0);
  const counts = KINDS.map(() => 0);
  for (let draw = 0; draw < 100_000; draw += 1) {
    const kind = choose(random());
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  KINDS.forEach((kind, index) => {
    const share = mix.shares[kind] ?? 0;
    expect(Math.abs((counts[index] ?? 0) / 100_000 - share)).toBeLessThanOrEqual(
      share === 0 || share === 1 ? 0 : 0.006,
    );
  });
  expect(kindsOf(name)).toEqual(KINDS.filter((kind) => kind in mix.shares));
});

test('counts a record only after all before it are inserted', () => {
  const { control } = sharedMemory(2, 100);
  const first = new NewKeys(control, 0);
  const second = new NewKeys(control, 1);
  expect(first.count()).toBe(100);
  expect([first.take(), second.take()]).toEqual([100, 101]);
  second.inserted();
  expect(second.count()).toBe(100);
  first.inserted();
  expect(second.count()).toBe(102);
});

test('retries a failed insert with the same number, leaving no gap', () => {
  const { control } = sharedMemory(1, 5);
  const keys = new NewKeys(control, 0);
  expect([keys.take(), keys.take()]).toEqual([5, 5]);
  keys.inserted();
  expect(keys.take()).toBe(6);
});

afterEach(() => {
  vi.restoreAllMocks();
});

test('clocks of two threads agree, even if one was descheduled during its creation', () => {
  const main = commonClock();
  const [now, hrtime] = [performance.now.bind(performance), process.hrtime.bind(process)];
  // Seventy milliseconds pass immediately after the first reading of the common clock.
  let passed = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now() + passed);
  vi.spyOn(process, 'hrtime').mockImplementation(() => {
    const [seconds, nanoseconds] = hrtime();
    const at = seconds * 1e9 + nanoseconds + passed * 1e6;
    passed = 70;
    return [Math.floor(at / 1e9), at % 1e9];
  });
  const worker = commonClock();
  const [before, between, after] = [main(), worker(), main()];
  expect(between).toBeGreaterThan(before - 1);
  expect(between).toBeLessThan(after + 1);
});

test('reads a value back within 0.2 %, from 1 ns to an hour', () => {
  for (let value = 1; value < 3.6e12; value = Math.ceil(value * 1.013)) {
    expect(Math.abs(middleOf(cellOf(value)) - value) / value).toBeLessThanOrEqual(0.002);
  }
});

test('cell numbers grow with values, and longer values use the last cell', () => {
  let before = -1;
  for (let value = 0; value < 1e12; value = Math.ceil(value * 1.01 + 1)) {
    const cell = cellOf(value);
    expect(cell).toBeGreaterThanOrEqual(before);
    before = cell;
  }
  expect(cellOf(1e18)).toBe(HISTOGRAM_CELLS - 1);
});

test('quantiles match those of the sorted values', () => {
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
