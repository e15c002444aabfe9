import { z } from 'zod';
import { FigureBound } from './analysis.ts';
import { Numbers } from './binary.ts';
import { ChartChoice } from './chart.ts';
import { DerivedMeasure } from './derived.ts';
import { Experiment, Levels } from './experiment.ts';
import { Caveats } from './figure.ts';
import { Finding } from './finding.ts';
import { HostFacts } from './host.ts';
import { Changes, Plan, SessionStep } from './plan.ts';
import { Problem } from './problem.ts';
import { LaterPart, StoragePlace, TargetFacts } from './session-snapshot.ts';
import { RunState, SessionState } from './states.ts';

export { ENDED_RUN, ENDED_SESSION, FAILED_RUN, OPEN_RUN, RESUMABLE_SESSION, RunState, SessionState } from './states.ts';

/** measured: by this library's Kneepoint. imported: read from the output of another system. received: measured by another library's Kneepoint. */
export const SessionOrigin = z.enum(['measured', 'imported', 'received']);
export type SessionOrigin = z.infer<typeof SessionOrigin>;

/** How the tool ended. Exit code and signal as the host saw them; neither if they cannot be known. */
export const ExitStatus = z.object({
  code: z.number().optional(),
  signal: z.string().optional(),
  unknown: z.string().optional(),
});
export type ExitStatus = z.infer<typeof ExitStatus>;

/** Checked as a whole: checking them one by one takes half of the time that a list of a thousand sessions needs. */
const CellMeans = z.custom<(number | null)[]>(
  (value) => Array.isArray(value) && value.every((mean) => mean === null || Number.isFinite(mean)),
);

/** A session as listed and watched. Times in epoch milliseconds. */
export const Session = z.object({
  id: z.number(),
  uuid: z.string(),
  name: z.string(),
  question: z.string().optional(),
  tags: z.array(z.string()),
  state: SessionState,
  /** Why it is in this state, a sentence. */
  message: z.string().optional(),
  /** Part of it is unreadable: only id, name and message are meaningful. */
  damaged: z.boolean().optional(),
  /** Continues by itself as soon as the vault is unlocked. */
  waitsForVault: z.boolean().optional(),
  /** Input needed: it waits for something that only the user can provide, then continues by itself. */
  needs: Problem.optional(),
  /** Absent: measured. */
  origin: SessionOrigin.exclude(['measured']).optional(),
  /** It only shows that the experiment runs; its figures answer no question. */
  mechanics: z.literal('only').optional(),
  /** Steps of each trial, in order. Absent: a single one, of `tool` and `primaryMetric`. */
  steps: z.array(SessionStep).optional(),
  /** Tool of the step shown in lists: the first measured one. */
  tool: z.string(),
  target: z.string().optional(),
  /** Targets of cells that do not all use the same one; `target` is absent then. */
  targets: z.array(z.string()).optional(),
  generators: z.array(z.string()),
  createdAt: z.number(),
  startedAt: z.number().optional(),
  endedAt: z.number().optional(),
  /** Milliseconds since its start in which it was paused or the app was closed, and none of its tools ran; absent: none. */
  idleMs: z.number().optional(),
  /** Nothing has executed it since then, although it has not ended. */
  idleSince: z.number().optional(),
  cells: z.number(),
  repeats: z.number(),
  trialsTotal: z.number(),
  trialsEnded: z.number(),
  /** Failed or lost, and not measured again. */
  trialsFailed: z.number(),
  /** For a session that is done: the stop rule that took effect, in a sentence or two. Absent: none did. */
  stoppedBy: z.string().optional(),
  /**
   * For a session that is done: planned trials without a complete measurement, including skipped ones except those skipped by a stop rule.
   * Absent: none.
   */
  trialsMissing: z.number().optional(),
  /** Its answer, a sentence; absent if there is none yet, or none can be given. */
  answer: z.string().optional(),
  /**
   * Primary metric of that step's tool (null: it only watches), its best cell mean so far, and the cell means in cell order (null: no
   * result yet; with many cells, means of neighbours).
   */
  primaryMetric: z.string().nullable(),
  best: z
    .object({
      value: z.number(),
      levels: Levels,
      /** 95 % interval over the repeats of that cell; absent with fewer than two. */
      confidence: z.object({ low: z.number(), high: z.number() }).optional(),
      /** Absent: its runs were not judged, or differ. */
      bound: FigureBound.optional(),
      caveats: Caveats,
    })
    .optional(),
  sparkline: CellMeans,
  /** In a list: best, sparkline and curves are still to be calculated; any values present are outdated. */
  figuresFollow: z.literal(true).optional(),
  /** The sparkline for each load curve if the matrix has several: one list for each combination of the other factors. */
  curves: z.array(CellMeans).optional(),
  /** Name of the experiment that it was started from, regardless of the session's current name. */
  experiment: z.string().optional(),
  /** Current work other than a trial: "Preparing 4 tables × 10,000 rows". */
  activity: z.string().optional(),
  /** Start of that work, epoch milliseconds. */
  activitySince: z.number().optional(),
  /** While it is executed: maximum number of remaining restarts and reloads. Absent: the plan has none. */
  changesLeft: Changes.optional(),
  /** Estimated end while it runs, epoch milliseconds. */
  expectedEndAt: z.number().optional(),
  costPerHour: z.number().optional(),
  currency: z.string().optional(),
  /** Dates of the prices in this sum. */
  pricesAsOf: z.string().optional(),
});
export type Session = z.infer<typeof Session>;

/** Everything that applied when it started. */
export const SessionDetail = z.object({
  session: Session,
  experiment: Experiment,
  experimentText: z.string(),
  plan: Plan,
  hosts: z.array(z.object({ name: z.string(), facts: HostFacts.optional() })),
  target: TargetFacts.optional(),
  /** Targets of cells that do not all use the same one; `target` is absent then. */
  targets: z.array(TargetFacts).optional(),
  toolVersion: z.string().optional(),
  /** Folders and devices of the tools and data folders of targets, with their file systems at the start. Absent: none, or not read. */
  places: z.array(StoragePlace).optional(),
  appVersion: z.string(),
  /** Trials added later, with the facts of hosts and target at that time; absent: none. */
  later: z.array(LaterPart).optional(),
  findings: z.array(Finding),
  note: z.string().optional(),
  /** Measures added after the start, in addition to those of the document; absent: none. */
  measures: z.array(DerivedMeasure).optional(),
  /** Charts added after the start, in addition to those of the document; absent: none. */
  charts: z.array(ChartChoice).optional(),
});
export type SessionDetail = z.infer<typeof SessionDetail>;

/**
 * One setting of a host or server that the levels of a run asked for. `first`: its value before Kneepoint changed anything; null: it was
 * not set. `found`: the value read back before the tool was started.
 */
export const RunFact = z.object({
  place: z.object({ kind: z.enum(['host', 'server']), name: z.string() }),
  what: z.string(),
  wanted: z.string(),
  found: z.string().nullable(),
  first: z.string().nullable(),
  /** False: the value found is not the desired one. Absent: it is, even if it is written differently (134217728 for 128M). */
  matches: z.literal(false).optional(),
});
export type RunFact = z.infer<typeof RunFact>;

/** Record of one of several generators in a run. */
export const RunGenerator = z.object({
  host: z.string(),
  /** Samples stored so far. */
  seconds: z.number(),
  /** Start of its tool on this computer's clock, epoch milliseconds; offset of the generator's clock at that time, and its uncertainty. */
  startedAt: z.number().optional(),
  clockOffsetMs: z.number().optional(),
  clockErrorMs: z.number().optional(),
  exit: ExitStatus.optional(),
  summary: z.record(z.string(), z.number()),
  /** Why part of it is missing. */
  message: z.string().optional(),
});
export type RunGenerator = z.infer<typeof RunGenerator>;

/** A user's decision to exclude a run from all figures. Its measurements are kept. */
export const Exclusion = z.object({
  reason: z.string(),
  /** Epoch milliseconds. */
  at: z.number(),
});
export type Exclusion = z.infer<typeof Exclusion>;
/** Why a run is excluded, as the user typed it. */
export const ExclusionReason = z.string().trim().min(1).max(500);

/** One step of a trial as it was executed. */
export const Run = z.object({
  id: z.number(),
  sessionId: z.number(),
  trial: z.number(),
  cell: z.number(),
  repeat: z.number(),
  /** Place of its step in the trial, from 0. Default: 0. */
  step: z.number().optional(),
  /** Absent: the document has no steps. */
  stepName: z.string().optional(),
  levels: Levels,
  state: RunState,
  message: z.string().optional(),
  exit: ExitStatus.optional(),
  /** Command line as run on the generator, without secrets; with several generators, each under its name. */
  command: z.string().optional(),
  startedAt: z.number().optional(),
  endedAt: z.number().optional(),
  /** Seconds. */
  warmup: z.number(),
  duration: z.number(),
  /** Seed of the random numbers that its tool draws; of the first generator if there are several. Absent if it was not recorded. */
  seed: z.number().optional(),
  /** The tool's own final figures by metric id (and tool-specific keys). */
  summary: z.record(z.string(), z.number()),
  findings: z.array(Finding),
  /** It ended early or lost something: shown with every figure of it. */
  partial: z.boolean(),
  /** Samples stored so far (seconds); of the generator with the most, if there are several. */
  seconds: z.number(),
  /** In the order of the document; absent with a single generator. */
  generators: z.array(RunGenerator).optional(),
  /** Settings of hosts and servers for its cell, as read back; absent: none were requested. */
  facts: z.array(RunFact).optional(),
  /** Absent: it counts. */
  excluded: Exclusion.optional(),
  /** How late the last sample arrived, seconds. */
  lag: z.number().optional(),
});
export type Run = z.infer<typeof Run>;

/**
 * An event of a session at a moment. log: Kneepoint's own log; note: written by a user; alert: something to check; state: session or run
 * changed its state; warm-up-end, checkpoint: moments of a run; mark: a line of a log stored by a capture; finding: a finding about the
 * session.
 */
export const EventKind = z.enum([
  'log',
  'note',
  'alert',
  'state',
  'warm-up-end',
  'checkpoint',
  'scenario',
  'mark',
  'finding',
]);
export type EventKind = z.infer<typeof EventKind>;

export const TimelineEvent = z.object({
  id: z.number(),
  sessionId: z.number(),
  runId: z.number().optional(),
  kind: EventKind,
  /** Epoch milliseconds on this computer's clock. */
  at: z.number(),
  /** Seconds since the start of the run's tool, for a moment of a run. */
  t: z.number().optional(),
  level: z.enum(['info', 'warn', 'error', 'note']),
  message: z.string(),
});
export type TimelineEvent = z.infer<typeof TimelineEvent>;

/** Kinds shown in the log of a session. */
export const LOG_KINDS: readonly EventKind[] = ['log', 'note', 'alert'];

/** A line of the session's log. */
export const LogEntry = TimelineEvent;
export type LogEntry = TimelineEvent;

/** New samples of one generator of one run. Every column has the length of `t`; NaN = no value at that second. */
export const SampleBatch = z.object({
  runId: z.number(),
  generator: z.number(),
  /** Index of the first sample, counted from 0 in the run: it reveals gaps and overlaps with stored samples. */
  first: z.number(),
  /** Seconds since the tool's own start. */
  t: Numbers,
  columns: z.record(z.string(), Numbers),
});
export type SampleBatch = z.infer<typeof SampleBatch>;

export const SessionEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('session'), session: Session }),
  z.object({ kind: z.literal('run'), run: Run }),
  z.object({ kind: z.literal('samples'), batch: SampleBatch }),
  z.object({ kind: z.literal('log'), entries: z.array(LogEntry) }),
]);
export type SessionEvent = z.infer<typeof SessionEvent>;
