import { crc32 } from 'node:zlib';

/**
 * CRC-32 over what a stored block is (its place in the library, as doubles) and its encoded bytes, so that a block that was moved or
 * swapped fails as a changed one does. Part of the file format: a change needs a migration.
 */
export function checksumOf(identity: readonly number[], bytes: Uint8Array): number {
  return crc32(bytes, crc32(new Uint8Array(Float64Array.from(identity).buffer)));
}
