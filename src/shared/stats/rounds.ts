import type { SteadyWhen } from '../model/step.ts';
import { sumBy } from '../util/numbers.ts';
import { mean } from './spread.ts';

/** Seconds and values of one generator, ascending; a sample covers the time since the previous one. */
interface Series {
  readonly t: ArrayLike<number>;
  readonly v: ArrayLike<number>;
}

/** The newest rounds of a load, compared with each other. */
export interface Rounds {
  /** Whole rounds so far. */
  readonly count: number;
  /** Smallest and largest mean of the newest rounds. */
  readonly low: number;
  readonly high: number;
  /** Their difference, and the rise or fall of their best-fitting line, both in percent of their mean. */
  readonly range: number;
  readonly slope: number;
  readonly isSteady: boolean;
}

/**
 * Compares the newest `rounds` whole rounds of `of` seconds after the first `warmup` seconds; undefined while there are fewer. Generators
 * are added up. Steady as in the SNIA Solid State Storage Performance Test Specification 2.0, 2.1.24: range and excursion of the
 * least-squares line.
 */
export function newestRounds(
  series: readonly Series[],
  warmup: number,
  { rounds, of, within, slope }: SteadyWhen,
): Rounds | undefined {
  const means = series.map((each) => meansOf(each, warmup, of));
  const count = means.length === 0 ? 0 : Math.min(...means.map(({ length }) => length));
  if (count < rounds) return undefined;
  const newest = Array.from({ length: rounds }, (_, place) =>
    sumBy(means, (each) => each[count - rounds + place] ?? Number.NaN),
  );
  const middle = mean(newest);
  const [low, high] = [Math.min(...newest), Math.max(...newest)];
  const percent = (difference: number): number => (100 * difference) / middle;
  const found = { range: percent(high - low), slope: percent(Math.abs(slopeOf(newest)) * (rounds - 1)) };
  const isSteady = middle > 0 && found.range <= within && found.slope <= slope;
  return { count, low, high, ...found, isSteady };
}

/** Means over time of whole rounds. A round without a sample is 0: no work was done in it. */
function meansOf({ t, v }: Series, warmup: number, of: number): number[] {
  const last = t[t.length - 1] ?? 0;
  const count = Math.max(0, Math.floor((last - warmup) / of + 1e-9));
  const sums = Array.from({ length: count }, () => ({ done: 0, seconds: 0 }));
  for (let index = 0; index < t.length; index += 1) {
    const [from, to] = [t[index - 1] ?? 0, t[index] ?? 0];
    // The sample at the end of a round belongs to it.
    const sum = sums[Math.ceil((to - warmup) / of - 1e-9) - 1];
    if (!sum) continue;
    sum.done += (v[index] ?? 0) * (to - from);
    sum.seconds += to - from;
  }
  return sums.map(({ done, seconds }) => (seconds > 0 ? done / seconds : 0));
}

/** Slope of the least-squares line through points at 0, 1, 2 …: units per round. */
function slopeOf(values: readonly number[]): number {
  const [x, y] = [(values.length - 1) / 2, mean(values)];
  const squares = sumBy(values, (_, place) => (place - x) ** 2);
  return sumBy(values, (value, place) => (place - x) * (value - y)) / squares;
}
