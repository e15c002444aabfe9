import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ascendingOf, ascendingOfParts } from './ascending.ts';

const sorted = (values: Float64Array): Float64Array => values.slice().sort();
const same = (values: Float64Array): void => {
  const before = values.slice();
  const [found, right] = [ascendingOf(values), sorted(values)];
  expect(found.length).toBe(right.length);
  expect(found.findIndex((value, index) => !Object.is(value, right[index]))).toBe(-1);
  expect(values).toEqual(before);
};

/** Fewer values are sorted directly. */
const LENGTHS = { minLength: 256, maxLength: 600 };

it('sorts any doubles in ascending order and leaves the input unchanged', () => {
  fc.assert(fc.property(fc.float64Array(), same));
  fc.assert(fc.property(fc.float64Array(LENGTHS), same), { numRuns: 20 });
});

it('sorts printed decimals in ascending order', () => {
  const printed = fc
    .tuple(fc.array(fc.integer({ min: -2_000_000_000, max: 2_000_000_000 }), LENGTHS), fc.constantFrom(0, 1, 2, 3, 4))
    .chain(([values, decimals]) =>
      fc
        .constantFrom(1, 1000, 1e6)
        .map((closer) =>
          Float64Array.from(values, (value) => Number((Math.round(value / closer) / 10 ** decimals).toFixed(decimals))),
        ),
    );
  fc.assert(fc.property(printed, same));
});

it('merges sorted parts into one sorted list', () => {
  const part = fc
    .tuple(fc.array(fc.integer({ min: -9000, max: 90_000 }), { maxLength: 300 }), fc.constantFrom(1, 10, 100, 3))
    .map(([values, power]) => Float64Array.from(values, (value) => value / power));
  const parts = fc.array(part, { maxLength: 5 });
  fc.assert(
    fc.property(parts, (all) => {
      const values = Float64Array.from(all.flatMap((each) => [...each]));
      const found = ascendingOfParts(all.map(ascendingOf), values);
      expect(found.findIndex((value, index) => !Object.is(value, sorted(values)[index]))).toBe(-1);
      expect(found.length).toBe(values.length);
    }),
  );
});

it.each([
  ['nothing', []],
  ['zeros with and without a sign', [0, -0, 1, -0, 0]],
  [
    'values that are unknown or without an end',
    [3, Number.NaN, Number.POSITIVE_INFINITY, -1, Number.NEGATIVE_INFINITY],
  ],
  ['a value far from the others', [1, 2, 3, 1e15]],
  ['more decimals than are counted', [0.1234, 0.1233, 5]],
])('sorts %s', (_, values) => {
  same(Float64Array.from(values));
  same(Float64Array.from(Array.from({ length: 300 }, (_, index) => index / 100).concat(values)));
});
