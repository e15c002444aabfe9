import type { CostSpec } from '../../../shared/model/cost.ts';
import type { DataSetState, DataTable } from '../../../shared/model/data-set.ts';
import type { Levels } from '../../../shared/model/experiment.ts';
import type { SetFile } from '../../../shared/model/file-set.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import type { HostFacts, HostKey, HostSpec, TunnelSpec } from '../../../shared/model/host.ts';
import type { SeriesData } from '../../../shared/model/result.ts';
import type { ExitStatus, LogEntry, RunState, SessionState } from '../../../shared/model/session.ts';
import type { TargetSpec } from '../../../shared/model/target.ts';
import type { NamedThings } from './named-things.ts';

/**
 * The library: one SQLite file, one writer. All calls are synchronous and durable when they return
 * (WAL, synchronous=FULL). Errors: disk-full, read-only, store-corrupt.
 */
export interface Store {
  readonly hosts: HostRows;
  readonly targets: TargetRows;
  readonly dataSets: DataSetRows;
  readonly fileSets: FileSetRows;
  readonly secrets: SecretRows;
  readonly experiments: ExperimentRows;
  readonly sessions: SessionRows;
  readonly runs: RunRows;
  readonly samples: SampleRows;
  readonly settings: SettingRows;
  readonly sqliteVersion: string;
  /** Checkpoint, then close. Frees the lock. */
  close(): void;
}

/** `list` starts with this computer (made by the first migration). */
export interface HostRows extends NamedThings<HostSpec> {
  facts(id: number): HostFacts | undefined;
  setFacts(id: number, facts: HostFacts): void;
  /** Remembered host keys by address and port. */
  key(address: string, port: number): HostKey | undefined;
  setKey(key: HostKey, at: number): void;
  removeKey(address: string, port: number): void;
  tunnels(): { id: number; spec: TunnelSpec }[];
  insertTunnel(spec: TunnelSpec): number;
  updateTunnel(id: number, spec: TunnelSpec): void;
  removeTunnel(id: number): void;
}

export type TargetRows = NamedThings<TargetSpec>;

/** What the tool's steps are planned from, to clean the data set up later. */
export interface DataRecipe {
  /** Host that ran the tool. */
  generator: string;
  options: Record<string, unknown>;
  warmup: number;
  duration: number;
  seed: number;
}

/** What a workload has made somewhere, whatever it consists of: how, and what has become of it. */
export interface NewSet {
  tool: string;
  title: string;
  recipe: DataRecipe;
  state: DataSetState;
  madeAt: number | null;
  madeBy: number | null;
  writtenAt: number | null;
  writtenBy: number | null;
}
/** A deleted session is forgotten as their maker. */
export interface SetRows<New extends NewSet> {
  /** Newest first. */
  list(): (New & { id: number })[];
  get(id: number): (New & { id: number }) | undefined;
  /** Forgets the ones that it takes the place of, in the same transaction. */
  insert(set: New, replaces: readonly number[]): New & { id: number };
  update(id: number, change: Partial<New>): New & { id: number };
  remove(id: number): void;
}

export interface NewDataSet extends NewSet {
  targetId: number;
  shape: string;
  tables: DataTable[];
  bytes: number | null;
  countedAt: number | null;
}
export interface DataSetRow extends NewDataSet {
  id: number;
}
/** They go with their target. */
export type DataSetRows = SetRows<NewDataSet>;

export interface NewFileSet extends NewSet {
  hostId: number;
  directory: string;
  files: SetFile[];
  checkedAt: number | null;
}
export interface FileSetRow extends NewFileSet {
  id: number;
}
/** They go with their host. */
export type FileSetRows = SetRows<NewFileSet>;

/** Sealed bytes by owner: `host:3`, `target:7`. */
export interface SecretRows {
  get(owner: string): Uint8Array | undefined;
  set(owner: string, sealed: Uint8Array): void;
  remove(owner: string): void;
}

export interface ExperimentRow {
  id: number;
  name: string;
  text: string;
  changedAt: number;
}
export interface ExperimentRows {
  list(): ExperimentRow[];
  get(id: number): ExperimentRow | undefined;
  insert(name: string, text: string, at: number): ExperimentRow;
  update(id: number, name: string, text: string, at: number): ExperimentRow;
  remove(id: number): void;
}

/** JSON columns hold what the schemas of `shared/model` describe; times in epoch milliseconds. */
export interface SessionRow {
  id: number;
  uuid: string;
  name: string;
  state: SessionState;
  message: string | null;
  /** The YAML it was started from. */
  experimentText: string;
  /** SessionDetail without `session`: what was true at the start. */
  context: Record<string, unknown>;
  tags: string[];
  note: string;
  archived: boolean;
  cost: CostSpec | null;
  createdAt: number;
  startedAt: number | null;
  endedAt: number | null;
}
export interface SessionRows {
  list(archived: boolean): SessionRow[];
  get(id: number): SessionRow | undefined;
  /** The plan's trials become runs in the same transaction. */
  insert(
    row: Omit<SessionRow, 'id' | 'startedAt' | 'endedAt' | 'archived' | 'cost' | 'note'>,
    runs: readonly NewRun[],
  ): SessionRow;
  update(id: number, change: Partial<Omit<SessionRow, 'id' | 'uuid'>>): SessionRow;
  remove(id: number): void;
  log(id: number, afterId: number, limit: number): LogEntry[];
  addLog(entry: Omit<LogEntry, 'id'>): LogEntry;
}

export interface NewRun {
  trial: number;
  cell: number;
  repeat: number;
  levels: Levels;
  warmup: number;
  duration: number;
}

export interface RunRow extends NewRun {
  id: number;
  sessionId: number;
  state: RunState;
  message: string | null;
  exit: ExitStatus | null;
  command: string | null;
  startedAt: number | null;
  endedAt: number | null;
  summary: Record<string, number>;
  findings: Finding[];
  partial: boolean;
  /** Job per generator, in the order of the document. Host and id are written before the launch. */
  jobs: RunJob[];
}

/** What one generator of a run does. */
export interface RunJob {
  host: string;
  jobId: string;
  /** The rest only of runs with several generators. What the host's clock was off, and how exactly that is known, milliseconds. */
  clock?: { offsetMs: number; roundTripMs: number };
  /** When its tool started, on our clock, epoch milliseconds with fractions. */
  startedAt?: number;
  exit?: ExitStatus;
  /** The tool's own final figures. */
  summary?: Record<string, number>;
  /** What is missing of it, a sentence. */
  message?: string;
}
export interface RunRows {
  ofSession(sessionId: number): RunRow[];
  get(id: number): RunRow | undefined;
  update(id: number, change: Partial<Omit<RunRow, 'id' | 'sessionId'>>): RunRow;
  /** Makes every pending run of a session a skipped one, in one transaction. */
  skipPending(sessionId: number, message: string): void;
}

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
  /** Host-clock index lines (epoch seconds, uptime, byte offset), if any came. */
  index?: readonly { epoch: number; uptime: number; offset: number }[];
  /** Change of the run row in the same transaction. */
  run?: Partial<Omit<RunRow, 'id' | 'sessionId'>>;
}

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
  generators(runId: number): number[];
  /** Whole series; values that were absent are left out of that series (so `t` may be shorter than `count`). */
  series(runId: number, metric: string, generator?: number): SeriesData[];
  /** Rows from an index on, as columns with NaN for absent: what a live page needs. */
  rows(runId: number, generator: number, first: number): { t: Float64Array; columns: Record<string, Float64Array> };
  /** Host-clock index of a generator's output, in order: at `epoch` its file was `offset` bytes long. Columns of equal length. */
  index(runId: number, generator: number): { epoch: Float64Array; uptime: Float64Array; offset: Float64Array };
  /** Seals open tails and raw output of an ended run, and returns the SHA-256 over its raw bytes. Sealing again checks it: `store-corrupt` when it differs. */
  seal(runId: number): string;
  /** Drops samples and tail of a run, keeping raw output: the first half of re-ingesting. */
  clearSamples(runId: number): void;
}

export interface SettingRows {
  get(key: string): unknown;
  set(key: string, value: unknown): void;
}
