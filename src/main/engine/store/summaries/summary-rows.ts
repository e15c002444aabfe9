/** Samples that something was worked out from: metrics of runs, each of all of its generators, or counters of a source. */
export interface SummaryInputs {
  readonly runs?: readonly number[];
  /** Of a session, without a run. */
  readonly sources?: readonly number[];
  /** Sets of metrics: each has a stamp of its own. */
  readonly metrics: readonly (readonly string[])[];
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
   * What these samples are, as short texts that are equal only while each of their blocks is. They are read of the blocks themselves, and each
   * is held against its checksum. Undefined where some are not sealed yet, or damaged. `feed`: that of the first of them; absent where there
   * are no samples at all, so that there is nothing to keep.
   */
  stamps(inputs: SummaryInputs): (Stamp | undefined)[];
  /** What is kept of just these samples, equal bit for bit to what was; undefined where there is nothing, or nothing that can be trusted. */
  find(key: SummaryKey): unknown;
  /**
   * In place of what was kept under the same key; the oldest ones of a feed go. Nothing happens in a library that cannot be written, inside of
   * a transaction, nor with a value that would not come back as it is.
   */
  keep(summaries: readonly Summary[]): void;
  /** Notes that all that `mark` says was worked out of the samples of a session that are sealed by now, of feeds with at least so many rows. */
  worked(sessionId: number, mark: string, least: number): void;
  /** Sessions that are not executed and have sealed samples without such a note, the newest first. */
  unworked(mark: string, least: number): number[];
}
