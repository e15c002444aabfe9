const FAST_PHASE_MS = 5 * 60_000;

/**
 * Milliseconds to wait before the next attempt. Quick for the first minutes (a blip, a VPN that comes back), then twice a minute
 * for as long as somebody needs the host: a laptop may sleep for days while a run continues.
 */
export const retryDelayMs = (downForMs: number, failures: number): number =>
  downForMs < FAST_PHASE_MS ? Math.min(4_000, 500 * 2 ** Math.max(0, failures - 1)) : 30_000;

/** How long one TCP connect may take. Short while attempts are frequent: a new attempt sends a fresh packet, the old one only backs off. */
export const connectLimitMs = (reconnecting: boolean, downForMs: number): number =>
  reconnecting && downForMs < FAST_PHASE_MS ? 4_000 : 10_000;

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
