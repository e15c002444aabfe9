import type { CostSpec } from '../../../../shared/model/cost.ts';
import { headlineStep, type SessionStep } from '../../../../shared/model/plan.ts';
import type { SessionOrigin, SessionState } from '../../../../shared/model/session.ts';
import type { StartSnapshot } from '../../../../shared/model/session-snapshot.ts';
import { fromJson, orNull, toJson } from './rows.ts';
import type { NewRun } from './run-row.ts';

/** Times in epoch milliseconds. Small on purpose, because lists and live pages read it often; the rest is in its snapshot. */
export interface SessionRow {
  id: number;
  uuid: string;
  name: string;
  origin: SessionOrigin;
  /** It only shows that the experiment runs; its figures mean nothing. */
  mechanics: boolean;
  /** Name of the document that it was started from; null if an earlier version left it unreadable. */
  experiment: string | null;
  question: string | null;
  state: SessionState;
  message: string | null;
  /** The steps of every trial, in order. */
  steps: readonly SessionStep[];
  /** Targets of its cells. */
  targets: string[];
  /** Hosts that generate load in any cell. */
  generators: string[];
  cells: number;
  repeats: number;
  /** Estimated at the start for the whole plan, from its first trial on. */
  plannedSeconds: number;
  trialsTotal: number;
  trialsEnded: number;
  /** Failed or lost. */
  trialsFailed: number;
  /** Without a complete measurement. */
  trialsMissing: number;
  tags: string[];
  note: string;
  /** The factor under test if the user chose it later, else null. */
  tested: string | null;
  archived: boolean;
  cost: CostSpec | null;
  createdAt: number;
  startedAt: number | null;
  endedAt: number | null;
  /** Milliseconds since its start in which it was not executed and no tool of it ran: paused, or Kneepoint closed. */
  idleMs: number;
  /** Increases with each change of the session or of one of its runs. */
  revision: number;
}

export interface NewSession extends Pick<SessionRow, 'uuid' | 'state' | 'tags' | 'createdAt'> {
  snapshot: StartSnapshot;
  /** Default: measured by this library's Kneepoint. */
  origin?: SessionOrigin;
  /** Places that its cells load. Default: those named in the document. */
  places?: { readonly targets: readonly string[]; readonly generators: readonly string[] };
}

export type SessionChange = Partial<
  Pick<
    SessionRow,
    | 'cells'
    | 'plannedSeconds'
    | 'name'
    | 'state'
    | 'message'
    | 'tags'
    | 'note'
    | 'tested'
    | 'archived'
    | 'cost'
    | 'startedAt'
    | 'endedAt'
    | 'idleMs'
  >
>;

export interface NewSessionColumns {
  uuid: string;
  name: string;
  experiment: string | null;
  question: string | null;
  state: string;
  /** Tool of the step that lists show. */
  tool: string;
  target: string | null;
  /** Names as JSON if there are several; else null, with the name in `target` or without any. */
  targets: string | null;
  generators: string;
  primary_metric: string;
  /** JSON if there are several; null for one, with `tool` and `primary_metric`. */
  steps: string | null;
  cells: number;
  repeats: number;
  planned_seconds: number;
  trials_total: number;
  trials_missing: number;
  tags: string;
  created_at: number;
  origin: string;
  mechanics: number;
}
export interface ChangeableColumns {
  id: number;
  name: string;
  cells: number;
  planned_seconds: number;
  state: string;
  message: string | null;
  tags: string;
  note: string;
  tested: string | null;
  archived: number;
  cost: string | null;
  started_at: number | null;
  ended_at: number | null;
  idle_ms: number;
}
export interface SessionColumns extends NewSessionColumns, ChangeableColumns {
  name: string;
  state: string;
  tags: string;
  trials_ended: number;
  trials_failed: number;
  revision: number;
}

export const toSession = (row: SessionColumns): SessionRow => ({
  id: row.id,
  uuid: row.uuid,
  name: row.name,
  origin: row.origin as SessionOrigin,
  mechanics: row.mechanics === 1,
  experiment: row.experiment,
  question: row.question,
  state: row.state as SessionState,
  message: row.message,
  steps: (orNull(row.steps, fromJson<SessionStep[]>) ?? [{ tool: row.tool, metric: row.primary_metric }]).map(
    (step) => ({
      ...step,
      metric: step.metric || null,
    }),
  ),
  targets: orNull(row.targets, fromJson<string[]>) ?? (row.target === null ? [] : [row.target]),
  generators: fromJson<string[]>(row.generators),
  cells: row.cells,
  repeats: row.repeats,
  plannedSeconds: row.planned_seconds,
  trialsTotal: row.trials_total,
  trialsEnded: row.trials_ended,
  trialsFailed: row.trials_failed,
  trialsMissing: row.trials_missing,
  tags: fromJson<string[]>(row.tags),
  note: row.note,
  tested: row.tested,
  archived: row.archived === 1,
  cost: orNull(row.cost, fromJson<CostSpec>),
  createdAt: row.created_at,
  startedAt: row.started_at,
  endedAt: row.ended_at,
  idleMs: row.idle_ms,
  revision: row.revision,
});

/** A single name is stored in the format of earlier versions. */
export const targetColumns = (names: readonly string[]): Pick<NewSessionColumns, 'target' | 'targets'> =>
  names.length > 1 ? { target: null, targets: toJson(names) } : { target: names[0] ?? null, targets: null };

export const fromNew = (
  { uuid, state, tags, createdAt, snapshot, places, origin = 'measured' }: NewSession,
  runs: readonly Pick<NewRun, 'trial' | 'cell' | 'repeat'>[],
): NewSessionColumns => {
  const { experiment, plan, steps } = snapshot;
  const headline = steps[headlineStep(steps)];
  return {
    uuid,
    name: experiment.name,
    experiment: experiment.name,
    question: experiment.question ?? null,
    state,
    tool: headline?.tool ?? '',
    ...targetColumns(places?.targets ?? [experiment.where.target ?? []].flat()),
    generators: toJson(places?.generators ?? experiment.where.generators),
    primary_metric: headline?.metric ?? '',
    steps: steps.length > 1 ? toJson(steps) : null,
    cells: plan.cells.length,
    repeats: experiment.measure.repeats,
    planned_seconds: plan.seconds - (plan.estimate ? plan.estimate.start + (plan.estimate.prepare ?? 0) : 0),
    trials_total: new Set(runs.map(({ trial }) => trial)).size,
    trials_missing: new Set(runs.map(({ cell, repeat }) => `${cell} ${repeat}`)).size,
    tags: toJson(tags),
    created_at: createdAt,
    origin,
    mechanics: experiment.mechanics ? 1 : 0,
  };
};

export const fromSession = (row: SessionRow): ChangeableColumns => ({
  id: row.id,
  name: row.name,
  cells: row.cells,
  planned_seconds: row.plannedSeconds,
  state: row.state,
  message: row.message,
  tags: toJson(row.tags),
  note: row.note,
  tested: row.tested,
  archived: row.archived ? 1 : 0,
  cost: orNull(row.cost, toJson),
  started_at: row.startedAt,
  ended_at: row.endedAt,
  idle_ms: row.idleMs,
});
