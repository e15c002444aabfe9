import { metricOf } from '../metrics/index.ts';
import type { ValueRow, ValueScale } from '../model/cost.ts';
import { formatCount, formatValue } from '../util/format.ts';

/** A range of loads, and the cheapest measured system that certainly reaches them. */
export interface LoadRange {
  /** Loads above this … */
  readonly from: number;
  /** … up to this, in the unit of the metric: the lower end of the interval of its rate. */
  readonly to: number;
  readonly row: ValueRow;
}

/**
 * The cheapest system for each load, the smallest load first: a more expensive one is worth its price from the load on that no cheaper one
 * certainly reaches. Excludes systems that were measured once, as they have no interval.
 */
export function loadRanges(rows: readonly ValueRow[]): LoadRange[] {
  const ranges: LoadRange[] = [];
  for (const row of [...rows].sort((one, other) => one.perHour - other.perHour)) {
    const last = ranges.at(-1);
    const [from, to] = [last?.to ?? 0, row.interval?.low ?? 0];
    if (to <= from) continue;
    // For the same money, the faster one.
    if (last && last.row.perHour === row.perHour) ranges.splice(-1, 1, { from: last.from, to, row });
    else ranges.push({ from, to, row });
  }
  return ranges;
}

/** Limitations of the table of these ranges, a sentence each. */
export function loadSentences(rows: readonly ValueRow[], { metric: id }: Pick<ValueScale, 'metric'>): string[] {
  const ranges = loadRanges(rows);
  const last = ranges.at(-1);
  const once = rows.filter(({ interval }) => interval === undefined);
  return [
    ...(last ? [`Above ${formatValue(last.to, metricOf(id))}, no measured system is sure to be fast enough.`] : []),
    ...(once.length > 0
      ? [`${formatCount(once.length, 'system')} not included: measured once, so without an interval.`]
      : []),
  ];
}
