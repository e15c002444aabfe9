export const sum = (values: Iterable<number>): number => {
  let total = 0;
  for (const value of values) total += value;
  return total;
};

/** Sum of a figure of each entry. */
export const sumBy = <Entry>(entries: readonly Entry[], of: (entry: Entry, index: number) => number): number =>
  entries.reduce((total, entry, index) => total + of(entry, index), 0);

/** NaN if there are no values. */
export function median(values: Iterable<number>): number {
  const ascending = Float64Array.from(values).sort();
  const half = ascending.length >> 1;
  const upper = ascending[half] ?? Number.NaN;
  return ascending.length % 2 === 1 ? upper : ((ascending[half - 1] ?? Number.NaN) + upper) / 2;
}

/** mulberry32: numbers in [0, 1), the same for the same seed on every machine. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * A sort key for a value among values of other scales (other currencies, other units): each scale stays together and is sorted by itself.
 * For values from 0 on; undefined if there is no value.
 */
export const orderWithin = (scale: string, value: number | undefined): string | undefined =>
  value === undefined ? undefined : `${scale} ${value.toFixed(9).padStart(30, '0')}`;
