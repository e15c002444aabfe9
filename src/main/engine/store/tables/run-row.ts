import type { Levels } from '../../../../shared/model/experiment.ts';
import type { Finding } from '../../../../shared/model/finding.ts';
import type { Exclusion, ExitStatus, RunFact, RunState } from '../../../../shared/model/session.ts';
import { fromJson, orNull, toJson } from './rows.ts';
import { finiteOnly, type RunJob } from './run-jobs.ts';

export interface NewRun {
  trial: number;
  cell: number;
  repeat: number;
  /** Place of its step in the trial, from 0. Default: 0. */
  step?: number;
  levels: Levels;
  warmup: number;
  duration: number;
  /** Seed of its tool's random numbers; null if planned by an earlier version. */
  seed?: number | null;
}

export interface RunRow extends NewRun {
  step: number;
  seed: number | null;
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
  /** Job per generator, in document order. Host and id are written before the launch. */
  jobs: RunJob[];
  /** Facts of hosts and servers read before its tool was started. */
  facts: RunFact[];
  /** Set if the user excluded it from the figures; null if it counts. */
  excluded: Exclusion | null;
  /** The session's revision at the run's last change. */
  revision: number;
}

export interface NewRunColumns {
  session_id: number;
  trial: number;
  cell: number;
  repeat: number;
  step: number;
  levels: string;
  warmup: number;
  duration: number;
  seed: number | null;
}
export interface RunColumns extends NewRunColumns {
  id: number;
  state: string;
  message: string | null;
  exit: string | null;
  command: string | null;
  started_at: number | null;
  ended_at: number | null;
  summary: string;
  findings: string;
  partial: number;
  facts: string;
  excluded: string | null;
  revision: number;
}

export const toRun = (row: RunColumns, jobs: RunJob[]): RunRow => ({
  id: row.id,
  sessionId: row.session_id,
  trial: row.trial,
  cell: row.cell,
  repeat: row.repeat,
  step: row.step,
  levels: fromJson<Levels>(row.levels),
  warmup: row.warmup,
  duration: row.duration,
  seed: row.seed,
  state: row.state as RunState,
  message: row.message,
  exit: orNull(row.exit, fromJson<ExitStatus>),
  command: row.command,
  startedAt: row.started_at,
  endedAt: row.ended_at,
  summary: fromJson<Record<string, number>>(row.summary),
  findings: fromJson<Finding[]>(row.findings),
  partial: row.partial === 1,
  jobs,
  facts: fromJson<RunFact[]>(row.facts),
  excluded: orNull(row.excluded, fromJson<Exclusion>),
  revision: row.revision,
});

export const fromNewRun = (sessionId: number, run: NewRun): NewRunColumns => ({
  session_id: sessionId,
  trial: run.trial,
  cell: run.cell,
  repeat: run.repeat,
  step: run.step ?? 0,
  levels: toJson(run.levels),
  warmup: run.warmup,
  duration: run.duration,
  seed: run.seed ?? null,
});

export const fromRun = (run: RunRow): RunColumns => ({
  ...fromNewRun(run.sessionId, run),
  id: run.id,
  state: run.state,
  message: run.message,
  exit: orNull(run.exit, toJson),
  command: run.command,
  started_at: run.startedAt,
  ended_at: run.endedAt,
  summary: toJson(finiteOnly(run.summary)),
  findings: toJson(run.findings),
  partial: run.partial ? 1 : 0,
  facts: toJson(run.facts),
  excluded: orNull(run.excluded, toJson),
  revision: run.revision,
});
