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
import { LaterPart, TargetFacts } from './session-snapshot.ts';
import { RunState, SessionState } from './states.ts';
import { StoragePlace } from './storage-place.ts';

export { ENDED_RUN, ENDED_SESSION, FAILED_RUN, OPEN_RUN, RESUMABLE_SESSION, RunState, SessionState } from './states.ts';

/** measured: by this library's Kneepoint. imported: read from the output of another system. received: measured by another library's Kneepoint. */
export const SessionOrigin = z.enum(['measured', 'imported', 'received']);
export type SessionOrigin = z.infer<typeof SessionOrigin>;

/** How the tool ended. Exit code and signal as the host saw them; neither when it cannot be known. */
export const ExitStatus = z.object({
  code: z.number().optional(),
  signal: z.string().optional(),
  unknown: z.string().optional(),
});
export type ExitStatus = z.infer<typeof ExitStatus>;

/** Checked as a whole: one by one they are half of what it takes to check a list of a thousand sessions. */
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
  /** Part of it cannot be read: only id, name and message mean anything. */
  damaged: z.boolean().optional(),
  /** Goes on by itself as soon as the vault is unlocked. */
  waitsForVault: z.boolean().optional(),
  /** It waits for something that only a person can give; then it continues by itself. */
  needs: Problem.optional(),
  /** Absent: measured. */
  origin: SessionOrigin.exclude(['measured']).optional(),
  /** It shows that the experiment runs, and its figures answer nothing. */
  mechanics: z.literal('only').optional(),
  /** Steps of each trial, in order. Absent: one, of `tool` and `primaryMetric`. */
  steps: z.array(SessionStep).optional(),
  /** Tool of the step that a list shows: the first one that is measured. */
  tool: z.string(),
  target: z.string().optional(),
  /** Of cells that do not all meet the same one; `target` is absent then. */
  targets: z.array(z.string()).optional(),
  generators: z.array(z.string()),
  createdAt: z.number(),
  startedAt: z.number().optional(),
  endedAt: z.number().optional(),
  /** Milliseconds since its start in which it was paused or the app was closed, and no tool of it ran; absent: none. */
  idleMs: z.number().optional(),
  /** Nobody executes it since then, though it has not ended. */
  idleSince: z.number().optional(),
  cells: z.number(),
  repeats: z.number(),
  trialsTotal: z.number(),
  trialsEnded: z.number(),
  /** Failed or lost, and not measured again. */
  trialsFailed: z.number(),
  /** Of a session that is done: a stop rule took effect, a sentence or two. Absent: none did. */
  stoppedBy: z.string().optional(),
  /** Of a session that is done: planned trials without a complete measurement, skipped ones too, but for what a stop rule skipped. Absent: none. */
  trialsMissing: z.number().optional(),
  /** Its answer, a sentence; absent: there is no answer yet, or none that can be given. */
  answer: z.string().optional(),
  /** Metric that the tool of that step puts first (null: it only watches), its best cell mean so far, and the cell means in cell order (null: no result yet; of many cells the means of neighbours). */
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
  /** In a list: best, sparkline and curves are still to be worked out; what is there of them is of before. */
  figuresFollow: z.literal(true).optional(),
  /** The same by load curve, where the matrix has several: one list for each combination of the other factors. */
  curves: z.array(CellMeans).optional(),
  /** Name of the experiment that it was started from, whatever the session is called now. */
  experiment: z.string().optional(),
  /** What is going on besides a trial: "Preparing 4 tables × 10,000 rows". */
  activity: z.string().optional(),
  /** When that began, epoch milliseconds. */
  activitySince: z.number().optional(),
  /** While it is executed: restarts and reloads to come, at most. Absent: the plan has none. */
  changesLeft: Changes.optional(),
  /** Estimated epoch milliseconds of the end while it runs. */
  expectedEndAt: z.number().optional(),
  costPerHour: z.number().optional(),
  currency: z.string().optional(),
  /** Of when the prices are that this is the sum of. */
  pricesAsOf: z.string().optional(),
});
export type Session = z.infer<typeof Session>;

/** Everything that was true when it started. */
export const SessionDetail = z.object({
  session: Session,
  experiment: Experiment,
  experimentText: z.string(),
  plan: Plan,
  hosts: z.array(z.object({ name: z.string(), facts: HostFacts.optional() })),
  target: TargetFacts.optional(),
  /** Of cells that do not all meet the same one; `target` is absent then. */
  targets: z.array(TargetFacts).optional(),
  toolVersion: z.string().optional(),
  /** Folders of the tools with their file systems, as they were at the start. Absent: tools name none, or they were not read. */
  places: z.array(StoragePlace).optional(),
  appVersion: z.string(),
  /** Trials that were added later, and what hosts and target said of themselves then; absent: none. */
  later: z.array(LaterPart).optional(),
  findings: z.array(Finding),
  note: z.string().optional(),
  /** Measures that were added after the start, in addition to those of the document; absent: none. */
  measures: z.array(DerivedMeasure).optional(),
  /** Charts that were added after the start, in addition to those of the document; absent: none. */
  charts: z.array(ChartChoice).optional(),
});
export type SessionDetail = z.infer<typeof SessionDetail>;

/**
 * One thing of a host or server that the levels of a run asked for. `first`: what was there before Kneepoint changed anything; null: it was not set.
 * `found`: what was read back before the tool was started.
 */
export const RunFact = z.object({
  place: z.object({ kind: z.enum(['host', 'server']), name: z.string() }),
  what: z.string(),
  wanted: z.string(),
  found: z.string().nullable(),
  first: z.string().nullable(),
  /** False: what was found is not what was wanted. Absent: it is, also where it is written otherwise (134217728 for 128M). */
  matches: z.literal(false).optional(),
});
export type RunFact = z.infer<typeof RunFact>;

/** What one of several generators did in a run. */
export const RunGenerator = z.object({
  host: z.string(),
  /** Samples stored so far. */
  seconds: z.number(),
  /** When its tool started, on our clock, epoch milliseconds; what its host's clock was off then, and how exactly that is known. */
  startedAt: z.number().optional(),
  clockOffsetMs: z.number().optional(),
  clockErrorMs: z.number().optional(),
  exit: ExitStatus.optional(),
  summary: z.record(z.string(), z.number()),
  /** What is missing of it. */
  message: z.string().optional(),
});
export type RunGenerator = z.infer<typeof RunGenerator>;

/** A person's decision that a run is in no figure. What it measured is kept. */
export const Exclusion = z.object({
  reason: z.string(),
  /** Epoch milliseconds. */
  at: z.number(),
});
export type Exclusion = z.infer<typeof Exclusion>;
/** Why a run is in no figure, as a person types it. */
export const ExclusionReason = z.string().trim().min(1).max(500);

/** One step of a trial as it was executed. */
export const Run = z.object({
  id: z.number(),
  sessionId: z.number(),
  trial: z.number(),
  cell: z.number(),
  repeat: z.number(),
  /** Place of its step in the trial, from 0. Absent: 0. */
  step: z.number().optional(),
  /** Absent: a trial of the document has no steps. */
  stepName: z.string().optional(),
  levels: Levels,
  state: RunState,
  message: z.string().optional(),
  exit: ExitStatus.optional(),
  /** Command line as run on the generator, secrets left out; of several each under its name. */
  command: z.string().optional(),
  startedAt: z.number().optional(),
  endedAt: z.number().optional(),
  /** Seconds. */
  warmup: z.number(),
  duration: z.number(),
  /** Of the random numbers that its tool draws; of several generators the first one's. Absent where it was not recorded. */
  seed: z.number().optional(),
  /** The tool's own final figures by metric id (and tool-specific keys). */
  summary: z.record(z.string(), z.number()),
  findings: z.array(Finding),
  /** True when it ended early or lost something: shown beside every figure of it. */
  partial: z.boolean(),
  /** Samples stored so far (seconds); of several generators the most. */
  seconds: z.number(),
  /** In the order of the document; absent when there was only one. */
  generators: z.array(RunGenerator).optional(),
  /** What was made so on hosts and servers for its cell, as it was read back; absent: nothing was asked for. */
  facts: z.array(RunFact).optional(),
  /** Absent: it counts. */
  excluded: Exclusion.optional(),
  /** How late the last sample arrived, seconds. */
  lag: z.number().optional(),
});
export type Run = z.infer<typeof Run>;

/**
 * What happened in a session, at a moment. log: what Kneepoint says of its work; note: a person's; alert: something a person should look at;
 * state: session or run went into another state; warm-up-end, checkpoint: moments of a run; mark: a line of a log that a capture has kept; finding: what was noticed of the session.
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
  /** Seconds since the start of the run's tool, where it belongs to a moment of a run. */
  t: z.number().optional(),
  level: z.enum(['info', 'warn', 'error', 'note']),
  message: z.string(),
});
export type TimelineEvent = z.infer<typeof TimelineEvent>;

/** Kinds that the log of a session shows. */
export const LOG_KINDS: readonly EventKind[] = ['log', 'note', 'alert'];

/** A line of the session's log. */
export const LogEntry = TimelineEvent;
export type LogEntry = TimelineEvent;

/** New samples of one generator of one run. Every column has the length of `t`; NaN = no value at that second. */
export const SampleBatch = z.object({
  runId: z.number(),
  generator: z.number(),
  /** Index of the first sample, counted from 0 in the run: a gap or overlap with what one holds is visible. */
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
