import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/**
 * Bytes under zstd. Level 3 unless told: higher levels gain about 1 % on sample columns and cost several times as much.
 * The frame takes at most an eighth more than the bytes: what cannot be packed is stored in it as it is.
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

/** `size` is the number of bytes that must come out: a damaged frame can neither exceed nor fall short of it. */
export const unpack = (packed: Uint8Array, size: number): Uint8Array =>
  withUnpacked(packed, size, (bytes) => new Uint8Array(bytes));

/** The same without a copy: the bytes are gone when `work` is done. */
export function withUnpacked<T>(packed: Uint8Array, size: number, work: (bytes: Uint8Array) => T): T {
  const chunkSize = roomFor(size);
  const bytes = zstdDecompressSync(packed, { chunkSize, maxOutputLength: Math.max(1, size) });
  if (bytes.length !== size) throw new Error(`A packed block holds ${bytes.length} bytes instead of ${size}.`);
  const result = work(bytes);
  giveBack(bytes, chunkSize);
  return result;
}

/** Room for all of a result in one chunk that is no part of the pool which Node's small buffers share. */
const roomFor = (bytes: number): number => Math.max(Buffer.poolSize + 1, bytes);

/** A copy of a result, in a buffer of its size. */
function copied(result: Buffer, chunkSize: number): Uint8Array {
  const bytes = new Uint8Array(result);
  giveBack(result, chunkSize);
  return bytes;
}

/**
 * Node keeps the chunk that zlib wrote into until the next full collection: a flood of output fills the memory with them, so it is given back at
 * once.
 */
function giveBack({ buffer }: Buffer, chunkSize: number): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === chunkSize) buffer.transfer(0);
}
