export const sum = (values: Iterable<number>): number => {
  let total = 0;
  for (const value of values) total += value;
  return total;
};

/** Sum of a figure of each entry. */
export const sumBy = <Entry>(entries: readonly Entry[], of: (entry: Entry, index: number) => number): number =>
  entries.reduce((total, entry, index) => total + of(entry, index), 0);

/** NaN of none. */
export function median(values: Iterable<number>): number {
  const ascending = Float64Array.from(values).sort();
  const half = ascending.length >> 1;
  const upper = ascending[half] ?? Number.NaN;
  return ascending.length % 2 === 1 ? upper : ((ascending[half - 1] ?? Number.NaN) + upper) / 2;
}
