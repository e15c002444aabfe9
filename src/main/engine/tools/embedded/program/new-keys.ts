import { NEXT_KEY, NOTHING_PENDING, PENDING } from './shared.ts';

/**
 * Hands out record numbers to inserting threads, and tells how many records are certainly there: a number counts only when it and
 * all below it are inserted, so no thread ever looks for a record that another one is still writing.
 */
export class NewKeys {
  readonly #control: Int32Array<SharedArrayBuffer>;
  readonly #slot: number;
  #mine: number | undefined;

  constructor(control: Int32Array<SharedArrayBuffer>, thread: number) {
    this.#control = control;
    this.#slot = PENDING + thread;
  }

  /** The number to insert; the same one again until `inserted` is called: a failed insert leaves no hole. */
  take(): number {
    if (this.#mine !== undefined) return this.#mine;
    // A lower bound goes in first, so that nobody can see the counter advanced without a pending entry.
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

  /** Records 0 … count-1 are all there. */
  count(): number {
    let count = Atomics.load(this.#control, NEXT_KEY);
    for (let slot = PENDING; slot < this.#control.length; slot += 1) {
      count = Math.min(count, Atomics.load(this.#control, slot));
    }
    return count;
  }
}
