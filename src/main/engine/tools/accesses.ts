import type { AccessShares } from '../../../shared/model/accesses.ts';
import type { Accesses } from './tool.ts';

const BINS = 20_000;
const SHARES = [0.5, 0.9, 0.99] as const;
const POINTS = 60;

/** How accesses concentrate on rows, whichever these are. */
export function accessShares({ words, cumulative }: Accesses): AccessShares {
  const weights = Float64Array.from(
    { length: BINS },
    (_, bin) => cumulative((bin + 1) / BINS) - cumulative(bin / BINS),
  );
  // The most popular first: then the sum over the first n is what the n most popular of BINS parts get.
  weights.sort((left, right) => right - left);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const sums = new Float64Array(BINS + 1);
  weights.forEach((weight, bin) => {
    sums[bin + 1] = (sums[bin] ?? 0) + weight / total;
  });
  const points = Array.from({ length: POINTS + 1 }, (_, point) => Math.round((point / POINTS) ** 2 * BINS));
  return {
    words,
    shares: SHARES.map((accesses) => ({ accesses, rows: placeOf(sums, accesses) / BINS })),
    curve: [...new Set(points)].map((bin) => ({ rows: bin / BINS, accesses: sums[bin] ?? 1 })),
  };
}

/** Where the sums reach a share, between two bins. */
function placeOf(sums: Float64Array, share: number): number {
  const after = Math.max(
    1,
    sums.findIndex((sum) => sum >= share),
  );
  const [low, high] = [sums[after - 1] ?? 0, sums[after] ?? 1];
  return after - 1 + (high > low ? (share - low) / (high - low) : 1);
}
