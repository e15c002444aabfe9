import { crc32 } from 'node:zlib';

/** Above this, differences of differences would not be exact in a double. */
const LARGEST = 2 ** 50;
const MOST_DECIMALS = 9;
const POWERS = Array.from({ length: MOST_DECIMALS + 1 }, (_, decimals) => 10 ** decimals);

export const powerOfTen = (decimals: number): number => POWERS[decimals] ?? 10 ** decimals;

export interface ScaledIntegers {
  decimals: number;
  values: Float64Array;
}

/**
 * Converts values to integers times 10^-decimals, with the fewest decimals that reproduce every double exactly. Tools print decimals, and
 * dividing the integer by a power of ten rounds exactly like parsing that text. Undefined if a value cannot be converted (-0, infinite,
 * more than nine decimals, too large).
 */
export function scaledIntegers(values: Float64Array): ScaledIntegers | undefined {
  let decimals = 0;
  for (const value of values) {
    if (Object.is(value, -0)) return undefined;
    while (!fits(value, powerOfTen(decimals))) {
      decimals += 1;
      if (decimals > MOST_DECIMALS) return undefined;
    }
  }
  const power = powerOfTen(decimals);
  const scaled = new Float64Array(values.length);
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] ?? 0;
    if (!fits(value, power)) return undefined;
    scaled[index] = Math.round(value * power);
  }
  return { decimals, values: scaled };
}

function fits(value: number, power: number): boolean {
  const integer = Math.round(value * power);
  return Math.abs(integer) <= LARGEST && integer / power === value;
}

/** Each value minus the one before it; one shorter than the input. */
export function differences(values: Float64Array): Float64Array {
  const result = new Float64Array(Math.max(0, values.length - 1));
  for (let index = 0; index < result.length; index += 1) {
    result[index] = (values[index + 1] ?? 0) - (values[index] ?? 0);
  }
  return result;
}

export interface Planes {
  /** Smallest value; values are stored as distances from it. */
  base: number;
  /** Bytes per value, 0 if all are equal. */
  width: number;
  /** All lowest bytes, then all second bytes, and so on: similar bytes are adjacent, which zstd needs. */
  bytes: Uint8Array;
}

export function toPlanes(values: Float64Array): Planes {
  let base = values[0] ?? 0;
  let largest = base;
  for (const value of values) {
    if (value < base) base = value;
    if (value > largest) largest = value;
  }
  let width = 0;
  for (let rest = largest - base; rest > 0; rest = Math.floor(rest / 256)) width += 1;
  const count = values.length;
  const bytes = new Uint8Array(width * count);
  for (let index = 0; index < count; index += 1) {
    let rest = (values[index] ?? 0) - base;
    for (let plane = 0; plane < width; plane += 1) {
      const high = Math.floor(rest / 256);
      bytes[plane * count + index] = rest - high * 256;
      rest = high;
    }
  }
  return { base, width, bytes };
}

/** Decodes planes into `values`. Columns of two bytes, the most common ones, are decoded in one pass. */
export function addPlanes(values: Float64Array, { base, width, bytes }: Planes): void {
  const count = values.length;
  // A truncated block would decode to other values without any error.
  if (bytes.length < width * count) throw new Error(`A column of ${count} values ends after ${bytes.length} bytes.`);
  if (width === 0) values.fill(base);
  else if (width === 1) for (let index = 0; index < count; index += 1) values[index] = base + (bytes[index] as number);
  else
    for (let index = 0; index < count; index += 1)
      values[index] = base + ((bytes[index] as number) | ((bytes[count + index] as number) << 8));
  let weight = 65_536;
  for (let plane = 2; plane < width; plane += 1) {
    const start = plane * count;
    for (let index = 0; index < count; index += 1)
      values[index] = (values[index] as number) + (bytes[start + index] as number) * weight;
    weight *= 256;
  }
}

/**
 * CRC-32 of a stored block's identity (its place in the library, as doubles) and its encoded bytes, so a block that was moved or swapped
 * fails like a modified one. Part of the file format: a change needs a migration.
 */
export function checksumOf(identity: readonly number[], bytes: Uint8Array): number {
  return crc32(bytes, crc32(new Uint8Array(Float64Array.from(identity).buffer)));
}
