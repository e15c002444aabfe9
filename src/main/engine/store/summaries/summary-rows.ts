/** Samples that something was worked out from: metrics of runs, each of all of its generators, or counters of a source. */
export interface SummaryInputs {
  readonly runs?: readonly number[];
  /** Of a session, without a run. */
  readonly sources?: readonly number[];
  readonly metrics: readonly string[];
}

/** Under what a summary is kept: `stamp` says of which samples it is, `key` what was worked out of them. */
export interface SummaryKey {
  /** The feed that it goes with; from `stamp`. */
  readonly feed: number;
  readonly stamp: string;
  readonly key: string;
}

export interface Summary extends SummaryKey {
  /** JSON, and columns of numbers in it. */
  readonly value: unknown;
}

export interface Stamp {
  readonly feed?: number;
  readonly stamp: string;
}

/**
 * What was worked out from samples, kept beside them. A summary goes when its samples go: with the run, the session, and when a run is read
 * again. Nothing in it is needed: it can always be worked out again.
 */
export interface SummaryRows {
  /**
   * What these samples are, as a short text that is equal only while each of their blocks is. It is read of the blocks themselves, and each
   * is held against its checksum. Undefined where some are not sealed yet, or damaged. `feed`: that of the first of them; absent where there
   * are no samples at all, so that there is nothing to keep.
   */
  stamp(inputs: SummaryInputs): Stamp | undefined;
  /** What is kept of just these samples, equal bit for bit to what was; undefined where there is nothing, or nothing that can be trusted. */
  find(key: SummaryKey): unknown;
  /**
   * In place of what was kept under the same key; the oldest ones of a feed go. Nothing happens in a library that cannot be written, inside of
   * a transaction, nor with a value that would not come back as it is.
   */
  keep(summaries: readonly Summary[]): void;
}
