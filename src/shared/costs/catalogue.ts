import { z } from 'zod';
import type { CatalogueEntry, CostComponent, CostSpec } from '../model/cost.ts';
import { amount, money } from './words.ts';

/** Unit of throughput: MiB are binary, MB decimal. */
const Unit = z.enum(['MiB/s', 'MB/s']);
export type Unit = z.infer<typeof Unit>;

const Per = z.enum(['hour', 'month']);
export type Per = z.infer<typeof Per>;

/** Amounts above `included` cost the rate of the tier that they are in; `upTo` counts from zero. */
const Metered = z.object({
  included: z.number(),
  tiers: z.array(z.object({ upTo: z.number().optional(), rate: z.number() })),
  per: Per,
});
export type Metered = z.infer<typeof Metered>;

/**
 * Burst above the sustained performance. For sizes between `aboveGb` and `belowGb` (both excluded): up to `perGb` times the size or `max`.
 * It lasts as long as full credits do: they are spent at the burst rate and earned at the sustained rate; with `spentAtIops` credits are
 * I/O operations, of which the burst needs this many per second.
 */
const Burst = z.object({
  max: z.number(),
  perGb: z.number().optional(),
  aboveGb: z.number().optional(),
  belowGb: z.number().optional(),
  credits: z.number().optional(),
  creditsPerGb: z.number().optional(),
  spentAtIops: z.number().optional(),
});
export type Burst = z.infer<typeof Burst>;

/**
 * Sustained performance. `perGb`, between `min` and `max`: included in the size. `bySize`: the same in steps. `byIops`: included in the
 * IOPS. `min`, `max`, `perGbMost`, `perGbLeast`, `perIopsMost`: limits of the choice.
 */
const Limit = z.object({
  min: z.number().optional(),
  max: z.number().optional(),
  perGb: z.number().optional(),
  bySize: z.array(z.object({ upToGb: z.number().optional(), value: z.number() })).optional(),
  byIops: z.array(z.object({ upToIops: z.number().optional(), perIops: z.number(), max: z.number() })).optional(),
  perGbMost: z.number().optional(),
  perGbLeast: z.number().optional(),
  perIopsMost: z.number().optional(),
  burst: Burst.optional(),
});
export type Limit = z.infer<typeof Limit>;

/** Limits of all network disks of a machine together; `burst` only for a while. Megabytes are decimal. */
const Caps = {
  iops: z.object({ sustained: z.number(), burst: z.number() }).optional(),
  throughput: z.object({ sustained: z.number(), burst: z.number(), unit: Unit }).optional(),
};

const Origin = {
  id: z.string(),
  provider: z.string(),
  region: z.string(),
  title: z.string(),
  currency: z.string(),
  sources: z.array(z.string()),
  asOf: z.string(),
  confidence: z.string(),
  notes: z.array(z.string()).optional(),
};

const Instance = z.object({
  ...Origin,
  kind: z.literal('instance'),
  vcpu: z.number(),
  memoryGib: z.number(),
  architecture: z.string().optional(),
  /** null: unknown, never zero. */
  rate: z.number().nullable(),
  per: Per.optional(),
  /** Maximum price of a month; null: there is one, but it is unknown. */
  monthlyMost: z.number().nullable().optional(),
  /** Maximum billed hours of a month. */
  hoursMost: z.number().optional(),
  basis: z.string(),
  /** `provisioned`: limits if a volume has this `cap`, where they differ. */
  diskCaps: z.object({ ...Caps, burstFor: z.string().optional(), provisioned: z.object(Caps).optional() }).optional(),
});
export type Instance = z.infer<typeof Instance>;

const Volume = z.object({
  ...Origin,
  kind: z.literal('volume'),
  size: z.object({ min: z.number().optional(), max: z.number().optional() }).optional(),
  capacity: z.object({ rate: z.number().nullable(), per: Per }).optional(),
  iops: Metered.optional(),
  throughput: Metered.optional(),
  throughputUnit: Unit,
  /** Fixed sizes: the smallest sufficient one is billed, with its own performance. */
  steps: z
    .array(
      z.object({
        title: z.string(),
        size: z.number(),
        rate: z.number(),
        per: Per,
        iops: z.number(),
        throughput: z.number(),
        /** For `seconds` with full credits; `onDemand`: at an extra charge. */
        burst: z
          .object({
            iops: z.number(),
            throughput: z.number(),
            seconds: z.number().optional(),
            onDemand: z.boolean().optional(),
          })
          .optional(),
      }),
    )
    .optional(),
  limits: z.object({ iops: Limit.optional(), throughput: Limit.optional() }).optional(),
  /** Inside the machine: limits of network disks do not apply. */
  local: z.boolean().optional(),
  /** The limits of a machine that apply to it; absent: the usual ones. */
  cap: z.literal('provisioned').optional(),
  notIncluded: z.array(z.string()).optional(),
});
export type Volume = z.infer<typeof Volume>;

/** The file `assets/prices/catalogue.json`. Prices are data: a provider is only rows. */
const PriceCatalogue = z.object({
  format: z.literal('kneepoint-prices/1'),
  compiled: z.string(),
  disclaimer: z.string(),
  confidence: z.record(z.string(), z.string()),
  sources: z.record(z.string(), z.looseObject({ title: z.string(), ref: z.string(), asOf: z.string() })),
  entries: z.array(z.discriminatedUnion('kind', [Instance, Volume])),
});
export type PriceCatalogue = z.infer<typeof PriceCatalogue>;

export const parseCatalogue = (json: unknown): PriceCatalogue => PriceCatalogue.parse(json);

/** The catalogue as a list of choices. */
export function catalogueEntries(catalogue: PriceCatalogue): CatalogueEntry[] {
  return catalogue.entries.map((entry) => ({
    id: entry.id,
    kind: entry.kind,
    provider: entry.provider,
    region: entry.region,
    title: entry.title,
    summary: entry.kind === 'instance' ? instanceSummary(entry) : volumeSummary(entry),
    perHour: entry.kind === 'instance' ? entry.rate : null,
    ...(entry.kind === 'volume' && { throughputUnit: entry.throughputUnit, included: includedIn(entry) }),
    currency: entry.currency,
    confidence: entry.confidence,
    source: sourceOf(catalogue, entry),
    asOf: entry.asOf,
  }));
}

const includedIn = ({ iops, throughput }: Volume): NonNullable<CatalogueEntry['included']> => ({
  ...(iops && { iops: iops.included }),
  ...(throughput && { throughput: throughput.included }),
});

/** Title of the price list that a price is from: the first of its sources. The others describe limits and sizes. */
export const priceListOf = (catalogue: PriceCatalogue, entry: { sources: string[] }): string =>
  sourceOf(catalogue, { sources: entry.sources.slice(0, 1) });

/** Titles of the documents that a price, with its limits, is from. */
const sourceOf = (catalogue: PriceCatalogue, entry: { sources: string[] }): string =>
  entry.sources.map((id) => catalogue.sources[id]?.title ?? id).join('; ');

function instanceSummary(entry: Instance): string {
  const price = entry.rate === null ? 'price unknown' : `${money(entry.rate)} ${entry.currency}/h`;
  return `${amount(entry.vcpu)} vCPU, ${amount(entry.memoryGib)} GiB, ${price}`;
}

function volumeSummary(entry: Volume): string {
  if (entry.steps !== undefined) {
    const [first, last] = [entry.steps[0], entry.steps.at(-1)];
    return `fixed sizes ${first?.title} to ${last?.title}, ${money(first?.rate ?? 0)} to ${money(last?.rate ?? 0)} ${entry.currency} a month`;
  }
  const { capacity, iops, throughput } = entry;
  const rate = capacity?.rate ?? null;
  const parts = [rate === null ? 'price unknown' : `${money(rate)} ${entry.currency} per GB-${capacity?.per}`];
  if (iops !== undefined) parts.push(meteredSummary(iops, 'IOPS'));
  if (throughput !== undefined) parts.push(meteredSummary(throughput, entry.throughputUnit));
  return parts.join(', ');
}

function meteredSummary({ included, tiers, per }: Metered, unit: string): string {
  const rates = tiers.map((tier) => money(tier.rate)).join(' / ');
  const start = included > 0 ? `${amount(included)} ${unit} included, then ` : '';
  return `${start}${rates} per ${unit}-${per}`;
}

/** The system that is paid for, in words: the name of each price, otherwise its parts, as in "m5.large + gp3 500 GB, 6,000 IOPS". */
export const systemWords = (prices: readonly CostSpec[], catalogue: PriceCatalogue): string =>
  prices
    .flatMap(({ label, components }) =>
      label.trim() === '' ? components.map((component) => partWords(component, catalogue)) : [label.trim()],
    )
    .join(' + ');

function partWords(component: CostComponent, { entries }: PriceCatalogue): string {
  if (component.kind === 'own') return component.label.trim() || 'custom item';
  const { id, count } = component;
  // An id ends with the name in the provider's own interfaces.
  const name = id.split('/').at(-1) ?? id;
  const times = count === 1 ? '' : `${amount(count)} × `;
  if (component.kind === 'instance') return `${times}${name}`;
  const { sizeGb, iops, throughputMibS } = component;
  const entry = entries.find((each) => each.id === id);
  const unit = entry?.kind === 'volume' ? entry.throughputUnit : 'MiB/s';
  return [
    `${times}${name} ${amount(sizeGb)} GB`,
    ...(iops === undefined ? [] : [`${amount(iops)} IOPS`]),
    ...(throughputMibS === undefined ? [] : [`${amount(throughputMibS)} ${unit}`]),
  ].join(', ');
}
