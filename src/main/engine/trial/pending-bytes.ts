const SMALLEST = 16 * 1024;

/** Bytes that wait to be used, in one buffer that is used again: a new one for each commit of a flood would pile up faster than it is collected. */
export class PendingBytes {
  #buffer = new Uint8Array(SMALLEST);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** What waits; holds until the next `push` or `drop`. */
  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  push(bytes: Uint8Array): void {
    const needed = this.#length + bytes.length;
    if (needed > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(needed, 2 * this.#buffer.length));
      larger.set(this.bytes);
      this.#buffer = larger;
    }
    this.#buffer.set(bytes, this.#length);
    this.#length = needed;
  }

  /** Forgets the first `count` bytes. */
  drop(count: number): void {
    this.#buffer.copyWithin(0, count, this.#length);
    this.#length -= count;
  }
}
