import { lotWords, type SideRow } from '../../../shared/costs/index.ts';
import { metricOf } from '../../../shared/metrics/index.ts';
import type { ValueRow, ValueScale } from '../../../shared/model/cost.ts';
import { caveatWords } from '../../../shared/model/figure.ts';
import type { Session } from '../../../shared/model/session.ts';
import { formatLevels, formatMoney, formatValue } from '../../../shared/util/format.ts';

/** Sessions with figures of this metric first, else in their order. */
export const fittingFirst = <One extends Pick<Session, 'primaryMetric'>>(sessions: readonly One[], metric: string) =>
  [...sessions].sort((one, other) => Number(other.primaryMetric === metric) - Number(one.primaryMetric === metric));

/** A row that has work and a price; `title` distinguishes rows with the same name. */
export interface MeasuredRow extends SideRow {
  title: string;
  work: ValueRow;
  perHour: number;
  perLot: number;
}

/** Rows that can be drawn. Rows of the same configuration are distinguished by their sessions. */
export function measuredRows(rows: readonly SideRow[]): MeasuredRow[] {
  const measured = rows.flatMap(({ work, perHour, perLot, ...row }) =>
    work && perHour !== undefined && perLot !== undefined ? [{ ...row, work, perHour, perLot }] : [],
  );
  return measured.map((row) => {
    const alike = measured.filter(({ name }) => name === row.name);
    if (alike.length === 1) return { ...row, title: row.name };
    const sameSession = alike.filter(({ work }) => work.name === row.work.name).length > 1;
    const session = sameSession ? `${row.work.name} ${row.work.sessionId}` : row.work.name;
    return { ...row, title: row.name === row.work.name ? session : `${row.name} (${session})` };
  });
}

/** A sentence about the lowest cost of work. `isOfMeasured`: configurations that were not measured may cost less. Only a comparison shows whether the difference is significant. */
export function cheapestOf(
  rows: readonly MeasuredRow[],
  { metric, currency }: ValueScale,
  isOfMeasured = false,
): string {
  const [best] = rows;
  if (!best) return '';
  const cell = formatLevels(best.work.levels);
  return `${isOfMeasured ? 'Lowest cost of the measured ones' : 'Lowest cost'}: ${best.title}, ${formatMoney(best.perLot, currency)} for ${lotWords({ metric, currency }).replace(`${currency} per`, 'a')}, at ${formatValue(best.work.rate, metricOf(metric))}${cell ? ` (${cell})` : ''}${caveatWords('figure', best.work)}.`;
}

/** Throughput from which a row is worth its price against the cheapest; undefined for the cheapest itself, and for one that is free. */
export function neededRate(
  rows: readonly Pick<MeasuredRow, 'key' | 'perHour' | 'work'>[],
  key: string,
): number | undefined {
  const row = rows.find((each) => each.key === key);
  const [cheapest] = [...rows].sort((one, other) => one.perHour - other.perHour);
  if (!row || !cheapest || row.perHour <= cheapest.perHour || cheapest.perHour <= 0) return undefined;
  return cheapest.work.rate * (row.perHour / cheapest.perHour);
}

/** A sentence about the limits of an assumed equal throughput: with it the cheapest always wins. */
export function assumedOf(rows: readonly MeasuredRow[], { metric }: ValueScale): string {
  const [cheapest, ...others] = [...rows].sort((one, other) => one.perHour - other.perHour);
  const next = others.find(({ key }) => neededRate(rows, key) !== undefined);
  const needed = next && neededRate(rows, next.key);
  if (!cheapest || !next || needed === undefined) return '';
  return `With equal throughput assumed, the cheapest always wins. ${next.title} is worth its price if it reaches ${formatValue(needed, metricOf(metric))} where ${cheapest.title} reaches ${formatValue(cheapest.work.rate, metricOf(metric))}.`;
}

/** The same, if the rows have an equal throughput; else an empty text. */
export const sameThroughput = (rows: readonly MeasuredRow[], scale: ValueScale): string =>
  new Set(rows.map(({ work }) => work.rate)).size === 1 ? assumedOf(rows, scale) : '';
