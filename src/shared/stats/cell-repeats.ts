import type { CellResult } from '../model/result.ts';
import type { Repeats } from './noise.ts';

/** The complete repeats of a cell with the known parts of their noise. */
export const repeatsOfCell = (cell: CellResult): Repeats => ({
  values: cell.means,
  // For percentiles, extremes and picks, the displayed figure is a statistic other than the mean of the repeats.
  ...(cell.range === undefined && cell.value !== undefined && cell.value > 0 && { centre: cell.value }),
  resolution: cell.resolution,
  within: withinOf(cell),
});

/** The same, one object for each cell: the spread of a cell that several others are compared with must count only once. */
export function cachedRepeats(): (cell: CellResult) => Repeats {
  const known = new Map<CellResult, Repeats>();
  return (cell) => {
    const repeats = known.get(cell) ?? repeatsOfCell(cell);
    known.set(cell, repeats);
    return repeats;
  };
}

/** Variance of a run caused by its own seconds, as a share squared: mean over the complete runs. */
function withinOf({ runs }: CellResult): number | undefined {
  const parts = runs.flatMap(({ state, partial, spread }) =>
    state === 'done' && !partial && spread ? [spread.cv ** 2 / spread.n] : [],
  );
  return parts.length === 0 ? undefined : parts.reduce((sum, part) => sum + part, 0) / parts.length;
}
