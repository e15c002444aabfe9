import { describe, expect, it } from 'vitest';
import { randomFrom } from '../../../../shared/util/numbers.ts';
import { decodeColumn, encodeColumn } from './column.ts';

/** Equal bit for bit, except that every NaN becomes the canonical NaN. */
function expectRoundTrip(values: readonly number[] | Float64Array): Uint8Array {
  const column = Float64Array.from(values);
  const bytes = encodeColumn(column);
  const decoded = decodeColumn(bytes, column.length);
  expect(decoded.length).toBe(column.length);
  const wrong = decoded.findIndex((value, index) => !Object.is(value, column[index]));
  expect(wrong, `value ${wrong}: ${column[wrong]} came back as ${decoded[wrong]}`).toBe(-1);
  return bytes;
}

const ODD = [
  0,
  -0,
  1,
  -1,
  0.1,
  0.1 + 0.2,
  Number.NaN,
  Infinity,
  -Infinity,
  Number.MAX_VALUE,
  Number.MIN_VALUE,
  2 ** 53,
  2 ** 50,
  2 ** 50 + 1,
  -(2 ** 50),
  1e-9,
  123_456_789.123_456_7,
  5e-324,
  -1e300,
];

describe('a column of doubles', () => {
  it.each(ODD)('stores %s alone', (value) => {
    expectRoundTrip([value]);
  });

  it('stores no values, and only absent values', () => {
    expectRoundTrip([]);
    expectRoundTrip([Number.NaN, Number.NaN, Number.NaN]);
  });

  it('stores any mixture of odd and ordinary values (seeds 1 to 400)', () => {
    for (let seed = 1; seed <= 400; seed += 1) {
      const random = randomFrom(seed);
      const decimals = Math.floor(random() * 6);
      const oddness = random() ** 4;
      const values = Array.from({ length: Math.floor(random() * 1_100) }, () => {
        if (random() < oddness) return ODD[Math.floor(random() * ODD.length)] ?? 0;
        return Number(((random() - 0.3) * 10 ** (random() * 9)).toFixed(decimals));
      });
      expectRoundTrip(values);
    }
  });

  it('stores doubles of random bits', () => {
    const random = randomFrom(99);
    const bits = Uint32Array.from({ length: 2 * 1_024 }, () => Math.floor(random() * 2 ** 32));
    expectRoundTrip(new Float64Array(bits.buffer));
  });

  it('stores repeated times and times that go backwards', () => {
    expectRoundTrip([1, 2, 2, 3, 2.5, 10, 1]);
  });

  it('needs almost no space for regular times and constants', () => {
    const times = Array.from({ length: 1_024 }, (_, index) => index + 1);
    expect(expectRoundTrip(times).length).toBeLessThan(32);
    expect(expectRoundTrip(times.map(() => 64)).length).toBeLessThan(32);
  });

  it('needs at most three bytes for two decimals with noise of a few percent', () => {
    const random = randomFrom(3);
    const tps = Array.from({ length: 1_024 }, () => Number((3_456 + 200 * (random() - 0.5)).toFixed(2)));
    expect(expectRoundTrip(tps).length / 1_024).toBeLessThan(3);
  });

  it('preserves every decimal literal that tools print', () => {
    const random = randomFrom(11);
    const printed = Array.from({ length: 1_024 }, () => Number.parseFloat((random() * 1e6).toFixed(2)));
    expect(expectRoundTrip(printed)[0]).not.toBe(0);
  });

  it('detects a truncated block', () => {
    const random = randomFrom(5);
    const bytes = encodeColumn(Float64Array.from({ length: 1_024 }, () => Math.floor(random() * 50)));
    expect(() => decodeColumn(bytes.subarray(0, bytes.length - 20), 1_024)).toThrow();
  });
});
