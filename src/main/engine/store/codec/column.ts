import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { addPlanes, differences, type Planes, powerOfTen, scaledIntegers, toPlanes } from './integers.ts';

/*
 * Body of a column without absent values:
 *   INTEGERS          decimals u8, width u8, base f64, planes
 *   INTEGERS | DELTA  decimals u8, width u8, base f64, first f64, planes of the differences
 *   neither           the doubles' own bytes in eight planes, lowest byte first
 */
const DELTA = 1;
const INTEGERS = 2;

interface Body {
  flags: number;
  bytes: Uint8Array;
}

/**
 * Encodes the values or their differences as integers, whichever needs fewer bytes per value; both if they need the same. Empty if some are
 * not decimals.
 */
function integerBodies(values: Float64Array): Body[] {
  const scaled = values.length > 0 ? scaledIntegers(values) : undefined;
  if (scaled === undefined) return [];
  const plain = toPlanes(scaled.values);
  const steps = toPlanes(differences(scaled.values));
  const bodies: Body[] = [];
  if (plain.width <= steps.width) bodies.push({ flags: INTEGERS, bytes: integerBody(scaled.decimals, plain) });
  if (steps.width <= plain.width) {
    bodies.push({ flags: INTEGERS | DELTA, bytes: integerBody(scaled.decimals, steps, scaled.values[0]) });
  }
  return bodies;
}

/** Encodes any doubles. */
const doublesBody = (values: Float64Array): Body => ({ flags: 0, bytes: doublePlanes(values) });

/** Decodes into `values`. */
function decodeBody(values: Float64Array, flags: number, bytes: Uint8Array): void {
  if (!(flags & INTEGERS)) {
    fromDoublePlanes(values, bytes);
    return;
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const power = powerOfTen(view.getUint8(0));
  const width = view.getUint8(1);
  const base = view.getFloat64(2, true);
  if (!(flags & DELTA)) {
    addPlanes(values, { base, width, bytes: bytes.subarray(10) });
    for (let index = 0; index < values.length; index += 1) values[index] = (values[index] as number) / power;
    return;
  }
  // Decoded differences are in the positions of their results.
  addPlanes(values.subarray(1), { base, width, bytes: bytes.subarray(18) });
  let integer = view.getFloat64(10, true);
  values[0] = integer / power;
  for (let index = 1; index < values.length; index += 1) {
    integer += values[index] as number;
    values[index] = integer / power;
  }
}

function integerBody(decimals: number, planes: Planes, first?: number): Uint8Array {
  const head = first === undefined ? 10 : 18;
  const bytes = new Uint8Array(head + planes.bytes.length);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, decimals);
  view.setUint8(1, planes.width);
  view.setFloat64(2, planes.base, true);
  if (first !== undefined) view.setFloat64(10, first, true);
  bytes.set(planes.bytes, head);
  return bytes;
}

function doublePlanes(values: Float64Array): Uint8Array {
  const count = values.length;
  const view = new DataView(new ArrayBuffer(8));
  const bytes = new Uint8Array(8 * count);
  for (let index = 0; index < count; index += 1) {
    view.setFloat64(0, values[index] ?? 0, true);
    for (let plane = 0; plane < 8; plane += 1) bytes[plane * count + index] = view.getUint8(plane);
  }
  return bytes;
}

function fromDoublePlanes(values: Float64Array, bytes: Uint8Array): void {
  const view = new DataView(new ArrayBuffer(8));
  const count = values.length;
  for (let index = 0; index < count; index += 1) {
    for (let plane = 0; plane < 8; plane += 1) view.setUint8(plane, bytes[plane * count + index] ?? 0);
    values[index] = view.getFloat64(0, true);
  }
}

/*
 * One column of up to some thousand doubles, encoded as bytes.
 *
 *   flags   1 byte: those of the body, ABSENT, ZSTD
 *   size    4 bytes, little-endian, only with ZSTD: uncompressed length of the rest
 *   rest    [ABSENT: one bit per value, 1 = present] [body of the present values]
 *
 * NaN means "no value" and takes no space in the body.
 */
const ABSENT = 4;
const ZSTD = 8;
const SIZE_BYTES = 4;
/**
 * Decompression dominates the time to read a column. A column that zstd does not reduce to this share is stored uncompressed: it is noise
 * in every byte.
 */
const LEAST_SAVING = 0.7;

/** Encodes a column and verifies it: the returned bytes decode to the same doubles, bit for bit (NaN as NaN). */
export function encodeColumn(values: Float64Array): Uint8Array {
  const present = values.filter((value) => !Number.isNaN(value));
  const mask = present.length < values.length ? presenceBits(values) : undefined;
  const candidates = integerBodies(present).map((body) => frame(body, mask));
  candidates.sort((left, right) => left.length - right.length);
  const smallest = candidates[0];
  if (smallest !== undefined && sameDoubles(decodeColumn(smallest, values.length), values)) return smallest;
  const plain = frame(doublesBody(present), mask);
  if (sameDoubles(decodeColumn(plain, values.length), values)) return plain;
  throw new Error('A column could not be encoded without loss.');
}

/** `count` is the number of values, including absent ones. */
export function decodeColumn(bytes: Uint8Array, count: number): Float64Array {
  const values = new Float64Array(count);
  decodeInto(values, bytes);
  return values;
}

/** Decodes into an array with as many values as the column. */
export function decodeInto(values: Float64Array, bytes: Uint8Array): void {
  const flags = bytes[0] ?? 0;
  const rest = bytes.subarray(1);
  if (!(flags & ZSTD)) {
    decodeRest(values, flags, rest);
    return;
  }
  const size = new DataView(rest.buffer, rest.byteOffset).getUint32(0, true);
  withUnpacked(rest.subarray(SIZE_BYTES), size, (unpacked) => decodeRest(values, flags, unpacked));
}

function decodeRest(values: Float64Array, flags: number, rest: Uint8Array): void {
  if (!(flags & ABSENT)) {
    decodeBody(values, flags, rest);
    return;
  }
  const maskBytes = Math.ceil(values.length / 8);
  const mask = rest.subarray(0, maskBytes);
  const present = new Float64Array(countBits(mask));
  decodeBody(present, flags, rest.subarray(maskBytes));
  spread(values, mask, present);
}

function frame(body: Body, mask: Uint8Array | undefined): Uint8Array {
  const rest = mask === undefined ? body.bytes : joined(mask, body.bytes);
  const all = body.flags | (mask === undefined ? 0 : ABSENT);
  const packed = pack(rest);
  if (packed.length + SIZE_BYTES >= rest.length * LEAST_SAVING) return joined(Uint8Array.of(all), rest);
  const head = new Uint8Array(1 + SIZE_BYTES);
  head[0] = all | ZSTD;
  new DataView(head.buffer).setUint32(1, rest.length, true);
  return joined(head, packed);
}

function joined(left: Uint8Array, right: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(left.length + right.length);
  bytes.set(left);
  bytes.set(right, left.length);
  return bytes;
}

function presenceBits(values: Float64Array): Uint8Array {
  const mask = new Uint8Array(Math.ceil(values.length / 8));
  values.forEach((value, index) => {
    if (!Number.isNaN(value)) mask[index >> 3] = (mask[index >> 3] ?? 0) | (1 << (index & 7));
  });
  return mask;
}

function countBits(mask: Uint8Array): number {
  let count = 0;
  for (const byte of mask) for (let bits = byte; bits !== 0; bits &= bits - 1) count += 1;
  return count;
}

function spread(values: Float64Array, mask: Uint8Array, present: Float64Array): void {
  let next = 0;
  for (let index = 0; index < values.length; index += 1) {
    const isPresent = (mask[index >> 3] ?? 0) & (1 << (index & 7));
    values[index] = isPresent ? (present[next] ?? Number.NaN) : Number.NaN;
    if (isPresent) next += 1;
  }
}

function sameDoubles(left: Float64Array, right: Float64Array): boolean {
  return left.length === right.length && left.every((value, index) => Object.is(value, right[index]));
}

/**
 * Compresses bytes with zstd. Default level 3: higher levels gain about 1 % on sample columns and take several times as long. The frame is
 * at most an eighth larger than the bytes: incompressible data is stored as it is.
 */
export function pack(bytes: Uint8Array, level = 3): Uint8Array {
  const chunkSize = roomFor(bytes.length + (bytes.length >> 3));
  const packed = zstdCompressSync(bytes, {
    params: {
      [constants.ZSTD_c_compressionLevel]: level,
      [constants.ZSTD_c_contentSizeFlag]: 0,
    },
    chunkSize,
  });
  return copied(packed, chunkSize);
}

/** `size` is the expected number of bytes: a damaged frame can neither exceed nor fall short of it. */
export const unpack = (packed: Uint8Array, size: number): Uint8Array =>
  withUnpacked(packed, size, (bytes) => new Uint8Array(bytes));

/** Like `unpack`, without a copy: the bytes are valid only during `work`. */
function withUnpacked<T>(packed: Uint8Array, size: number, work: (bytes: Uint8Array) => T): T {
  const chunkSize = roomFor(size);
  const bytes = zstdDecompressSync(packed, { chunkSize, maxOutputLength: Math.max(1, size) });
  if (bytes.length !== size) throw new Error(`A packed block holds ${bytes.length} bytes instead of ${size}.`);
  const result = work(bytes);
  trimBuffer(bytes, chunkSize);
  return result;
}

/** Size of a chunk that holds the whole result and is not from the pool shared by Node's small buffers. */
const roomFor = (bytes: number): number => Math.max(Buffer.poolSize + 1, bytes);

/** Copies a result to a buffer of its size. */
function copied(result: Buffer, chunkSize: number): Uint8Array {
  const bytes = new Uint8Array(result);
  trimBuffer(result, chunkSize);
  return bytes;
}

/**
 * Node keeps the chunk that zlib wrote to until the next full collection. Freed immediately, because heavy output would fill the memory
 * with such chunks.
 */
function trimBuffer({ buffer }: Buffer, chunkSize: number): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === chunkSize) buffer.transfer(0);
}
