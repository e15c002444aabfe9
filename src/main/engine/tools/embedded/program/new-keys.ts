import { NEXT_KEY, NOTHING_PENDING, PENDING } from './shared.ts';

/**
 * Assigns record numbers to inserting threads, and counts the records that certainly exist: a number counts only when it and all lower ones are
 * inserted, so no thread ever reads a record that another one is still writing.
 */
export class NewKeys {
  readonly #control: Int32Array<SharedArrayBuffer>;
  readonly #slot: number;
  #mine: number | undefined;

  constructor(control: Int32Array<SharedArrayBuffer>, thread: number) {
    this.#control = control;
    this.#slot = PENDING + thread;
  }

  /** The number to insert. Returns the same one until `inserted` is called, so a failed insert leaves no gap. */
  take(): number {
    if (this.#mine !== undefined) return this.#mine;
    // Store a lower bound first: no other thread can then see the advanced counter without a pending entry.
    Atomics.store(this.#control, this.#slot, Atomics.load(this.#control, NEXT_KEY));
    const taken = Atomics.add(this.#control, NEXT_KEY, 1);
    Atomics.store(this.#control, this.#slot, taken);
    this.#mine = taken;
    return taken;
  }

  inserted(): void {
    this.#mine = undefined;
    Atomics.store(this.#control, this.#slot, NOTHING_PENDING);
  }

  /** The records 0 … count-1 all exist. */
  count(): number {
    let count = Atomics.load(this.#control, NEXT_KEY);
    for (let slot = PENDING; slot < this.#control.length; slot += 1) {
      count = Math.min(count, Atomics.load(this.#control, slot));
    }
    return count;
  }
}
