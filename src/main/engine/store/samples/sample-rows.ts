import type { SampleDamage } from '../../../../shared/model/damage.ts';
import type { GeneratorSeries } from '../../../../shared/model/result.ts';
import type { RunRow } from '../tables/run-row.ts';

/**
 * Everything that one commit writes, in one transaction: samples are never stored without their raw bytes and offset, nor the other way
 * round.
 */
export interface IngestBatch {
  runId: number;
  generator: number;
  stream: 'stdout' | 'stderr';
  /** Start of these bytes: must equal the stored offset, else `conflict` and nothing is written. */
  offset: number;
  bytes: Uint8Array;
  /** In the tool's order; may be empty. */
  samples: readonly { t: number; metrics: Readonly<Record<string, number>> }[];
  /** Index lines on the host's clock (epoch seconds, uptime, bytes of stdout and stderr, start of the next line), if any arrived. */
  index?: readonly { epoch: number; uptime: number; offset: number; err?: number; next: number }[];
  /** Change of the run in the same transaction. */
  run?: Partial<Omit<RunRow, 'id' | 'sessionId' | 'revision'>>;
}

export interface HostIndex {
  epoch: Float64Array;
  uptime: Float64Array;
  offset: Float64Array;
  /** Bytes of stderr; NaN in lines of earlier versions, undefined if all are. */
  err?: Float64Array;
  next: Float64Array;
}

/** Generator N of a run is the source of kind `generator` at position N of its session, named after its job's host. */
export interface SampleRows {
  ingest(batch: IngestBatch): void;
  /** Offset of the next byte needed of a stream. */
  offset(runId: number, generator: number, stream: 'stdout' | 'stderr'): number;
  /** Number of stored samples (rows of one generator). */
  count(runId: number, generator: number): number;
  /** Raw bytes in order, in ranges. */
  raw(runId: number, generator: number, stream: 'stdout' | 'stderr', offset?: number, limit?: number): Uint8Array;
  rawSize(runId: number, generator: number, stream: 'stdout' | 'stderr'): number;
  /** Metrics that a run has. */
  metrics(runId: number): string[];
  /** Generators of a run that printed something, in order. */
  generators(runId: number): number[];
  /** Generators of a run that have samples, in order, with the number of rows of each. */
  progress(runId: number): { generator: number; rows: number }[];
  /** Whole series, without absent values (so `t` may be shorter than `count`). Throws `store-corrupt` if damaged. */
  series(runId: number, metric: string, generator?: number): GeneratorSeries[];
  /** Like `series`, without damaged samples, which are listed. */
  readable(runId: number, metric: string, generator?: number): { series: GeneratorSeries[]; damage: SampleDamage[] };
  /** Rows from an index on, as columns with NaN for absent values, for a live page. */
  rows(runId: number, generator: number, first: number): { t: Float64Array; columns: Record<string, Float64Array> };
  /**
   * Index of a generator's output on the host's clock, in order: at `epoch` its stdout had `offset` bytes and its stderr `err`; the next
   * line of the index begins at byte `next`. Columns of equal length.
   */
  index(runId: number, generator: number): HostIndex;
  /**
   * Seals open tails and raw output of an ended run, and returns the SHA-256 of each of its streams, hexadecimal, separated by blanks.
   * Sealing again checks the stored data: throws `store-corrupt` if it differs.
   */
  seal(runId: number): string;
  /** Deletes samples and tail of a run but keeps raw output: the first half of re-ingesting. */
  clearSamples(runId: number): void;
}
