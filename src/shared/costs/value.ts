import { type Metric, metricOf } from '../metrics/index.ts';
import type { CostSpec, ValueRow, ValueScale } from '../model/cost.ts';
import { capital, formatCount, formatValue, withinSentence } from '../util/format.ts';
import type { Per } from './catalogue.ts';

const SECONDS_PER_HOUR = 3_600;

/** Operations that one unit of money buys while the system runs: `rate` per second, `perHour` money per hour. 0 if it costs nothing. */
export const operationsPerDollar = (rate: number, perHour: number): number =>
  perHour > 0 ? (rate * SECONDS_PER_HOUR) / perHour : 0;

/** Each value as a percentage of the largest, which is 100. */
export function percentOfBest(values: readonly number[]): number[] {
  const best = values.reduce((most, value) => Math.max(most, value), 0);
  return values.map((value) => (best > 0 ? (value / best) * 100 : 0));
}

/** A system that reached `rate` of a metric for money. */
export interface Valued extends Omit<ValueRow, 'operationsPerDollar' | 'percent'> {
  metric: string;
  currency: string;
}

/** A scale for each metric and currency, in order of appearance; each is ranked by what money buys, and separately. */
export function scalesOf(valued: readonly Valued[]): ValueScale[] {
  const scales = new Map<string, ValueScale>();
  for (const { metric, currency, ...row } of valued) {
    const key = JSON.stringify([metric, currency]);
    const scale = scales.get(key) ?? { metric, currency, rows: [] };
    scales.set(key, scale);
    scale.rows.push({ ...row, operationsPerDollar: operationsPerDollar(row.rate, row.perHour), percent: 0 });
  }
  return [...scales.values()].map(({ rows, ...scale }) => {
    const ranked = rows.sort((one, other) => other.operationsPerDollar - one.operationsPerDollar);
    const percents = percentOfBest(ranked.map((row) => row.operationsPerDollar));
    return { ...scale, rows: ranked.map((row, place) => ({ ...row, percent: percents[place] ?? 0 })) };
  });
}

/** Unit of work for prices: a million operations, or a TiB if bytes are counted. */
function workUnitOf(metric: Metric): { count: number; words: string } {
  const work = workOf(metric);
  return work.startsWith('MiB')
    ? { count: 2 ** 20, words: work.replace('MiB', 'TiB') }
    : { count: 1_000_000, words: `million ${work}` };
}

/** Price of a million operations (or a TiB), in the scale's currency; undefined without any work. */
export const pricePerLot = (metric: string, { operationsPerDollar: bought }: Pick<ValueRow, 'operationsPerDollar'>) =>
  bought > 0 ? workUnitOf(metricOf(metric)).count / bought : undefined;

/** Words for that price: "USD per million transactions". */
export const lotWords = ({ metric, currency }: Pick<ValueScale, 'metric' | 'currency'>): string =>
  `${currency} per ${workUnitOf(metricOf(metric)).words}`;

/** Name of the counted work: transactions, I/O operations, MiB. */
const workOf = ({ work, label, unit }: Metric): string => work ?? (unit === 'MiB/s' ? 'MiB' : withinSentence(label));

/** Words for a scale: "Transactions per USD". */
export function scaleWords({ metric, currency }: Pick<ValueScale, 'metric' | 'currency'>): string {
  const work = workOf(metricOf(metric));
  return `${capital(work)} per ${currency}`;
}

/** 365 days of 24 hours, and a twelfth of that: the convention of most price lists and calculators. */
export const HOURS_PER_YEAR = 8_760;
export const HOURS_PER_MONTH = 730;

/** Money per month for a rate; `hours`: hours of a month. */
export const perMonthOf = (rate: number, per: Per | 'year', hours: number): number => {
  if (per === 'hour') return rate * hours;
  return per === 'year' ? rate / 12 : rate;
};

/**
 * Combines several prices: that of a session and those of the levels of a cell. Undefined without prices; a sentence if they cannot be
 * added.
 */
export function priceTogether(prices: readonly CostSpec[]): CostSpec | string | undefined {
  const [first] = prices;
  if (!first) return undefined;
  const currencies = [...new Set(prices.map(({ currency }) => currency))];
  if (currencies.length > 1) return `Its prices are in ${currencies.join(' and ')}, which cannot be added up.`;
  return { ...first, components: prices.flatMap(({ components }) => components) };
}

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
