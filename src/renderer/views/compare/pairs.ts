import type { CellResult, ComparedCell } from '../../../shared/model/result.ts';

const MOST_RUNS = 50;

export const runsOf = (cell: Pick<CellResult, 'runs'> | undefined): number[] =>
  (cell?.runs ?? []).slice(0, MOST_RUNS).map(({ runId }) => runId);

/** Cells with runs on both sides, the one with the largest difference first. */
export const pairsOf = (cells: readonly ComparedCell[]): ComparedCell[] =>
  cells
    .filter(({ baseline, other }) => runsOf(baseline).length > 0 && runsOf(other).length > 0)
    .sort((one, another) => distance(another) - distance(one));

const distance = ({ ratio = 1 }: ComparedCell): number => Math.abs(Math.log(ratio > 0 ? ratio : 1));
