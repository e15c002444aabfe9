/**
 * Latency histogram like HdrHistogram: 256 cells per power of two, so a value read back differs from the real one by at most 0.2 %. Values are
 * nanoseconds from 0 to 2^42 (73 minutes); longer ones count in the last cell.
 */
const CELLS_PER_DOUBLING = 256;
const EXACT_BITS = 9;
const MAX_BITS = 42;
export const HISTOGRAM_CELLS = (MAX_BITS - EXACT_BITS) * CELLS_PER_DOUBLING + 2 * CELLS_PER_DOUBLING;

/** Cell of a latency in nanoseconds. */
export function cellOf(nanoseconds: number): number {
  if (nanoseconds < 2 * CELLS_PER_DOUBLING) return Math.max(0, Math.floor(nanoseconds));
  const exponent = nanoseconds < 0xffffffff ? 31 - Math.clz32(nanoseconds) : Math.floor(Math.log2(nanoseconds));
  const doublings = exponent - 8;
  return Math.min(HISTOGRAM_CELLS - 1, doublings * CELLS_PER_DOUBLING + Math.floor(nanoseconds / 2 ** doublings));
}

/** Middle of a cell, nanoseconds. */
export function middleOf(cell: number): number {
  if (cell < 2 * CELLS_PER_DOUBLING) return cell;
  const doublings = Math.floor(cell / CELLS_PER_DOUBLING) - 1;
  return (cell - doublings * CELLS_PER_DOUBLING + 0.5) * 2 ** doublings;
}

/** Latencies at the given fractions (ascending, 0 … 1) in nanoseconds; undefined for an empty histogram. */
export function quantiles(cells: ArrayLike<number>, fractions: readonly number[]): number[] | undefined {
  let count = 0;
  for (let cell = 0; cell < cells.length; cell += 1) count += cells[cell] ?? 0;
  if (count === 0) return undefined;
  const values: number[] = [];
  let seen = 0;
  let cell = 0;
  for (const fraction of fractions) {
    const rank = Math.max(1, Math.ceil(fraction * count));
    while (seen < rank && cell < cells.length) {
      seen += cells[cell] ?? 0;
      cell += 1;
    }
    values.push(middleOf(Math.max(0, cell - 1)));
  }
  return values;
}
