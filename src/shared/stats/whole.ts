import { metricOf } from '../metrics/index.ts';

/** A metric over time: seconds and values, both of the same length. */
export interface Points {
  readonly t: Float64Array;
  readonly v: Float64Array;
}

/**
 * Combines the series of several generators second by second, as the metric defines. Undefined if they cannot be combined (percentiles are
 * never averaged). `count`: number of generators, including those without data yet.
 */
export function wholeOf(metric: string, all: readonly Points[], count: number): Points | undefined {
  const { combine } = metricOf(metric);
  if (combine === 'none') return undefined;
  return combined(all, count, combine === 'sum' ? (a, b) => a + b : Math.max);
}

/**
 * Aligns each generator's seconds on one axis: tools count from their own start, so they differ by the difference of the starts. `starts`:
 * epoch milliseconds, undefined if unknown.
 */
export function alignedSeconds(t: Float64Array, start: number | undefined, starts: readonly (number | undefined)[]) {
  const first = Math.min(...starts.filter((each) => each !== undefined));
  const shift = start === undefined ? 0 : (start - first) / 1000;
  return t.map((second) => Math.round(second + shift));
}

/** Only seconds for which every generator has a value: the rate of some of them is not that of the trial. */
function combined(all: readonly Points[], count: number, together: (a: number, b: number) => number): Points {
  const bySecond = new Map<number, { value: number; from: number }>();
  for (const series of all) {
    const seen = new Set<number>();
    series.t.forEach((second, index) => {
      const value = series.v[index] ?? Number.NaN;
      // If the tool of a generator printed two lines within one second, only one counts: the other is in the next second.
      if (Number.isNaN(value) || seen.has(second)) return;
      seen.add(second);
      const before = bySecond.get(second);
      bySecond.set(
        second,
        before ? { value: together(before.value, value), from: before.from + 1 } : { value, from: 1 },
      );
    });
  }
  const whole = [...bySecond].filter(([, { from }]) => from === count).sort(([a], [b]) => a - b);
  return { t: Float64Array.from(whole, ([second]) => second), v: Float64Array.from(whole, ([, { value }]) => value) };
}
