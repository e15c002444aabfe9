/** Works for the same key wait for each other, in the order in which they came. Works for different keys do not. */
export class OneByOne<Key> {
  readonly #last = new Map<Key, Promise<unknown>>();

  run<T>(key: Key, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const mine = before ? before.then(work, work) : work();
    this.#last.set(key, mine);
    const forget = (): void => {
      if (this.#last.get(key) === mine) this.#last.delete(key);
    };
    mine.then(forget, forget);
    return mine;
  }
}
