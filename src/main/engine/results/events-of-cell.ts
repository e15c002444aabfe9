import { metricOf } from '../../../shared/metrics/index.ts';
import type { CellResult, ComparisonBasis } from '../../../shared/model/result.ts';
import type { EventCount } from '../../../shared/stats/index.ts';

/** Rates of events that are better when rare, or neither: zero is as good a figure as any, and a count tells a repeat from noise. */
export function countsEvents(id: string): boolean {
  const { unit, better } = metricOf(id);
  return unit === 'per s' && better !== 'higher';
}

/** Events of each complete repeat, or of each session. */
export function eventsOfCell(cell: CellResult | undefined, basis: ComparisonBasis): EventCount[] {
  const complete = cell?.runs.filter(({ state, partial, spread }) => state === 'done' && !partial && spread) ?? [];
  const seconds = complete.reduce((sum, { spread }) => sum + (spread?.n ?? 0), 0);
  const each = basis === 'sessions' ? seconds : seconds / Math.max(1, complete.length);
  return each > 0 ? (cell?.means ?? []).map((mean) => ({ events: Math.round(mean * each), seconds: each })) : [];
}
