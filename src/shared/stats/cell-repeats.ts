import type { CellResult } from '../model/result.ts';
import type { Repeats } from './noise.ts';

/** The complete repeats of a cell with what is known of their noise. */
export const repeatsOfCell = (cell: CellResult): Repeats => ({
  values: cell.means,
  // Of percentiles, extremes and picks the figure that is shown is another statistic than the mean of the repeats.
  ...(cell.range === undefined && cell.value !== undefined && cell.value > 0 && { centre: cell.value }),
  resolution: cell.resolution,
  within: withinOf(cell),
});

/** Variance of a run as far as its own seconds make it, as a share squared: mean over the complete runs. */
function withinOf({ runs }: CellResult): number | undefined {
  const parts = runs.flatMap(({ state, partial, spread }) =>
    state === 'done' && !partial && spread ? [spread.cv ** 2 / spread.n] : [],
  );
  return parts.length === 0 ? undefined : parts.reduce((sum, part) => sum + part, 0) / parts.length;
}
