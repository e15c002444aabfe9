import type { Times } from './figures.ts';

/** Completion times of an interval or of several jobs together, in ns. */
export interface Spread {
  count: number;
  sum: number;
  /** Undefined if unknown: without bins, the maximum of an interval cannot be determined. */
  max?: number;
  bins?: ReadonlyMap<number, number>;
}

export const EMPTY: Times = { count: 0, mean: 0, min: 0, max: 0, percentiles: new Map() };

function binsBetween(before: Times, after: Times): ReadonlyMap<number, number> | undefined {
  if (!after.bins || (before.count > 0 && !before.bins)) return undefined;
  const bins = new Map<number, number>();
  for (const [value, count] of after.bins) {
    const more = count - (before.bins?.get(value) ?? 0);
    if (more < 0) return undefined;
    if (more > 0) bins.set(value, more);
  }
  return bins;
}

/** The middle of the highest bin is within one percent of the true maximum. A new overall maximum is exact. */
function longest(before: Times, after: Times, bins: ReadonlyMap<number, number> | undefined): number | undefined {
  if (after.max > before.max || before.count === 0) return after.max;
  return bins && bins.size > 0 ? Math.max(...bins.keys()) : undefined;
}

/** The changes between two readings of the same counters. */
export function between(before: Times, after: Times): Spread {
  const count = after.count - before.count;
  if (count <= 0) return { count: 0, sum: 0 };
  const bins = binsBetween(before, after);
  const max = longest(before, after, bins);
  return {
    count,
    sum: after.mean * after.count - before.mean * before.count,
    ...(max === undefined ? {} : { max }),
    ...(bins ? { bins } : {}),
  };
}

/** Merges several counters. A property that is unknown for any of them is unknown for all. */
export function mergeSpreads(spreads: readonly Spread[]): Spread {
  const some = spreads.filter(({ count }) => count > 0);
  const whole = { count: 0, sum: 0, max: 0 };
  const bins = new Map<number, number>();
  for (const spread of some) {
    whole.count += spread.count;
    whole.sum += spread.sum;
    whole.max = Math.max(whole.max, spread.max ?? 0);
    for (const [value, count] of spread.bins ?? []) bins.set(value, (bins.get(value) ?? 0) + count);
  }
  return {
    count: whole.count,
    sum: whole.sum,
    ...(some.length > 0 && some.every(({ max }) => max !== undefined) ? { max: whole.max } : {}),
    ...(some.length > 0 && some.every((spread) => spread.bins) ? { bins } : {}),
  };
}

/** A percentile of the bins, calculated as in fio: the first bin at which the count is reached. */
export function percentileOf(bins: ReadonlyMap<number, number>, percentile: number): number | undefined {
  const sorted = [...bins].sort(([left], [right]) => left - right);
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  let reached = 0;
  for (const [value, count] of sorted) {
    reached += count;
    if (reached >= (percentile / 100) * total) return value;
  }
  return undefined;
}
