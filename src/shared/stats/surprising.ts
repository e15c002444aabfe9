import { mean } from './spread.ts';
import { studentTail } from './student.ts';

/** A run that lies apart from the others of its cell. `ratio`: its figure over their mean. */
export interface SurprisingRun {
  cell: number;
  /** Its place among the figures of the cell. */
  index: number;
  ratio: number;
}

/** One session in so many names a run although all are alike. */
const CHANCE = 0.01;
/** Less than this share is nothing to repeat a run for. */
const LEAST = 0.1;
/** Repeats of a cell from which one of them can be told to be the odd one. */
const FEWEST = 3;

/**
 * Runs whose figures lie apart from those of the other runs of their cell by more than repeats of this session vary. How they vary is taken from all
 * cells together, on a scale of ratios and without the run that is judged; each is judged at a level that allows for their number.
 */
export function surprisingRuns(cells: readonly { cell: number; means: readonly number[] }[]): SurprisingRun[] {
  const known = cells.flatMap(({ cell, means }) =>
    means.length >= FEWEST && means.every((value) => value > 0) ? [{ cell, logs: means.map(Math.log) }] : [],
  );
  const total = known.reduce((sum, { logs }) => sum + logs.length, 0);
  const squares = known.map(({ logs }) => squaresOf(logs));
  const allSquares = squares.reduce((sum, value) => sum + value, 0);
  return known.flatMap(({ cell, logs }, at) =>
    logs.flatMap((value, index): SurprisingRun[] => {
      const others = logs.filter((_, place) => place !== index);
      const distance = value - mean(others);
      const freedom = total - known.length - 1;
      const own = squaresOf(others);
      // A cell that varies more than the others is judged by itself.
      const variance = Math.max((allSquares - (squares[at] ?? 0) + own) / freedom, own / (others.length - 1));
      if (Math.abs(Math.exp(Math.abs(distance)) - 1) < LEAST || freedom < 2) return [];
      const t = Math.abs(distance) / Math.sqrt(variance * (1 + 1 / others.length));
      return 2 * studentTail(t, freedom) < CHANCE / total ? [{ cell, index, ratio: Math.exp(distance) }] : [];
    }),
  );
}

function squaresOf(values: readonly number[]): number {
  const centre = mean(values);
  return values.reduce((sum, value) => sum + (value - centre) ** 2, 0);
}
