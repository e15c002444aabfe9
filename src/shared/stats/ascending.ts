import { mergeAscending } from './spread.ts';

const POWERS = [1, 10, 100, 1000];
/** Fewer values are sorted directly. */
const FEW = 256;
const BITS = 11;
const BUCKETS = 2 ** BITS;
const MOST_STEPS = 2 ** (3 * BITS - 1);
/** With at most this many steps per value, values are counted by step, which takes one pass instead of one for each digit. */
const DENSE = 4;
/** Enough for a few long runs. */
const MOST_KEPT = 2 ** 20;

/**
 * A copy in ascending order. Tools print few decimals: such values are sorted as integers, digit by digit, in a fifth of the time of a
 * generic sort. Anything else is sorted generically; the result is bit for bit the same.
 */
export const ascendingOf = (values: Float64Array): Float64Array<ArrayBuffer> =>
  byDigits(values) ?? values.slice().sort();

/**
 * All of these in ascending order; each of `parts` is already sorted, and `values` are those of all parts in any order. Counting them again
 * takes half the time of merging.
 */
export const ascendingOfParts = (parts: readonly Float64Array[], values: Float64Array): Float64Array =>
  parts.length <= 1 ? (parts[0] ?? values) : (byDigits(values) ?? mergeAscending(parts));

function byDigits(values: Float64Array): Float64Array<ArrayBuffer> | undefined {
  if (values.length < FEW) return undefined;
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] as number;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  for (const power of POWERS) {
    const first = Math.round(low * power);
    const most = Math.round(high * power) - first;
    // Infinities and unknown values are not integers.
    if (!(most < MOST_STEPS)) return undefined;
    const steps = stepsOf(values, power, first);
    if (!steps) continue;
    if (most < DENSE * values.length) return counted(steps, { first, most, power });
    const ordered = inOrder(steps, most);
    const result = new Float64Array(values.length);
    for (let index = 0; index < result.length; index += 1) result[index] = (first + (ordered[index] as number)) / power;
    return result;
  }
  return undefined;
}

/** Reused memory: for hours of many runs it would be a large part of all garbage. */
const scratch = { steps: new Uint32Array(0), counts: new Uint32Array(0) };

function fromScratch(what: keyof typeof scratch, length: number): Uint32Array {
  if (length > MOST_KEPT) return new Uint32Array(length);
  if (scratch[what].length < length) scratch[what] = new Uint32Array(length);
  return scratch[what].subarray(0, length);
}

/** Each value as its distance from the first in steps of 1/power; undefined if one is not a multiple of that. */
function stepsOf(values: Float64Array, power: number, first: number): Uint32Array | undefined {
  const steps = fromScratch('steps', values.length);
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] as number;
    const multiple = Math.round(value * power);
    // A negative zero would lose its sign.
    if (multiple / power !== value || (value === 0 && Object.is(value, -0))) return undefined;
    steps[index] = multiple - first;
  }
  return steps;
}

function counted(
  steps: Uint32Array,
  { first, most, power }: { first: number; most: number; power: number },
): Float64Array<ArrayBuffer> {
  const counts = fromScratch('counts', most + 1).fill(0);
  for (let index = 0; index < steps.length; index += 1) {
    const step = steps[index] as number;
    counts[step] = (counts[step] as number) + 1;
  }
  const result = new Float64Array(steps.length);
  let filled = 0;
  for (let step = 0; step <= most; step += 1) {
    const count = counts[step] as number;
    if (count === 0) continue;
    const value = (first + step) / power;
    for (const end = filled + count; filled < end; filled += 1) result[filled] = value;
  }
  return result;
}

/** Radix sort, least significant digit first. */
function inOrder(steps: Uint32Array, most: number): Uint32Array {
  let [from, to]: [Uint32Array, Uint32Array] = [steps, new Uint32Array(steps.length)];
  for (let shift = 0; most >>> shift > 0 && shift < 32; shift += BITS) {
    const places = new Uint32Array(BUCKETS);
    for (let index = 0; index < from.length; index += 1) {
      const digit = ((from[index] as number) >>> shift) & (BUCKETS - 1);
      places[digit] = (places[digit] as number) + 1;
    }
    let next = 0;
    for (let digit = 0; digit < BUCKETS; digit += 1) {
      const count = places[digit] as number;
      places[digit] = next;
      next += count;
    }
    for (let index = 0; index < from.length; index += 1) {
      const step = from[index] as number;
      const digit = (step >>> shift) & (BUCKETS - 1);
      const place = places[digit] as number;
      to[place] = step;
      places[digit] = place + 1;
    }
    [from, to] = [to, from];
  }
  return from;
}
