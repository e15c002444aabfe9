import { createHash, type Hash } from 'node:crypto';

interface Digested {
  /** Bytes from the start of the stream that are in the digest. */
  size: number;
  hash: Hash;
}

/**
 * SHA-256 of streams as they grow, so that the end of a run need not unpack all of its output again. A stream is known while every byte
 * of it has come through here: not after a restart, and not when a transaction was undone.
 */
export class RunningDigests {
  readonly #known = new Map<number, Digested>();

  /** Bytes that are appended to stream `id`, which has `size` bytes before them. */
  append(id: number, size: number, bytes: Uint8Array): void {
    const known = size === 0 ? { size, hash: createHash('sha256') } : this.#known.get(id);
    if (known?.size !== size) {
      this.#known.delete(id);
      return;
    }
    known.hash.update(bytes);
    known.size += bytes.length;
    this.#known.set(id, known);
  }

  /** The digest of all `size` bytes of a stream, once: whoever asks again wants to know what is stored. */
  take(id: number, size: number): string | undefined {
    const known = this.#known.get(id);
    this.#known.delete(id);
    return known?.size === size ? known.hash.digest('hex') : undefined;
  }
}
