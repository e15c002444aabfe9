import type { Answer, Driver } from './driver.ts';

const AGAIN_MS = 1000;

/**
 * Sends interruptible statements. A cancel request that arrives just before a statement would have no effect, so it is repeated until no statement is
 * running. Tear-downs use the driver directly, and are never interrupted.
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

  /** Calling it twice has no further effect. */
  async stop(): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    while (this.#underWay > 0) {
      await this.#driver.cancel().catch(this.#onError);
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS).unref());
    }
  }
}
