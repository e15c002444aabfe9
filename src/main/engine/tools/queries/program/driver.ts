/** The result of a statement. `rows`: those of a query, or the number of changed ones. Values as sent by the server; null is NULL. */
export interface Answer {
  rows: number;
  columns: string[];
  values: readonly (readonly (string | Uint8Array | null)[])[];
}

/** Rows read by the server, and the uncompressed bytes of their columns. */
export interface Reads {
  rows: number;
  bytes: number;
}

/** A connection to a server of one kind. To add a kind, add a file to this folder and a line to `connect.ts`. */
export interface Driver {
  /** Product and version, as reported by the server. */
  readonly server: string;
  /** Protocol and cipher, or `none`. */
  readonly encryption: string;
  run(statement: string): Promise<Answer>;
  /** The statement that returns the plan. Undefined if the server has none. */
  explain(statement: string, how: 'explain' | 'analyze'): string | undefined;
  /** Executes it once more with the server's profile. Undefined if the server has none. */
  profile?(statement: string): Promise<Answer>;
  /** Mean rows and bytes read per execution of this statement so far. Undefined if the server does not count them, or denies access. */
  reads?(statement: string): Promise<Reads | undefined>;
  /** Cancels the running statement of this connection, over a second one. */
  cancel(): Promise<void>;
  close(): Promise<void>;
}

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
