import { type Metric, metricOf } from '../metrics/index.ts';
import type { CostSpec, ValueRow, ValueScale } from '../model/cost.ts';
import { capital, withinSentence } from '../util/format.ts';
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
function lotOf(metric: Metric): { count: number; words: string } {
  const work = workOf(metric);
  return work.startsWith('MiB')
    ? { count: 2 ** 20, words: work.replace('MiB', 'TiB') }
    : { count: 1_000_000, words: `million ${work}` };
}

/** Price of a million operations (or a TiB), in the scale's currency; undefined without any work. */
export const pricePerLot = (metric: string, { operationsPerDollar: bought }: Pick<ValueRow, 'operationsPerDollar'>) =>
  bought > 0 ? lotOf(metricOf(metric)).count / bought : undefined;

/** Words for that price: "USD per million transactions". */
export const lotWords = ({ metric, currency }: Pick<ValueScale, 'metric' | 'currency'>): string =>
  `${currency} per ${lotOf(metricOf(metric)).words}`;

/** Name of the counted work: transactions, I/O operations, MiB. */
const workOf = ({ work, label, unit }: Metric): string => work ?? (unit === 'MiB/s' ? 'MiB' : withinSentence(label));

/** Words for a scale: "Transactions per USD". */
export function scaleWords({ metric, currency }: Pick<ValueScale, 'metric' | 'currency'>): string {
  const work = workOf(metricOf(metric));
  return `${capital(work)} per ${currency}`;
}

/** Follows a price: ", prices of 2026-07-20". */
export const datedWords = ({ asOf }: Pick<ValueRow, 'asOf'>): string =>
  asOf === undefined ? '' : `, prices of ${asOf}`;

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
  if (currencies.length > 1) return `Its prices are in ${currencies.join(' and ')}, which are not added.`;
  return { ...first, components: prices.flatMap(({ components }) => components) };
}
