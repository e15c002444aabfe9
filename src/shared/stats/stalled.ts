import { isLatency } from '../metrics/index.ts';
import type { CellResult } from '../model/result.ts';

/** Shares of stalled time that differ by less than this, 0 … 1, do not make latencies incomparable. */
const STALLED_MARGIN = 0.01;

type Stalled = Pick<CellResult, 'stalls'>;

/** Whether one of two cells stalled for longer, so that latencies, which are of the events that ended, say nothing of that time. */
export const stallsDiffer = (one: Stalled, other: Stalled): boolean =>
  one.stalls !== undefined &&
  other.stalls !== undefined &&
  Math.abs(one.stalls.share - other.stalls.share) >= STALLED_MARGIN;

/** The cells that may be called the best: of a latency only those that stalled no longer than the others. */
export function withoutStalled<Cell extends Stalled>(metric: string, cells: readonly Cell[]): Cell[] {
  if (!isLatency(metric)) return [...cells];
  const least = Math.min(...cells.map(({ stalls }) => stalls?.share ?? 0));
  return cells.filter(({ stalls }) => (stalls?.share ?? 0) - least < STALLED_MARGIN);
}
