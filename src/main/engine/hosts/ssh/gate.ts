/** Lets a few in at a time, in order of arrival; the others wait. */
export class Gate {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(places: number) {
    this.#free = places;
  }

  /** The function that gives the place back (harmless when called twice); undefined when every place is taken. */
  tryEnter(): (() => void) | undefined {
    if (this.#free === 0) return undefined;
    this.#free -= 1;
    return this.#leave();
  }

  /** Waits for a place. Throws the signal's reason. */
  async enter(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    const leave = this.tryEnter();
    if (leave) return leave;
    await this.#turn(signal);
    return this.#leave();
  }

  #leave(): () => void {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    };
  }

  #turn(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = () => {
        signal?.removeEventListener('abort', give);
        resolve();
      };
      const give = () => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1);
        reject(signal?.reason);
      };
      this.#waiting.push(go);
      signal?.addEventListener('abort', give, { once: true });
    });
  }
}
