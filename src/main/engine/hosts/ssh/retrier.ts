/** Repeats something with pauses for as long as it is wanted; a pause can be cut short. */
export class Retrier {
  readonly #wanted: () => boolean;
  readonly #attempt: () => Promise<number>;
  #running = false;
  #wake: () => void = () => undefined;

  /** `attempt` never rejects; it resolves with the milliseconds to wait before the next one, should there be one. */
  constructor(wanted: () => boolean, attempt: () => Promise<number>) {
    this.#wanted = wanted;
    this.#attempt = attempt;
  }

  /** Does nothing while it is running already. */
  start(): void {
    if (this.#running || !this.#wanted()) return;
    this.#running = true;
    void this.#run().finally(() => {
      this.#running = false;
      // It may have become wanted again between the last look and here.
      this.start();
    });
  }

  wake(): void {
    this.#wake();
  }

  async #run(): Promise<void> {
    while (this.#wanted()) {
      const pause = await this.#attempt();
      if (this.#wanted()) await this.#sleep(pause);
    }
  }

  #sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
