import type { CostResult, Performance } from '../model/cost.ts';
import { formatDuration } from '../util/format.ts';
import type { Burst, Limit } from './catalogue.ts';
import { amount } from './words.ts';

/** Properties of a volume: its size in GB, and the IOPS that it sustains, if known. */
export interface Known {
  size: number;
  iops?: number | undefined;
}

/** Performance included in size and IOPS of a volume, not purchased separately; undefined if unknown. */
export function performanceOf(limit: Limit, known: Known): Performance | undefined {
  const sustained = sustainedOf(limit, known);
  if (sustained === undefined) return undefined;
  return { sustained, ...(limit.burst && burstOf(limit.burst, sustained, known)) };
}

function sustainedOf(limit: Limit, { size, iops }: Known): number | undefined {
  if (limit.bySize) return limit.bySize.find(({ upToGb }) => size <= (upToGb ?? Number.POSITIVE_INFINITY))?.value;
  if (limit.byIops) {
    if (iops === undefined) return undefined;
    const step = limit.byIops.find(({ upToIops }) => iops <= (upToIops ?? Number.POSITIVE_INFINITY));
    return step && Math.min(step.max, step.perIops * iops);
  }
  if (limit.perGb === undefined) return limit.max;
  return Math.min(limit.max ?? Number.POSITIVE_INFINITY, Math.max(limit.min ?? 0, limit.perGb * size));
}

function burstOf(burst: Burst, sustained: number, { size, iops }: Known): Omit<Performance, 'sustained'> | undefined {
  const { aboveGb = 0, belowGb = Number.POSITIVE_INFINITY, spentAtIops } = burst;
  const level = Math.min(burst.max, burst.perGb === undefined ? Number.POSITIVE_INFINITY : burst.perGb * size);
  if (size <= aboveGb || size >= belowGb || level <= sustained) return undefined;
  const credits = (burst.credits ?? 0) + (burst.creditsPerGb ?? 0) * size;
  const [spent, earned] = spentAtIops === undefined ? [level, sustained] : [spentAtIops, iops ?? 0];
  return { burst: level, burstSeconds: credits / (spent - earned) };
}

/** An excess of this factor over the request is rounding, not a contradiction. */
const ROUNDED = 1.01;

/**
 * Why a volume has another performance than requested, if it is included in size or IOPS and cannot be purchased; undefined if it has not.
 */
export function otherThanAsked(
  title: string,
  unit: string,
  limit: Limit,
  asked: number,
  given: Performance | undefined,
  known: Known,
): string | undefined {
  if (!given)
    return `${title} does not sell ${unit} separately: ${amount(asked)} are not in this price. ${omitWords(unit)}`;
  const of = limit.byIops ? `with ${amount(known.iops ?? 0)} IOPS` : `of ${amount(known.size)} GB`;
  if (asked <= given.sustained) return moreThanAsked(`${title} ${of}`, unit, asked, given);
  return `${sentence(`${title} ${of}`, unit, asked, given)} (${neededFor(limit, asked)}).`;
}

/** The same for a volume of a fixed size. */
export const otherThanAskedOfStep = (title: string, unit: string, asked: number, given: Performance) =>
  asked <= given.sustained ? moreThanAsked(title, unit, asked, given) : `${sentence(title, unit, asked, given)}.`;

const omitWords = (unit: string): string => `Omit ${unit === 'IOPS' ? unit : 'throughput'}.`;

const moreThanAsked = (title: string, unit: string, asked: number, { sustained }: Performance): string | undefined =>
  sustained <= asked * ROUNDED
    ? undefined
    : `${title} gives ${amount(rounded(sustained))} ${unit}, not ${amount(asked)}: they come with the volume and are not sold separately. ${omitWords(unit)}`;

function sentence(title: string, unit: string, asked: number, given: Performance): string {
  const start = `${title} gives ${amount(rounded(given.sustained))} ${unit}`;
  return given.burst !== undefined && asked <= given.burst
    ? `${start} sustained; ${amount(asked)} only ${whileCreditsLast(given)}`
    : `${start}, not ${amount(asked)}`;
}

/** Requirements for this performance, in words. */
function neededFor(limit: Limit, asked: number): string {
  const size = sizeFor(limit, asked);
  if (size !== undefined) return `${amount(size)} GB are needed for that`;
  const step = limit.byIops?.find(({ max }) => asked <= max);
  return step ? `${amount(Math.ceil(asked / step.perIops))} IOPS are needed for that` : 'more than it can reach';
}

/** The smallest size that sustains this much; undefined if none does. */
function sizeFor({ bySize, perGb, max = Number.POSITIVE_INFINITY }: Limit, asked: number): number | undefined {
  const step = bySize?.findIndex(({ value }) => value >= asked) ?? -1;
  if (bySize && step >= 0) return (bySize[step - 1]?.upToGb ?? 0) + 1;
  return perGb === undefined || asked > max ? undefined : Math.ceil(asked / perGb);
}

const whileCreditsLast = ({ burstSeconds }: Performance): string =>
  burstSeconds === undefined
    ? 'on demand, for an extra charge'
    : `for ${formatDuration(burstSeconds)} with full credits`;

/** Performance of volumes, a sentence for each known dimension; if none is known, a sentence with that. */
export function performanceWords({ iops, throughput }: NonNullable<CostResult['items'][number]['gives']>): string[] {
  const sentences = [iops && sentenceOf(iops, 'IOPS'), throughput && sentenceOf(throughput, throughput.unit)];
  const known = sentences.filter((sentence) => sentence !== undefined);
  return known.length > 0 ? known : ['Its performance is not in the catalogue.'];
}

function sentenceOf(what: Performance, unit: string): string {
  const { sustained, burst, burstSeconds } = what;
  const start = `${amount(rounded(sustained))} ${unit} sustained`;
  if (burst === undefined) return `${start}.`;
  const then = burstSeconds === undefined ? ' that is not in this price' : `, then ${amount(rounded(sustained))}`;
  return `${start}; bursts to ${amount(rounded(burst))} ${whileCreditsLast(what)}${then}.`;
}

const rounded = (value: number): number => Number(value.toPrecision(5));
