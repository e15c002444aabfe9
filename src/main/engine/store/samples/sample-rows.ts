import type { SampleDamage } from '../../../../shared/model/damage.ts';
import type { GeneratorSeries } from '../../../../shared/model/result.ts';
import type { RunRow } from '../tables/run-row.ts';

/** Everything one commit writes, in one transaction: never a sample without its raw bytes and offset, nor the other way round. */
export interface IngestBatch {
  runId: number;
  generator: number;
  stream: 'stdout' | 'stderr';
  /** Where these bytes start: must equal the stored offset, else `conflict` and nothing is written. */
  offset: number;
  bytes: Uint8Array;
  /** In the tool's order; may be empty. */
  samples: readonly { t: number; metrics: Readonly<Record<string, number>> }[];
  /** Host-clock index lines (epoch seconds, uptime, bytes of stdout and stderr, where the next line begins), if any came. */
  index?: readonly { epoch: number; uptime: number; offset: number; err?: number; next: number }[];
  /** Change of the run row in the same transaction. */
  run?: Partial<Omit<RunRow, 'id' | 'sessionId' | 'revision'>>;
}

export interface HostIndex {
  epoch: Float64Array;
  uptime: Float64Array;
  offset: Float64Array;
  /** Bytes of stderr; NaN in lines of earlier versions, absent where there are no others. */
  err?: Float64Array;
  next: Float64Array;
}

/** A run's generator N is the source of kind `generator` at position N of its session, named by the host of its job. */
export interface SampleRows {
  ingest(batch: IngestBatch): void;
  /** Next byte wanted of a stream. */
  offset(runId: number, generator: number, stream: 'stdout' | 'stderr'): number;
  /** Number of samples stored (rows of one generator). */
  count(runId: number, generator: number): number;
  /** Raw bytes in order, in pieces. */
  raw(runId: number, generator: number, stream: 'stdout' | 'stderr', offset?: number, limit?: number): Uint8Array;
  rawSize(runId: number, generator: number, stream: 'stdout' | 'stderr'): number;
  /** Metrics that a run has. */
  metrics(runId: number): string[];
  /** Generators of a run that printed something, in order. */
  generators(runId: number): number[];
  /** Generators of a run that have samples, in order, with the number of rows of each. */
  progress(runId: number): { generator: number; rows: number }[];
  /** Whole series; values that were absent are left out of that series (so `t` may be shorter than `count`). Damaged: `store-corrupt`. */
  series(runId: number, metric: string, generator?: number): GeneratorSeries[];
  /** As `series`, without the samples that are damaged, and what these are. */
  readable(runId: number, metric: string, generator?: number): { series: GeneratorSeries[]; damage: SampleDamage[] };
  /** Rows from an index on, as columns with NaN for absent: what a live page needs. */
  rows(runId: number, generator: number, first: number): { t: Float64Array; columns: Record<string, Float64Array> };
  /**
   * Host-clock index of a generator's output, in order: at `epoch` its stdout was `offset` bytes long and its stderr `err`; the next line
   * of the index begins at its byte `next`. Columns of equal length.
   */
  index(runId: number, generator: number): HostIndex;
  /**
   * Seals open tails and raw output of an ended run, and returns the SHA-256 of each of its streams, hexadecimal, with blanks between.
   * Sealing again checks what is stored: `store-corrupt` when it differs.
   */
  seal(runId: number): string;
  /** Drops samples and tail of a run, keeping raw output: the first half of re-ingesting. */
  clearSamples(runId: number): void;
}
