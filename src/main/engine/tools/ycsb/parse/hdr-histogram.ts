import { inflateSync } from 'node:zlib';

/** Compressed and plain form of the two encodings, without the bits that tell the width of a count. */
const V1 = { compressed: 0x1c849302, plain: 0x1c849301 };
const V2 = { compressed: 0x1c849304, plain: 0x1c849303 };
const WIDTH_BITS = 0xf0;
/** Cookie, length, offset, digits, lowest, highest, ratio. */
const HEADER = 40;
/** Of 18 digits and 5 significant ones it would be less. */
const LARGEST = 64 * 1024 * 1024;

/**
 * The events of a histogram as HdrHistogram compresses it (org.HdrHistogram 2.1, `encodeIntoCompressedByteBuffer`, V1 and V2; base64 here):
 * the largest value that counts as the same → how many had it. Undefined for what is none, or is damaged.
 */
export function decodeHistogram(base64: string): ReadonlyMap<number, number> | undefined {
  const packed = Buffer.from(base64, 'base64');
  if (packed.length < 8) return undefined;
  const version = [V1, V2].find(({ compressed }) => cookieOf(packed) === compressed);
  if (!version) return undefined;
  const plain = inflated(packed.subarray(8, 8 + packed.readUInt32BE(4)));
  if (!plain || plain.length < HEADER || cookieOf(plain) !== version.plain) return undefined;
  const counts = plain.subarray(HEADER, HEADER + plain.readUInt32BE(4));
  const [digits, lowest] = [plain.readUInt32BE(12), Number(plain.readBigInt64BE(16))];
  // An index that is shifted belongs to histograms of fractions, which have a ratio of their own.
  if (plain.readInt32BE(8) !== 0 || digits > 5 || lowest < 1) return undefined;
  const width = ((plain.readUInt32BE(0) & WIDTH_BITS) >>> 4) & 0xe;
  const found = version === V1 ? fixedCounts(counts, width) : zigZagCounts(counts);
  const valueAt = values(digits, lowest);
  return found && new Map([...found].map(([index, count]) => [valueAt(index), count]));
}

const cookieOf = (bytes: Buffer): number => (bytes.readUInt32BE(0) & ~WIDTH_BITS) >>> 0;

function inflated(bytes: Buffer): Buffer | undefined {
  try {
    return inflateSync(bytes, { maxOutputLength: LARGEST });
  } catch {
    return undefined;
  }
}

/** V1: a count for each index, all as wide. */
function fixedCounts(bytes: Buffer, width: number): [number, number][] | undefined {
  if (![2, 4, 8].includes(width)) return undefined;
  const found: [number, number][] = [];
  for (let at = 0; at + width <= bytes.length; at += width) {
    const count = width === 8 ? Number(bytes.readBigInt64BE(at)) : bytes.readIntBE(at, width);
    if (count < 0) return undefined;
    if (count > 0) found.push([at / width, count]);
  }
  return found;
}

/** V2: counts as zigzag numbers of seven bits a byte; a negative one stands for as many zeros. */
function zigZagCounts(bytes: Buffer): [number, number][] | undefined {
  const found: [number, number][] = [];
  let index = 0;
  for (let at = 0; at < bytes.length; ) {
    let [coded, shift] = [0n, 0n];
    for (;;) {
      const byte = bytes[at];
      if (byte === undefined) return undefined;
      at += 1;
      // The ninth byte has eight bits of the number.
      coded |= BigInt(shift === 56n ? byte : byte & 0x7f) << shift;
      if (byte < 0x80 || shift === 56n) break;
      shift += 7n;
    }
    const count = Number((coded >> 1n) ^ -(coded & 1n));
    if (count > 0) found.push([index, count]);
    index += count < 0 ? -count : 1;
  }
  return found;
}

/** The largest value that counts at an index: buckets double, and each has as many steps as the digits need. */
function values(digits: number, lowest: number): (index: number) => number {
  const halfBits = Math.max(1, Math.ceil(Math.log2(2 * 10 ** digits))) - 1;
  const [half, unit] = [2 ** halfBits, Math.floor(Math.log2(lowest))];
  return (index) => {
    const bucket = Math.max(0, Math.floor(index / half) - 1);
    const step = index < half ? index : (index % half) + half;
    return (step + 1) * 2 ** (bucket + unit) - 1;
  };
}
