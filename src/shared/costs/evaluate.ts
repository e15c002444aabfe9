import type { CostComponent, CostResult, CostSpec, Priced } from '../model/cost.ts';
import { KneepointError, type Problem } from '../model/problem.ts';
import { cap, type Disks, type Machines } from './caps.ts';
import { type Instance, type PriceCatalogue, priceListOf, type Volume } from './catalogue.ts';
import { performanceWords } from './performance.ts';
import { HOURS_PER_MONTH, perMonthOf } from './value.ts';
import { type PricedVolume, priceVolume } from './volume.ts';
import { amount, amountMissing, money, otherCurrency, priceMissing, unknownId, withoutNoise } from './words.ts';

type CostItem = CostResult['items'][number];
type Component<Kind extends CostComponent['kind']> = Extract<CostComponent, { kind: Kind }>;

/**
 * Price of a system by list prices, and the performance of its volumes on its machines. Month = 730 hours unless the spec sets another
 * number, year = 12 months. `at` (epoch milliseconds): adds warnings about prices older than a year.
 * Throws bad-request if there is no price (unknown id, unknown price, unavailable size, different currency).
 */
export function evaluateCost(spec: CostSpec, catalogue: PriceCatalogue, at?: number): CostResult {
  const { parts, total } = priceParts(spec, catalogue, at);
  if (total) return total;
  throw new KneepointError(
    parts.flatMap(({ problem }) => problem ?? [])[0] ?? { code: 'internal', message: 'No price.' },
  );
}

/** The same part by part. A part without a price gives the reason, and then there is no total. */
export function priceParts(spec: CostSpec, catalogue: PriceCatalogue, at?: number): Priced {
  const hours = spec.hoursPerMonth ?? HOURS_PER_MONTH;
  const parts = spec.components.map((component) => pricedOrWhy(component, spec.currency, catalogue, hours));
  const priced = parts.filter((part) => 'item' in part);
  const total = priced.length < parts.length ? undefined : totalOf(spec.currency, priced, hours, at);
  return {
    parts: parts.map((part) => ('item' in part ? { item: part.item } : part)),
    ...(total && { total }),
  };
}

function pricedOrWhy(...of: Parameters<typeof partOf>): Part | { problem: Problem } {
  try {
    return partOf(...of);
  } catch (error) {
    if (error instanceof KneepointError && error.code === 'bad-request') return { problem: error.problem };
    throw error;
  }
}

function totalOf(currency: string, parts: readonly Part[], hours: number, at: number | undefined): CostResult {
  const items = parts.map(({ item }) => item);
  const machines = parts.flatMap((part) => part.machines ?? []);
  const { usable, burst, limitedBy, warnings } = cap(
    machines,
    parts.flatMap((part) => part.disks ?? []),
  );
  parts.find((part) => part.machines)?.item.warnings.push(...warnings);
  const perMonth = withoutNoise(items.reduce((sum, item) => sum + item.perMonth, 0));
  const asOf = datesOf(items);
  const notes = at === undefined ? [] : oldPrices(items, at);
  return {
    currency,
    ...spans(perMonth, hours),
    items,
    ...(asOf !== undefined && { asOf }),
    ...(Object.keys(burst).length > 0 && { burst }),
    ...(Object.keys(limitedBy).length > 0 && { limitedBy }),
    ...(Object.keys(usable).length > 0 && {
      usable: { ...usable, ...(usable.iops && { perThousandIops: withoutNoise((perMonth * 1_000) / usable.iops) }) },
    }),
    ...(notes.length > 0 && { notes }),
  };
}

/** One component: its line, and its role in the limits of the whole. */
interface Part {
  item: CostItem;
  machines?: Machines;
  disks?: Disks;
}

function partOf(component: CostComponent, currency: string, catalogue: PriceCatalogue, hours: number): Part {
  if (component.kind === 'own') return { item: ownItem(component, hours) };
  const found = entryOf(catalogue, component.id, currency);
  const { count } = component;
  if (component.kind === 'instance') {
    const entry = requireKind(found, 'instance');
    const item = instanceItem(catalogue, entry, component, hours);
    return { item, machines: { entry, count, label: item.label } };
  }
  const entry = requireKind(found, 'volume');
  const priced = priceVolume(entry, component, hours);
  return { item: volumeItem(catalogue, entry, component, priced, hours), disks: { entry, count, gives: priced.gives } };
}

function entryOf(catalogue: PriceCatalogue, id: string, currency: string): Instance | Volume {
  const entry = catalogue.entries.find((candidate) => candidate.id === id);
  if (entry === undefined) throw unknownId(id);
  if (entry.currency !== currency) throw otherCurrency(entry.title, entry.currency, currency);
  return entry;
}

function requireKind<Kind extends 'instance' | 'volume'>(
  entry: Instance | Volume,
  kind: Kind,
): Extract<Instance | Volume, { kind: Kind }> {
  if (entry.kind !== kind) throw unknownId(`${entry.id} of kind ${kind}`);
  return entry as Extract<Instance | Volume, { kind: Kind }>;
}

const spans = (perMonth: number, hours: number): { perHour: number; perMonth: number; perYear: number } => ({
  perHour: withoutNoise(perMonth / hours),
  perMonth,
  perYear: withoutNoise(perMonth * 12),
});

/** Words for a unit of time in a price. */
const each = (per: 'hour' | 'month' | 'year'): string => (per === 'hour' ? 'per hour' : `per ${per}`);

function ownItem(component: Component<'own'>, hours: number): CostItem {
  const { label, per, amount: price } = component;
  if (price === null) throw amountMissing(label);
  const perMonth = withoutNoise(perMonthOf(price, per, hours));
  const how = `custom item: ${money(price)} ${each(per)}`;
  return { label, ...spans(perMonth, hours), how, warnings: [] };
}

function instanceItem(
  catalogue: PriceCatalogue,
  entry: Instance,
  component: Component<'instance'>,
  hours: number,
): CostItem {
  if (entry.rate === null) throw priceMissing(entry.title);
  const { count } = component;
  const per = entry.per ?? 'hour';
  const billed = Math.min(hours, entry.hoursMost ?? hours);
  const full = perMonthOf(entry.rate, per, billed);
  const most = entry.monthlyMost ?? Number.POSITIVE_INFINITY;
  const bounds = [
    ...(billed < hours ? [`, at most ${amount(billed)} h a month`] : []),
    ...(full > most ? [`, at most ${money(most)} a month`] : []),
  ];
  return {
    label: times(count, entry.title),
    ...spans(withoutNoise(count * Math.min(full, most)), hours),
    how: times(count, `${money(entry.rate)} ${each(per)}${bounds.join('')} (${entry.basis})`),
    source: priceListOf(catalogue, entry),
    asOf: entry.asOf,
    warnings:
      entry.monthlyMost === null
        ? [`${entry.title} has a monthly cap that is not in the catalogue: it can cost less than this.`]
        : [],
  };
}

function volumeItem(
  catalogue: PriceCatalogue,
  entry: Volume,
  { count }: Component<'volume'>,
  { how, perMonth, shares, gives, warnings }: PricedVolume,
  hours: number,
): CostItem {
  const sum = `${how.join(' + ')} per month`;
  return {
    label: times(count, entry.title),
    ...spans(withoutNoise(count * perMonth), hours),
    how: count === 1 ? sum : `${amount(count)} × (${sum})`,
    source: priceListOf(catalogue, entry),
    asOf: entry.asOf,
    warnings,
    gives,
    performance: performanceWords(gives),
    shares: shares.flatMap(({ what, perMonth: each }) =>
      each > 0 ? [{ what, perMonth: withoutNoise(count * each) }] : [],
    ),
  };
}

const times = (count: number, text: string): string => (count === 1 ? text : `${amount(count)} × ${text}`);

interface Dated {
  label: string;
  asOf?: string | undefined;
}

const DAY = 86_400_000;
const FULL_YEAR = 365 * DAY;

/** Dates of prices in words: "2024-07-01 to 2026-07-20", "2026-08, some undated". Undefined: none is from a list. */
function datesOf(items: readonly Dated[]): string | undefined {
  const given = items.flatMap(({ asOf }) => (asOf === undefined ? [] : [asOf]));
  const dated = given.filter(isDate).sort();
  const [first, last] = [dated[0], dated.at(-1)];
  if (first === undefined) return given.length > 0 ? 'undated' : undefined;
  return `${first}${last === first ? '' : ` to ${last}`}${dated.length < given.length ? ', some undated' : ''}`;
}

/** Notes on prices that are older than a year, or undated. */
function oldPrices(items: readonly Dated[], at: number): string[] {
  const oldest = items
    .flatMap(({ asOf }) => (asOf !== undefined && isDate(asOf) ? [asOf] : []))
    .sort()
    .find((date) => at - Date.parse(date) > FULL_YEAR);
  const undated = items.filter(({ asOf }) => asOf !== undefined && !isDate(asOf)).map(({ label }) => label);
  return [
    ...(oldest === undefined
      ? []
      : [`The oldest price is dated ${oldest}, more than a year ago. Check it before deciding.`]),
    ...(undated.length === 0 ? [] : [`Undated: the price of ${undated.join(', ')}. Check it before deciding.`]),
  ];
}

const isDate = (text: string): boolean => /^\d{4}(-\d\d){0,2}$/.test(text);
