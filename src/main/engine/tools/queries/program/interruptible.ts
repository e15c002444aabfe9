import type { Answer, Driver } from './driver.ts';

const AGAIN_MS = 1000;

/**
 * Sends what may be interrupted. A request to stop that comes just before a statement reaches the server would miss it, so the server is
 * told again until nothing of this is under way. What takes things away is sent to the driver itself, and is never interrupted.
 */
export class Interruptible {
  readonly #driver: Driver;
  readonly #onError: (error: unknown) => void;
  #underWay = 0;
  #stopped = false;

  constructor(driver: Driver, onError: (error: unknown) => void) {
    this.#driver = driver;
    this.#onError = onError;
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  run(statement: string): Promise<Answer> {
    return this.act((driver) => driver.run(statement));
  }

  async act<Result>(work: (driver: Driver) => Promise<Result>): Promise<Result> {
    if (this.#stopped) throw new Error('It was stopped before this was sent.');
    this.#underWay += 1;
    try {
      return await work(this.#driver);
    } finally {
      this.#underWay -= 1;
    }
  }

  /** Asked twice, it is the same as asked once. */
  async stop(): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    while (this.#underWay > 0) {
      await this.#driver.cancel().catch(this.#onError);
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS).unref());
    }
  }
}
