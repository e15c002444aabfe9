import { expect, it } from 'vitest';
import { orderWithin } from './numbers.ts';

it('groups by scale and sorts within each', () => {
  const prices = [
    ['USD', 900],
    ['EUR', 12.5],
    ['USD', 0.002],
    ['EUR', 1000],
    ['USD', 12],
  ] as const;
  const sorted = [...prices].sort((one, other) =>
    String(orderWithin(one[0], one[1])).localeCompare(String(orderWithin(other[0], other[1]))),
  );
  expect(sorted.map((price) => price.join(' '))).toEqual(['EUR 12.5', 'EUR 1000', 'USD 0.002', 'USD 12', 'USD 900']);
  expect(orderWithin('USD', undefined)).toBeUndefined();
});
