import type { DataSetKind } from '../../../shared/model/data-set.ts';
import type { Problem } from '../../../shared/model/problem.ts';
import type { EndedRun, EndedSession } from './ended.ts';
import type { MonitorRows } from './samples/monitor-rows.ts';
import type { SampleRows } from './samples/sample-rows.ts';
import type { SummaryRows } from './summaries/stamps.ts';
import type { CaptureRows } from './tables/captures.ts';
import type { ConfigurationRows } from './tables/configurations.ts';
import type { DataSetRows } from './tables/data-sets.ts';
import type { EventRows } from './tables/events.ts';
import type { ExperimentRows } from './tables/experiments.ts';
import type { HeadlineRows } from './tables/headlines.ts';
import type { HostRows } from './tables/hosts.ts';
import type { JobRows } from './tables/jobs.ts';
import type { ClaimRows, JournalRows } from './tables/journal.ts';
import type { JudgementRows } from './tables/judgements.ts';
import type { LatencyRows } from './tables/latencies.ts';
import type { TargetRows } from './tables/named-things.ts';
import type { RunRows } from './tables/runs.ts';
import type { SecretRows } from './tables/secrets.ts';
import type { SessionRow } from './tables/session-row.ts';
import type { SessionRows } from './tables/sessions.ts';
import type { SourceRows } from './tables/sources.ts';

export type { MonitorJob } from './samples/monitor-rows.ts';
export type { IngestBatch } from './samples/sample-rows.ts';
export type { Stamp, Summary, SummaryKey } from './summaries/stamps.ts';
export type { NewCapture } from './tables/captures.ts';
export type { ConfigurationRow } from './tables/configurations.ts';
export type { DataProgress, UsedSet } from './tables/data-progress.ts';
export type { DataPart, DataRecipe, NewDataSet } from './tables/data-set-columns.ts';
export type { DataSetRow } from './tables/data-sets.ts';
export type { NewEvent, PreparedData, StopEvent } from './tables/events.ts';
export type { Headline, SessionOverview } from './tables/headlines.ts';
export type { OrphanJob, StepJob } from './tables/jobs.ts';
export type { ClaimRow, Identity, JournalEntry } from './tables/journal.ts';
export type { RunBound } from './tables/judgements.ts';
export type { Latencies } from './tables/latencies.ts';
export type { RunJob } from './tables/run-jobs.ts';
export type { NewRun, RunRow } from './tables/run-row.ts';
export type { NewSession, SessionRow } from './tables/session-row.ts';
export type { NewSource, Source, SourceAbout } from './tables/sources.ts';

/**
 * The library: one SQLite file, one writer. All calls are synchronous and durable when they return (WAL, synchronous=FULL). Errors:
 * `disk-full`, `read-only`, `store-corrupt`.
 */
export interface Store {
  readonly hosts: HostRows;
  readonly targets: TargetRows;
  readonly dataSets: Readonly<Record<DataSetKind, DataSetRows>>;
  readonly secrets: SecretRows;
  readonly experiments: ExperimentRows;
  readonly configurations: ConfigurationRows;
  readonly sessions: SessionRows;
  readonly runs: RunRows;
  readonly jobs: JobRows;
  readonly events: EventRows;
  readonly journal: JournalRows;
  readonly claims: ClaimRows;
  readonly sources: SourceRows;
  readonly samples: SampleRows;
  readonly monitored: MonitorRows;
  readonly latencies: LatencyRows;
  readonly captures: CaptureRows;
  readonly judgements: JudgementRows;
  readonly headlines: HeadlineRows;
  readonly summaries: SummaryRows;
  readonly sqliteVersion: string;
  /** Adds a session that was not measured here, complete with its finished runs. Throws `bad-request` for a run that has not ended. */
  insertEnded(session: EndedSession, runs: readonly EndedRun[]): SessionRow;
  /** Stores everything that `work` writes, or nothing. */
  atomically<T>(work: () => T): T;
  /**
   * Like `atomically`, without waiting for the disk: for output that its host still has. A power failure may lose the latest of these
   * completely; it is then fetched again from the stored offset. The next `atomically` makes them durable.
   */
  relaxed<T>(work: () => T): T;
  /**
   * Like `relaxed`, but within a quarter of a second and in one transaction with the writes of all other callers. A write that throws is
   * rolled back alone; if the commit fails, all reject.
   */
  soon<T>(work: () => T): Promise<T>;
  /** Everything that `work` reads is from the same moment, with one access to the file instead of one per row. */
  reading<T>(work: () => T): T;
  /**
   * Why the library cannot be written: `read-only`, `disk-full`, `store-corrupt`, or `store-busy` if another process holds it. Undefined if
   * it can.
   */
  readOnly(): Problem | undefined;
  /** Checkpoints, closes and unlocks the library. */
  close(): void;
}
