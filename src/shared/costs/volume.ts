import type { Limit, Metered, Per, Volume } from './catalogue.ts';
import { HOURS_PER_MONTH, perMonthOf } from './hours.ts';
import { priceMissing, tooLarge } from './problems.ts';
import { amount, money } from './words.ts';

export interface VolumeRequest {
  sizeGb: number;
  iops?: number | undefined;
  /** In the unit the volume is billed in (MiB/s or MB/s): both are taken as they are. */
  throughputMibS?: number | undefined;
}

/** One volume: its price per month, how it came about, and what it can do (undefined: not known). */
export interface PricedVolume {
  perMonth: number;
  how: string[];
  iops: number | undefined;
  throughput: number | undefined;
  warnings: string[];
}

/** A price for a disk that cannot exist is the commonest mistake: what is asked for is first brought inside the limits. */
export function priceVolume(volume: Volume, request: VolumeRequest): PricedVolume {
  const warnings = (volume.notIncluded ?? []).map((text) => `Not included: ${text}.`);
  const size = sizeBilled(volume, request.sizeGb, warnings);
  if (volume.steps !== undefined) return priceStep(volume, volume.steps, size, request, warnings);
  const iops = deliverable(volume, 'IOPS', size, request.iops, warnings);
  const throughput = deliverable(volume, 'throughput', size, request.throughputMibS, warnings, iops);
  if (volume.capacity === undefined || volume.capacity.rate === null) throw priceMissing(volume.title);
  const terms = [
    { count: size, unit: 'GB', rate: volume.capacity.rate, per: volume.capacity.per },
    ...(volume.iops === undefined ? [] : meteredTerms(volume.iops, iops ?? 0, 'IOPS')),
    ...(volume.throughput === undefined ? [] : meteredTerms(volume.throughput, throughput ?? 0, volume.throughputUnit)),
  ];
  return {
    perMonth: terms.reduce((sum, term) => sum + perMonthOf(term.count * term.rate, term.per), 0),
    how: terms.map(termWords),
    iops,
    throughput,
    warnings,
  };
}

interface Term {
  count: number;
  unit: string;
  rate: number;
  per: Per;
}

const termWords = ({ count, unit, rate, per }: Term): string =>
  `${amount(count)} ${unit} × ${money(rate)}${per === 'hour' ? ` × ${HOURS_PER_MONTH} h` : ''}`;

/** The part of `count` in each tier. What is included costs nothing, wherever it falls. */
function meteredTerms({ included, tiers, per }: Metered, count: number, unit: string): Term[] {
  const terms: Term[] = [];
  let from = included;
  for (const { upTo, rate } of tiers) {
    const until = Math.min(count, upTo ?? Number.POSITIVE_INFINITY);
    if (until > from) {
      terms.push({ count: until - from, unit, rate, per });
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
  warnings: string[],
): PricedVolume {
  const step = steps.find((candidate) => candidate.size >= size);
  if (step === undefined) throw tooLarge(volume.title, size, steps.at(-1)?.size ?? 0);
  for (const [asked, given, unit] of [
    [request.iops, step.iops, 'IOPS'],
    [request.throughputMibS, step.throughput, volume.throughputUnit],
  ] as const) {
    if (asked !== undefined && asked > given) {
      warnings.push(`${step.title} gives ${amount(given)} ${unit}, not ${amount(asked)}.`);
    }
  }
  return {
    perMonth: perMonthOf(step.rate, step.per),
    how: [`${step.title} (${amount(step.size)} GB) ${money(step.rate)}`],
    iops: step.iops,
    throughput: step.throughput,
    warnings,
  };
}

function sizeBilled(volume: Volume, sizeGb: number, warnings: string[]): number {
  const { min = 0, max = Number.POSITIVE_INFINITY } = volume.size ?? {};
  if (sizeGb < min) warnings.push(`The smallest ${volume.title} has ${amount(min)} GB: that is what is priced.`);
  if (sizeGb > max) throw tooLarge(volume.title, sizeGb, max);
  return Math.max(sizeGb, min);
}

/** What the volume gives: what was asked for, inside its limits, or what its size brings. */
function deliverable(
  volume: Volume,
  what: 'IOPS' | 'throughput',
  size: number,
  asked: number | undefined,
  warnings: string[],
  iops?: number,
): number | undefined {
  const metered = what === 'IOPS' ? volume.iops : volume.throughput;
  const limit = (what === 'IOPS' ? volume.limits?.iops : volume.limits?.throughput) ?? {};
  const unit = what === 'IOPS' ? 'IOPS' : volume.throughputUnit;
  if (metered === undefined) return givenBySize(volume, limit, unit, size, asked, warnings);
  const included = metered.included;
  const most = Math.max(included, mostOf(limit, size, iops));
  const least = Math.min(most, Math.max(included, limit.min ?? 0, (limit.perGbLeast ?? 0) * size));
  if (asked === undefined) {
    if (included === 0) warnings.push(`No ${unit} were asked for: priced with ${amount(least)}.`);
    return least;
  }
  if (asked > most)
    warnings.push(
      `${volume.title} reaches at most ${amount(most)} ${unit} here: priced with that, not ${amount(asked)}.`,
    );
  if (asked < least && least > included)
    warnings.push(`${volume.title} has at least ${amount(least)} ${unit}: priced with that.`);
  return Math.min(most, Math.max(least, asked));
}

function mostOf(limit: Limit, size: number, iops: number | undefined): number {
  const byIops =
    limit.perIopsMost === undefined || iops === undefined ? Number.POSITIVE_INFINITY : limit.perIopsMost * iops;
  const bySize = limit.perGbMost === undefined ? Number.POSITIVE_INFINITY : limit.perGbMost * size;
  return Math.min(limit.max ?? Number.POSITIVE_INFINITY, bySize, byIops);
}

function givenBySize(
  volume: Volume,
  limit: Limit,
  unit: string,
  size: number,
  asked: number | undefined,
  warnings: string[],
): number | undefined {
  const max = limit.max ?? Number.POSITIVE_INFINITY;
  if (limit.perGb === undefined) {
    if (asked !== undefined && asked > max)
      warnings.push(`${volume.title} reaches at most ${amount(max)} ${unit}, not ${amount(asked)}.`);
    return limit.max;
  }
  const given = Math.min(max, Math.max(limit.min ?? 0, limit.perGb * size));
  if (asked !== undefined && asked > given) {
    const needed =
      asked > max ? 'more than it can reach' : `${amount(Math.ceil(asked / limit.perGb))} GB are needed for that`;
    warnings.push(
      `${volume.title} of ${amount(size)} GB gives ${amount(given)} ${unit}, not ${amount(asked)} (${needed}).`,
    );
  }
  return given;
}
