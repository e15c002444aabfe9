/** Samples that a calculation used: metrics of runs, each over all of its generators, or counters of a source. */
export interface SummaryInputs {
  readonly runs?: readonly number[];
  /** Sources of a session, without a run. */
  readonly sources?: readonly number[];
  /** Sets of metrics; each has its own stamp. */
  readonly metrics: readonly (readonly string[])[];
}

/** Key of a summary: `stamp` identifies the samples, `key` the calculation. */
export interface SummaryKey {
  /** The feed it is stored with, from `stamp`. */
  readonly feed: number;
  readonly stamp: string;
  readonly key: string;
}

export interface Summary extends SummaryKey {
  /** JSON that may contain columns of numbers. */
  readonly value: unknown;
}

export interface Stamp {
  readonly feed?: number;
  readonly stamp: string;
}

/**
 * Calculations from samples, stored with them. A summary is deleted with its samples: with the run, the session, and when a run is read
 * again. All of it can be calculated again.
 */
export interface SummaryRows {
  /**
   * Identifies samples by short texts that are equal only if each of their blocks is. The blocks themselves are read, and their checksums
   * verified. Undefined if some are not sealed yet, or damaged. `feed` is the first one's; undefined if there are no samples at all, so
   * there is nothing to store.
   */
  stamps(inputs: SummaryInputs): (Stamp | undefined)[];
  /**
   * Returns the summary of exactly these samples, equal bit for bit to the stored value. Undefined if there is none, or if it is damaged.
   */
  find(key: SummaryKey): unknown;
  /**
   * Replaces summaries with the same key; deletes the oldest ones of a feed. Does nothing in a read-only library, inside a transaction, or
   * for a value that would not be reproduced exactly.
   */
  keep(summaries: readonly Summary[]): void;
  /**
   * Records that everything named by `mark` was calculated from the samples of a session sealed by now, for feeds with at least this many
   * rows.
   */
  markPrecomputed(sessionId: number, mark: string, least: number): void;
  /** Sessions that are not executed and have sealed samples without this mark, newest first. */
  notPrecomputed(mark: string, least: number): number[];
}
