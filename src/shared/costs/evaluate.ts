import type { CostComponent, CostResult, CostSpec } from '../model/cost.ts';
import { type Instance, type PriceCatalogue, sourceOf, type Volume } from './catalogue.ts';
import { HOURS_PER_MONTH, perMonthOf } from './hours.ts';
import { otherCurrency, priceMissing, unknownId } from './problems.ts';
import { type PricedVolume, priceVolume } from './volume.ts';
import { amount, money, withoutNoise } from './words.ts';

type CostItem = CostResult['items'][number];
type Component<Kind extends CostComponent['kind']> = Extract<CostComponent, { kind: Kind }>;

/**
 * What a system costs, in list prices: month = 730 hours, year = 12 months.
 * Throws bad-request when there is no price (unknown id, price not known, size that cannot be bought, other currency).
 */
export function evaluateCost(spec: CostSpec, catalogue: PriceCatalogue): CostResult {
  const disks = { iops: 0, throughput: 0 };
  const instances: { entry: Instance; item: CostItem; count: number }[] = [];
  const items = spec.components.map((component) => {
    if (component.kind === 'own') return ownItem(component);
    const entry = entryOf(catalogue, component.id, spec.currency);
    const item =
      component.kind === 'instance'
        ? instanceItem(catalogue, requireKind(entry, 'instance'), component)
        : volumeItem(catalogue, requireKind(entry, 'volume'), component, disks);
    if (entry.kind === 'instance') instances.push({ entry, item, count: component.count });
    return item;
  });
  warnAboutCaps(instances, disks);
  const perMonth = withoutNoise(items.reduce((sum, item) => sum + item.perMonth, 0));
  return { currency: spec.currency, ...spans(perMonth), items };
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

const spans = (perMonth: number): { perHour: number; perMonth: number; perYear: number } => ({
  perHour: withoutNoise(perMonth / HOURS_PER_MONTH),
  perMonth,
  perYear: withoutNoise(perMonth * 12),
});

const each = (per: 'hour' | 'month' | 'year'): string => (per === 'hour' ? 'an hour' : `a ${per}`);

function ownItem(component: Component<'own'>): CostItem {
  const { label, per } = component;
  const perMonth = withoutNoise(perMonthOf(component.amount, per));
  return { label, ...spans(perMonth), how: `own figure: ${money(component.amount)} ${each(per)}`, warnings: [] };
}

function instanceItem(catalogue: PriceCatalogue, entry: Instance, component: Component<'instance'>): CostItem {
  if (entry.rate === null) throw priceMissing(entry.title);
  const { count } = component;
  const per = entry.per ?? 'hour';
  const full = perMonthOf(entry.rate, per);
  const capped = entry.monthlyMost !== undefined && full > entry.monthlyMost;
  const perMonth = withoutNoise(count * Math.min(full, entry.monthlyMost ?? full));
  const most = capped ? `, at most ${money(entry.monthlyMost ?? 0)} a month` : '';
  return {
    label: times(count, entry.title),
    ...spans(perMonth),
    how: times(count, `${money(entry.rate)} ${each(per)}${most} (${entry.basis})`),
    source: sourceOf(catalogue, entry),
    asOf: entry.asOf,
    warnings: [],
  };
}

function volumeItem(
  catalogue: PriceCatalogue,
  entry: Volume,
  component: Component<'volume'>,
  disks: { iops: number; throughput: number },
): CostItem {
  const { count } = component;
  const priced: PricedVolume = priceVolume(entry, component);
  disks.iops += count * (priced.iops ?? 0);
  disks.throughput += count * (priced.throughput ?? 0);
  const sum = `${priced.how.join(' + ')} per month`;
  return {
    label: times(count, entry.title),
    ...spans(withoutNoise(count * priced.perMonth)),
    how: count === 1 ? sum : `${amount(count)} × (${sum})`,
    source: sourceOf(catalogue, entry),
    asOf: entry.asOf,
    warnings: priced.warnings,
  };
}

const times = (count: number, text: string): string => (count === 1 ? text : `${amount(count)} × ${text}`);

/** Machines can be slower than the volumes one buys for them. Said only when the cap of every machine is known. */
function warnAboutCaps(
  instances: readonly { entry: Instance; item: CostItem; count: number }[],
  disks: { iops: number; throughput: number },
): void {
  for (const [what, offered] of [
    ['iops', disks.iops],
    ['throughput', disks.throughput],
  ] as const) {
    const caps = instances.map(({ entry, count }) => ({ cap: entry.diskCaps?.[what], count }));
    const total = (which: 'sustained' | 'burst'): number =>
      caps.reduce((sum, { cap, count }) => sum + count * (cap?.[which] ?? Number.POSITIVE_INFINITY), 0);
    const first = instances[0];
    if (first === undefined || offered <= total('sustained')) continue;
    const unit = what === 'iops' ? 'IOPS' : (first.entry.diskCaps?.throughput?.unit ?? 'MB/s');
    const [sustained, burst] = [total('sustained'), total('burst')];
    const start = `The volumes offer ${amount(offered)} ${unit}, but ${first.item.label} can use`;
    first.item.warnings.push(
      offered > burst
        ? `${start} ${amount(burst)} at most${burst > sustained ? ` and ${amount(sustained)} for long` : ''}.`
        : `${start} ${amount(sustained)} for long (${amount(burst)} for ${first.entry.diskCaps?.burstFor ?? 'a while'}).`,
    );
  }
}
