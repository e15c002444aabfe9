import type { CostResult, Performance } from '../model/cost.ts';
import type { Limit, Metered, Per, Volume } from './catalogue.ts';
import { type Known, otherThanAsked, otherThanAskedOfStep, performanceOf } from './performance.ts';
import { perMonthOf } from './value.ts';
import { amount, money, priceMissing, tooLarge } from './words.ts';

export type Gives = NonNullable<CostResult['items'][number]['gives']>;

export interface VolumeRequest {
  sizeGb: number;
  iops?: number | undefined;
  /** In the unit that the volume is sold in. */
  throughputMibS?: number | undefined;
}

/** One volume: its monthly price, the calculation, and its performance. */
export interface PricedVolume {
  perMonth: number;
  how: string[];
  shares: NonNullable<CostResult['items'][number]['shares']>;
  gives: Gives;
  warnings: string[];
}

/** Whether a volume of this size sustains this many IOPS, purchased or included in its size. */
export function sustainsIops({ steps, iops, limits }: Volume, sizeGb: number, wanted: number): boolean {
  if (steps) return (steps.find(({ size }) => size >= sizeGb)?.iops ?? 0) >= wanted;
  const limit = limits?.iops ?? {};
  const most = iops
    ? Math.max(iops.included, mostOf(limit, sizeGb, undefined))
    : performanceOf(limit, { size: sizeGb })?.sustained;
  return (most ?? 0) >= wanted;
}

/** A performance dimension of a volume, with its limit and its price. */
interface Dimension {
  unit: string;
  limit: Limit;
  /** Absent: included in the size or IOPS. */
  metered: Metered | undefined;
}

/** Prices for disks that cannot exist are the commonest mistake: requests are first clamped to the limits. */
export function priceVolume(volume: Volume, request: VolumeRequest, hours: number): PricedVolume {
  const warnings = (volume.notIncluded ?? []).map((text) => `Not included: ${text}.`);
  const size = sizeBilled(volume, request.sizeGb, warnings);
  if (volume.steps !== undefined) return priceStep(volume, volume.steps, size, request, hours, warnings);
  if (volume.capacity === undefined || volume.capacity.rate === null) throw priceMissing(volume.title);
  const { limits, throughputUnit: unit } = volume;
  const ofIops: Dimension = { unit: 'IOPS', limit: limits?.iops ?? {}, metered: volume.iops };
  const ofThroughput: Dimension = { unit, limit: limits?.throughput ?? {}, metered: volume.throughput };
  const iops = given(volume, ofIops, { size }, request.iops, warnings);
  const throughput = given(volume, ofThroughput, { size, iops: iops?.sustained }, request.throughputMibS, warnings);
  const termsOf = {
    size: [{ count: size, unit: 'GB', rate: volume.capacity.rate, per: volume.capacity.per }],
    IOPS: meteredTerms(ofIops, iops),
    throughput: meteredTerms(ofThroughput, throughput),
  };
  const shares = (['size', 'IOPS', 'throughput'] as const).map((what) => ({
    what,
    perMonth: termsOf[what].reduce((sum, term) => sum + perMonthOf(term.count * term.rate, term.per, hours), 0),
  }));
  const terms = [...termsOf.size, ...termsOf.IOPS, ...termsOf.throughput];
  return {
    perMonth: shares.reduce((sum, { perMonth }) => sum + perMonth, 0),
    shares,
    how: terms.map((term) => termWords(term, hours)),
    gives: { ...(iops && { iops }), ...(throughput && { throughput: { ...throughput, unit } }) },
    warnings,
  };
}

/** Purchased performance, or performance included in size and IOPS. */
function given(
  volume: Volume,
  dimension: Dimension,
  known: Known,
  asked: number | undefined,
  warnings: string[],
): Performance | undefined {
  const { unit, limit, metered } = dimension;
  if (metered) return { sustained: bought(volume, { ...dimension, metered }, known, asked, warnings) };
  const performance = performanceOf(limit, known);
  const other = asked === undefined ? undefined : otherThanAsked(volume.title, unit, limit, asked, performance, known);
  if (other !== undefined) warnings.push(other);
  return performance;
}

/** The amount paid for: the request within the limits, or the minimum without a request. */
function bought(
  { title }: Volume,
  { unit, limit, metered: { included } }: Dimension & { metered: Metered },
  known: Known,
  asked: number | undefined,
  warnings: string[],
): number {
  const { size, iops } = known;
  const most = Math.max(included, mostOf(limit, size, iops));
  const least = Math.min(most, Math.max(included, limit.min ?? 0, (limit.perGbLeast ?? 0) * size));
  if (asked === undefined) {
    if (included === 0) {
      const range = Number.isFinite(most) ? `, ${amount(least)} to ${amount(most)} for ${amount(size)} GB` : '';
      warnings.push(
        `${title} includes no ${unit}, and none are given: priced with ${amount(least)}. Enter the purchased amount${range}.`,
      );
    }
    return least;
  }
  if (asked > most)
    warnings.push(
      `${title} ${mostWords(limit, known, unit, most)}: priced with that, not ${amount(asked)} (${neededToBuy(limit, asked, unit)}).`,
    );
  if (asked < least && least > included)
    warnings.push(`${title} has at least ${amount(least)} ${unit}: priced with that, not ${amount(asked)}.`);
  return Math.min(most, Math.max(least, asked));
}

/** Its maximum, and what determines it. */
function mostWords({ perGbMost, perIopsMost }: Limit, { size, iops }: Known, unit: string, most: number): string {
  const reaches = `reaches at most ${amount(most)} ${unit}`;
  if (perIopsMost !== undefined && iops !== undefined && perIopsMost * iops <= most)
    return `with ${amount(iops)} IOPS ${reaches}, ${amount(perIopsMost)} per IOPS`;
  if (perGbMost !== undefined && perGbMost * size <= most)
    return `of ${amount(size)} GB ${reaches}${perGbMost * size === most ? `, ${amount(perGbMost)} per GB` : ''}`;
  return reaches;
}

/** Requirements for buying this much, in words. */
function neededToBuy({ max = Number.POSITIVE_INFINITY, perGbMost, perIopsMost }: Limit, asked: number, unit: string) {
  if (asked > max) return `no volume of this type has more than ${amount(max)} ${unit}`;
  const [per, what] = perIopsMost === undefined ? [perGbMost ?? 1, 'GB'] : [perIopsMost, 'IOPS'];
  return `${amount(Math.ceil(asked / per))} ${what} are needed for that`;
}

function mostOf(limit: Limit, size: number, iops: number | undefined): number {
  const byIops =
    limit.perIopsMost === undefined || iops === undefined ? Number.POSITIVE_INFINITY : limit.perIopsMost * iops;
  const bySize = limit.perGbMost === undefined ? Number.POSITIVE_INFINITY : limit.perGbMost * size;
  return Math.min(limit.max ?? Number.POSITIVE_INFINITY, bySize, byIops);
}

interface Term {
  count: number;
  unit: string;
  rate: number;
  per: Per;
}

const termWords = ({ count, unit, rate, per }: Term, hours: number): string =>
  `${amount(count)} ${unit} × ${money(rate)}${per === 'hour' ? ` × ${amount(hours)} h` : ''}`;

/** Its parts by tier. Included amounts cost nothing, whatever tier they are in. */
function meteredTerms({ metered, unit }: Dimension, paid: Performance | undefined): Term[] {
  if (!metered || !paid) return [];
  const terms: Term[] = [];
  let from = metered.included;
  for (const { upTo, rate } of metered.tiers) {
    const until = Math.min(paid.sustained, upTo ?? Number.POSITIVE_INFINITY);
    if (until > from) {
      terms.push({ count: until - from, unit, rate, per: metered.per });
      from = until;
    }
  }
  return terms;
}

function priceStep(
  volume: Volume,
  steps: NonNullable<Volume['steps']>,
  size: number,
  request: VolumeRequest,
  hours: number,
  warnings: string[],
): PricedVolume {
  const step = steps.find((candidate) => candidate.size >= size);
  if (step === undefined) throw tooLarge(volume.title, size, steps.at(-1)?.size ?? 0);
  const { title, burst } = step;
  const seconds = burst?.seconds === undefined ? {} : { burstSeconds: burst.seconds };
  const iops = { sustained: step.iops, ...(burst && { burst: burst.iops, ...seconds }) };
  const throughput = { sustained: step.throughput, ...(burst && { burst: burst.throughput, ...seconds }) };
  for (const [asked, performance, unit] of [
    [request.iops, iops, 'IOPS'],
    [request.throughputMibS, throughput, volume.throughputUnit],
  ] as const) {
    const other = asked === undefined ? undefined : otherThanAskedOfStep(title, unit, asked, performance);
    if (other !== undefined) warnings.push(other);
  }
  const perMonth = perMonthOf(step.rate, step.per, hours);
  return {
    perMonth,
    shares: [{ what: 'size', perMonth }],
    how: [`${title} (${amount(step.size)} GB) ${money(step.rate)}`],
    gives: { iops, throughput: { ...throughput, unit: volume.throughputUnit } },
    warnings,
  };
}

/** Volumes are sold in whole GB, with a minimum size. */
function sizeBilled(volume: Volume, sizeGb: number, warnings: string[]): number {
  const { min = 0, max = Number.POSITIVE_INFINITY } = volume.size ?? {};
  if (sizeGb > max) throw tooLarge(volume.title, sizeGb, max);
  if (sizeGb < min) {
    warnings.push(`The smallest ${volume.title} has ${amount(min)} GB, so that size is priced.`);
    return min;
  }
  return Math.ceil(sizeGb);
}
