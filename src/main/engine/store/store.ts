import type { CostSpec } from '../../../shared/model/cost.ts';
import type { SampleDamage } from '../../../shared/model/damage.ts';
import type { DataSetKind, DataSetState, DataTable } from '../../../shared/model/data-set.ts';
import type { Levels } from '../../../shared/model/experiment.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import type { HostFacts, HostKey, HostSpec, TunnelSpec } from '../../../shared/model/host.ts';
import type { Problem } from '../../../shared/model/problem.ts';
import type { SeriesData } from '../../../shared/model/result.ts';
import type { EventKind, ExitStatus, RunState, SessionState, TimelineEvent } from '../../../shared/model/session.ts';
import type { FactsSnapshot, SessionSnapshot, StartSnapshot } from '../../../shared/model/session-snapshot.ts';
import type { TargetSpec } from '../../../shared/model/target.ts';
import type { NamedThings } from './named-things.ts';

/**
 * The library: one SQLite file, one writer. All calls are synchronous and durable when they return
 * (WAL, synchronous=FULL). Errors: disk-full, read-only, store-corrupt.
 */
export interface Store {
  readonly hosts: HostRows;
  readonly targets: TargetRows;
  readonly dataSets: Readonly<Record<DataSetKind, DataSetRows>>;
  readonly secrets: SecretRows;
  readonly experiments: ExperimentRows;
  readonly sessions: SessionRows;
  readonly runs: RunRows;
  readonly jobs: JobRows;
  readonly events: EventRows;
  readonly journal: JournalRows;
  readonly sources: SourceRows;
  readonly samples: SampleRows;
  readonly settings: SettingRows;
  readonly sqliteVersion: string;
  /** All that `work` writes is stored together, or nothing of it. */
  atomically<T>(work: () => T): T;
  /** All that `work` reads is of one moment, and costs one look at the file instead of one for each row asked for. */
  reading<T>(work: () => T): T;
  /** Why nothing can be written: `read-only`, `disk-full`, `store-corrupt`, or `store-busy` where it is read beside its holder. */
  readOnly(): Problem | undefined;
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

/** A table with the rows, or a file with the bytes, that a workload needs. */
export interface DataPart {
  name: string;
  /** Rows or bytes. */
  size: number;
  /** What trials do to the number of rows (`shared/model/data-set.ts`). */
  runs?: DataTable['runs'] | undefined;
  /** When it was looked at last: null = not there, absent = never looked at. */
  found?: number | null | undefined;
}

/** What a workload has made somewhere: of what, how, and what has become of it. */
export interface NewDataSet {
  /** Id of the target whose tables they are, or of the host on which the files lie. */
  placeId: number;
  /** Folder of files, absolute; empty for tables. */
  directory: string;
  tool: string;
  title: string;
  /** How rows are stored; empty for files. */
  shape: string;
  parts: DataPart[];
  /** Estimated size of tables. */
  bytes: number | null;
  recipe: DataRecipe;
  state: DataSetState;
  madeAt: number | null;
  madeBy: number | null;
  lookedAt: number | null;
  writtenAt: number | null;
  writtenBy: number | null;
}
/** Ids count for each kind by itself. */
export interface DataSetRow extends NewDataSet {
  kind: DataSetKind;
  id: number;
}
/** Data sets of one kind. They go with their place; a deleted session is forgotten as their maker. */
export interface DataSetRows {
  /** Newest first. */
  list(): DataSetRow[];
  get(id: number): DataSetRow | undefined;
  /** Forgets the ones that it takes the place of, in the same transaction. */
  insert(set: NewDataSet, replaces: readonly number[]): DataSetRow;
  update(id: number, change: Partial<NewDataSet>): DataSetRow;
  remove(id: number): void;
}

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

/** Cell means of the primary metric: what a list shows of a session. */
export interface SessionOverview {
  /** In cell order, null: nothing yet; of many cells the means of neighbours. */
  sparkline: (number | null)[];
  best?: { value: number; levels: Levels };
}

/** Times in epoch milliseconds. Small on purpose: lists and live pages read it often; what it was started from is its snapshot. */
export interface SessionRow {
  id: number;
  uuid: string;
  name: string;
  question: string | null;
  state: SessionState;
  message: string | null;
  tool: string;
  target: string | null;
  generators: string[];
  primaryMetric: string;
  cells: number;
  repeats: number;
  /** Estimated at the start for the whole plan. */
  plannedSeconds: number;
  trialsTotal: number;
  trialsEnded: number;
  /** Failed or lost. */
  trialsFailed: number;
  /** Null when trials have ended since it was worked out. */
  overview: SessionOverview | null;
  tags: string[];
  note: string;
  archived: boolean;
  cost: CostSpec | null;
  createdAt: number;
  startedAt: number | null;
  endedAt: number | null;
  /** Grows with each change of the session or of one of its runs. */
  revision: number;
}
export interface NewSession extends Pick<SessionRow, 'uuid' | 'state' | 'tags' | 'createdAt'> {
  snapshot: StartSnapshot;
}
type SessionChange = Partial<
  Pick<
    SessionRow,
    'name' | 'state' | 'message' | 'overview' | 'tags' | 'note' | 'archived' | 'cost' | 'startedAt' | 'endedAt'
  >
>;

/** A data set as it was when a session began to use it. */
export interface UsedSet {
  kind: DataSetKind;
  id: number;
  /** When it had been written to last; absent where an earlier version stored this. */
  writtenAt?: number | null;
}

/** What a session has made or found of the data that its trials need, so far. */
export interface DataProgress {
  /** Group of cells that use the same data. */
  group: number;
  keys: readonly string[];
  sets: readonly UsedSet[];
  complete: boolean;
  /** Before which run, for data that each trial uses up. */
  run?: number;
}

export interface SessionList {
  /** Newest first. */
  sessions: SessionRow[];
  /** Sessions, archived or not, whose own rows cannot be read. */
  damaged: number[];
}

export interface SessionRows {
  list(archived: boolean): SessionList;
  /** Those in one of these states, archived ones too, oldest first. */
  inState(states: readonly SessionState[]): SessionRow[];
  get(id: number): SessionRow | undefined;
  /** The plan's trials become runs in the same transaction. Throws bad-request when the snapshot does not fit its schema. */
  insert(row: NewSession, runs: readonly NewRun[]): SessionRow;
  update(id: number, change: SessionChange): SessionRow;
  /** Its jobs on hosts may be removed from then on. */
  remove(id: number, now: number): void;
  /** Throws not-found, and store-corrupt when the stored document does not fit its schema. */
  snapshot(id: number): SessionSnapshot;
  /** Refused (`conflict`) once the first trial has begun: what a session was measured on does not change. */
  keepFacts(id: number, facts: FactsSnapshot): void;
  dataProgress(id: number): DataProgress | undefined;
  setDataProgress(id: number, progress: DataProgress): void;
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
  /** Revision of its session at its last change. */
  revision: number;
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
  /** Those changed after a revision of their session, in the order of the plan. */
  changedSince(sessionId: number, revision: number): RunRow[];
  /** Those whose tool may be at work on a host. */
  open(sessionId: number): RunRow[];
  get(id: number): RunRow | undefined;
  update(id: number, change: Partial<Omit<RunRow, 'id' | 'sessionId' | 'revision'>>): RunRow;
  /** Makes every pending run of a session a skipped one, in one transaction. */
  skipPending(sessionId: number, message: string): void;
  /** Its samples have changed: what was worked out from them no longer counts. */
  forgetOverview(id: number): void;
  /** Sum and number of the measured seconds of the primary metric by cell, of complete runs; what is missing is worked out by `measure`. */
  overview(sessionId: number, measure: (run: RunRow) => { sum: number; seconds: number }): CellTotal[];
}
export interface CellTotal {
  cell: number;
  sum: number;
  seconds: number;
}

/** A step that prepares or removes data, under way on a host. */
export interface StepJob {
  host: string;
  jobId: string;
  step: 'prepare' | 'cleanup';
  /** What it prepares. */
  key: string;
}

/** Folders that Kneepoint made on hosts, beside those of runs. They outlive their session: somebody has to remove them. */
export interface JobRows {
  /** The step of a session that is under way; a restart follows it instead of starting a second one. */
  step(sessionId: number): StepJob | undefined;
  /** Written before the launch. */
  beginStep(sessionId: number, job: StepJob): void;
  endStep(sessionId: number): void;
  /** The tools of a run are about to be launched. */
  runLaunched(runId: number): void;
  /** Jobs on a host whose run has ended without anybody having seen their own end: their tools may still be at work. */
  strays(host: string): { jobId: string; sessionId: number | null; runId: number }[];
  /** Nothing of it is at work any more. */
  jobEnded(host: string, jobId: string): void;
  /** The folder of a job may be removed from then on. */
  removeAfter(job: { host: string; jobId: string }, at: number): void;
  /** Names of the jobs whose folders may be removed from a host now. */
  due(host: string, now: number): string[];
  /** Its folder is gone. */
  removed(host: string, jobId: string): void;
}

export interface NewEvent extends Omit<TimelineEvent, 'id'> {
  /** For programs: what the message says in words. */
  detail?: unknown;
}
export interface EventRows {
  add(event: NewEvent): TimelineEvent;
  /** The warm-up of a run is over. Only the first call for a run counts. */
  addWarmUpEnd(event: Omit<NewEvent, 'kind'> & { runId: number; t: number }): void;
  /** In the order in which they were added, of these kinds. `runIds`: of these runs, and of none. */
  ofSession(
    sessionId: number,
    kinds: readonly EventKind[],
    afterId: number,
    limit: number,
    runIds?: readonly number[],
  ): TimelineEvent[];
  /** Of kind `finding`, as they were noticed. */
  findings(sessionId: number): Finding[];
}

/** How a change of the world is undone. Each kind is one that the engine knows to carry out. */
export type Undo = { kind: 'remove-secret-files'; jobId: string };

/**
 * planned: written before the change. applied: made, not yet read back. verified: read back as wanted. differs: read back otherwise.
 * restored: undone, and that was read back. given-up: a person takes it as it is.
 */
export type JournalState = 'planned' | 'applied' | 'verified' | 'differs' | 'restored' | 'given-up';

/** One change that Kneepoint makes to a host or server, with what it takes to undo it. */
export interface JournalEntry {
  id: number;
  sessionId: number | null;
  runId: number | null;
  /** Name of a host or of a target. */
  place: { kind: 'host' | 'server'; name: string };
  what: string;
  oldValue: string | null;
  wanted: string | null;
  readBack: string | null;
  state: JournalState;
  undo: Undo;
  message: string | null;
  writtenAt: number;
  /** Nothing is left to undo since then. */
  closedAt: number | null;
}
/** Entries outlive their session: what was changed has to be undone all the same. */
export interface JournalRows {
  /** Before the change is made. */
  write(entry: Omit<JournalEntry, 'id' | 'readBack' | 'state' | 'message' | 'closedAt'>): JournalEntry;
  note(id: number, change: Partial<Pick<JournalEntry, 'readBack' | 'state' | 'message'>>): JournalEntry;
  close(id: number, state: 'restored' | 'given-up', at: number): void;
  /** What is left to undo, everywhere or at one place, newest first: changes are undone in reverse. */
  open(place?: JournalEntry['place']): JournalEntry[];
  ofSession(sessionId: number): JournalEntry[];
}

/** What samples and output of a session come from. `position`: of a generator its place in the order of the document. */
export interface NewSource {
  kind: 'generator' | 'host' | 'server' | 'command';
  /** Of a generator, the name of its host. */
  name: string;
  position: number;
}
export interface Source extends NewSource {
  id: number;
  sessionId: number;
  /** What its host's clock was off, milliseconds to be added to it, how exactly that is known, and when it was read. */
  clock?: { offsetMs: number; errorMs: number; at: number };
}
/** They go with their session. */
export interface SourceRows {
  /** The one that is there, else a new one. */
  ensure(sessionId: number, source: NewSource): Source;
  /** By kind, then in their order. */
  ofSession(sessionId: number): Source[];
  setClock(id: number, clock: { offsetMs: number; errorMs: number; at: number }): void;
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
  /** Host-clock index lines (epoch seconds, uptime, bytes of output, where the next line begins), if any came. */
  index?: readonly { epoch: number; uptime: number; offset: number; next: number }[];
  /** Change of the run row in the same transaction. */
  run?: Partial<Omit<RunRow, 'id' | 'sessionId' | 'revision'>>;
}

export interface HostIndex {
  epoch: Float64Array;
  uptime: Float64Array;
  offset: Float64Array;
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
  series(runId: number, metric: string, generator?: number): SeriesData[];
  /** As `series`, without the samples that are damaged, and what these are. */
  readable(runId: number, metric: string, generator?: number): { series: SeriesData[]; damage: SampleDamage[] };
  /** Rows from an index on, as columns with NaN for absent: what a live page needs. */
  rows(runId: number, generator: number, first: number): { t: Float64Array; columns: Record<string, Float64Array> };
  /**
   * Host-clock index of a generator's output, in order: at `epoch` its file was `offset` bytes long; the next line of the index begins
   * at its byte `next`. Columns of equal length.
   */
  index(runId: number, generator: number): HostIndex;
  /** Seals open tails and raw output of an ended run, and returns the SHA-256 over its raw bytes. Sealing again checks it: `store-corrupt` when it differs. */
  seal(runId: number): string;
  /** Drops samples and tail of a run, keeping raw output: the first half of re-ingesting. */
  clearSamples(runId: number): void;
}

export interface SettingRows {
  get(key: string): unknown;
  set(key: string, value: unknown): void;
}
