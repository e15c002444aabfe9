import { mean } from './spread.ts';
import { studentTail } from './student.ts';

/** A run whose figure is far from the others of its cell. `ratio`: its figure over their mean. */
export interface SurprisingRun {
  cell: number;
  /** Its place among the figures of the cell. */
  index: number;
  ratio: number;
}

/** Share of sessions in which a run is named although all are alike. */
const CHANCE = 0.01;
/** A smaller share is no reason to repeat a run. */
const LEAST = 0.1;
/** Minimum number of repeats of a cell in which an outlier can be identified. */
const FEWEST = 3;

/**
 * Runs whose figures differ from those of the other runs of their cell by more than repeats of this session vary. The variation is
 * estimated from all cells together, on a scale of ratios and without the run that is tested; the significance level of each test allows
 * for their number.
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
      // A cell that varies more than the others is judged by its own variation.
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
