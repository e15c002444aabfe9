import type { AccessShares } from '../../../shared/model/tool.ts';
import type { Accesses } from './tool.ts';

const BINS = 20_000;
const SHARES = [0.5, 0.9, 0.99] as const;
const POINTS = 60;

/** How accesses concentrate on rows, regardless of which rows. */
export function accessShares(accesses: Accesses): AccessShares {
  const { words, of } = accesses;
  const points = Array.from({ length: POINTS + 1 }, (_, point) => Math.round((point / POINTS) ** 2 * BINS) / BINS);
  const rows = [...new Set(points)];
  if (accesses.ranked)
    return {
      ...{ words, of },
      shares: SHARES.map((share) => ({ accesses: share, rows: reached(accesses.cumulative, share) })),
      curve: rows.map((x) => ({ rows: x, accesses: accesses.cumulative(x) })),
    };
  const sums = sortedSums(accesses);
  return {
    ...{ words, of },
    shares: SHARES.map((share) => ({ accesses: share, rows: placeOf(sums, share) / BINS })),
    curve: rows.map((x) => ({ rows: x, accesses: sums[Math.round(x * BINS)] ?? 1 })),
  };
}

/** Cumulative share of the n most popular of BINS parts, for n from 0. */
function sortedSums({ cumulative }: Accesses): Float64Array {
  const weights = new Float64Array(BINS);
  let before = cumulative(0);
  const total = cumulative(1) - before;
  for (let bin = 0; bin < BINS; bin += 1) {
    const upTo = cumulative((bin + 1) / BINS);
    weights[bin] = upTo - before;
    before = upTo;
  }
  weights.sort().reverse();
  const sums = new Float64Array(BINS + 1);
  for (let bin = 0; bin < BINS; bin += 1) sums[bin + 1] = (sums[bin] ?? 0) + (weights[bin] ?? 0) / total;
  return sums;
}

/** Where a monotonic function reaches a share, by bisection: the rows may be far fewer than a bin. */
function reached(cumulative: (x: number) => number, share: number): number {
  let [low, high] = [0, 1];
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (cumulative(middle) < share) low = middle;
    else high = middle;
  }
  return high;
}

/** Where the sums reach a share, interpolated between two bins. */
function placeOf(sums: Float64Array, share: number): number {
  const after = Math.max(
    1,
    sums.findIndex((sum) => sum >= share),
  );
  const [low, high] = [sums[after - 1] ?? 0, sums[after] ?? 1];
  return after - 1 + (high > low ? (share - low) / (high - low) : 1);
}

/** Ranks whose terms are summed exactly. Beyond them the integral is equally accurate. */
const EXACT_RANKS = 1000;

/** The sum of 1 / rank^s from the first rank to any rank, whole or fractional. */
export function zipfSum(exponent: number): (rank: number) => number {
  const head = [0];
  for (let rank = 1; rank <= EXACT_RANKS; rank += 1) head.push((head.at(-1) ?? 0) + rank ** -exponent);
  const from = EXACT_RANKS + 0.5;
  const power = from ** (1 - exponent);
  const integralTo = (to: number): number =>
    exponent === 1 ? Math.log(to / from) : (to ** (1 - exponent) - power) / (1 - exponent);
  return (rank) => {
    const whole = Math.floor(rank);
    if (whole >= EXACT_RANKS) return (head[EXACT_RANKS] ?? 0) + (rank > EXACT_RANKS ? integralTo(rank + 0.5) : 0);
    return (head[whole] ?? 0) + (rank - whole) * ((head[whole + 1] ?? 0) - (head[whole] ?? 0));
  };
}

/** Cumulative share of accesses of the fraction x of the most popular items, where popularity falls with 1 / rank^s. */
export function zipfian(items: number, exponent: number): (x: number) => number {
  const sum = zipfSum(exponent);
  const total = sum(items);
  return (x) => sum(x * items) / total;
}
