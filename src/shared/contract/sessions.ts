import { z } from 'zod';
import { ChartChoice, MOST_CHARTS } from '../model/chart.ts';
import { DerivedMeasure, MOST_MEASURES } from '../model/derived.ts';
import { Scalar } from '../model/experiment.ts';
import { Level } from '../model/factor.ts';
import { Finding } from '../model/finding.ts';
import { MOST_LEVELS } from '../model/ranges.ts';
import {
  EventKind,
  ExclusionReason,
  LogEntry,
  Run,
  Session,
  SessionDetail,
  SessionEvent,
  TimelineEvent,
} from '../model/session.ts';
import { call, stream } from '../rpc/define.ts';
import { Destroy, DocumentText, TAKES_DOCUMENT } from './experiments.ts';

const Id = z.object({ id: z.number() });
const RunIds = z.array(z.number()).min(1).max(500);

/**
 * Folder in the library's folder through which another process of the same owner asks the process that holds the library to stop a session:
 * an empty file named by the number of the session. It is removed as soon as the request is handled.
 */
export const STOP_REQUESTS = 'stop-requests';

/** Bytes of text in one call: enough for hours of output. */
const MOST_OUTPUT = 64 * 1024 * 1024;

/** The output of a tool in one run, recorded elsewhere. */
const RecordedOutput = z.object({
  /** Its source, such as a path. */
  name: z.string().min(1).max(500),
  text: z.string().max(MOST_OUTPUT),
  levels: z.record(z.string().min(1).max(100), Scalar),
});

/** Figures read from an output. Seconds from the first to the last sample; the figure is that of the primary metric over all of them. */
const ReadOutput = z.object({
  name: z.string(),
  levels: z.record(z.string(), Scalar),
  seconds: z.number(),
  metric: z.string().nullable(),
  mean: z.number().nullable(),
  findings: z.array(Finding),
});
export type ReadOutput = z.infer<typeof ReadOutput>;

export const sessions = {
  /** Newest first, returned immediately: figures that are not calculated yet follow (`app.watch`). */
  list: call(
    z.object({ archived: z.boolean().default(false), most: z.number().int().min(1).optional() }),
    z.array(Session),
  ),
  /**
   * These sessions with their figures, which are calculated before all others because their rows are on the screen. Omits sessions removed
   * meanwhile.
   */
  figures: call(z.object({ ids: z.array(z.number()).min(1).max(1000) }), z.array(Session)),
  get: call(Id, SessionDetail),
  runs: call(Id, z.array(Run)),
  /** Preflight, then start. A block throws `preflight-refused` with the findings in `details`. */
  start: call(z.object({ text: DocumentText, destroy: Destroy }), Session, TAKES_DOCUMENT),
  pause: call(Id, Session),
  /**
   * Continues a paused, interrupted or failed session: re-attaches to running jobs, then runs the rest of the plan. A session that waits
   * for input checks again.
   */
  resume: call(Id, Session),
  /**
   * Measures trials again, after the rest of the plan: `runIds`, or every trial that failed or was lost. A trial without a complete
   * measurement is replaced; a complete one gets an additional repeat. `reason`: these are excluded from all figures, and replaced. Throws
   * `conflict` if there are none, or if one has not ended.
   */
  repeat: call(Id.extend({ runIds: RunIds.optional(), reason: ExclusionReason.optional() }), Session),
  /** Excludes these runs from all figures; their measurements are kept and shown. Throws `conflict` for one that has not ended. */
  exclude: call(Id.extend({ runIds: RunIds, reason: ExclusionReason }), z.array(Run)),
  /** Includes them again. Throws `conflict` for one that has been replaced. */
  include: call(Id.extend({ runIds: RunIds }), z.array(Run)),
  /**
   * Adds repeats to every cell, or to `cells` (by index), interleaved after the rest of the plan; a session that has ended is continued for
   * them. Throws `bad-request` for an unknown cell.
   */
  addRepeats: call(
    Id.extend({
      repeats: z.number().int().min(1).max(1000),
      cells: z.array(z.number().int().min(0)).min(1).max(5000).optional(),
    }),
    Session,
  ),
  /**
   * Adds levels to a factor of the session, as written in a document: a list, or the text between its brackets. The new cells are numbered
   * after the existing ones and measured after the rest of the plan, interleaved with the same number of additional repeats of `baseCells`
   * (cells by index). Checked like a start: throws `bad-request` if the document cannot have them, `preflight-refused` with the findings
   * that block them.
   */
  addLevels: call(
    Id.extend({
      factor: z.string(),
      levels: z.union([z.array(Level).min(1).max(MOST_LEVELS), z.string().min(1).max(10_000)]),
      baseCells: z.array(z.number().int().min(0)).max(5000).optional(),
      destroy: Destroy,
    }),
    Session,
    TAKES_DOCUMENT,
  ),
  /**
   * Ends the running trial, or only `runId` if that is running: one that has ended is left alone, so that a second click does not end the
   * next trial.
   */
  skip: call(Id.extend({ runId: z.number().optional() }), Session),
  stop: call(Id, Session),
  /**
   * First the current state: session, runs, last samples of the running trial (at most `points`), log; then every change, at most 4 batches
   * a second. Ends when the session has ended.
   */
  watch: stream(z.object({ id: z.number(), points: z.number().int().min(10).max(3600).default(600) }), SessionEvent),
  /**
   * Reads the stored raw output of a run, or of all ended runs, again, and rebuilds samples and figures. For runs whose parser was fixed,
   * or whose samples are damaged.
   */
  reingest: call(z.object({ id: z.number(), runId: z.number().optional() }), z.array(Run)),
  /**
   * Events by kind: log, notes, states of session and runs, ends of warm-ups, alerts. `runIds`: events of these runs, and those of no run.
   */
  events: call(
    z.object({
      id: z.number(),
      kinds: z.array(EventKind).min(1),
      runIds: z.array(z.number()).max(500).optional(),
      afterId: z.number().int().min(0).default(0),
      limit: z.number().int().min(1).max(10_000).default(1000),
    }),
    z.array(TimelineEvent),
  ),
  edit: call(
    z.object({
      id: z.number(),
      name: z.string().min(1).max(200).optional(),
      note: z.string().max(20_000).optional(),
      tags: z.array(z.string()).optional(),
      /** The factor under test. */
      tested: z.string().optional(),
      /** Measures in addition to those of the document; replaces any added before. */
      measures: z.array(DerivedMeasure).max(MOST_MEASURES).optional(),
      /** Charts in addition to those of the document; replaces any added before. */
      charts: z.array(ChartChoice).max(MOST_CHARTS).optional(),
      archived: z.boolean().optional(),
    }),
    Session,
  ),
  /** Pinned to now, or to another moment of the session: `at`, epoch milliseconds. */
  addNote: call(
    z.object({ id: z.number(), message: z.string().min(1).max(2000), at: z.number().optional() }),
    LogEntry,
  ),
  /**
   * Stores outputs recorded elsewhere as a session with a run for each: those with the same levels are repeats, in the given order. With
   * `store: false` they are only read. Throws `bad-request`, and stores nothing, if one of them has no figure or its levels differ in kind
   * from those of the others.
   */
  importOutputs: call(
    z.object({
      name: z.string().min(1).max(200),
      tool: z.string(),
      options: z.record(z.string(), Scalar).default({}),
      /** Seconds cut at the start of each. */
      warmup: z.number().min(0).default(0),
      outputs: z.array(RecordedOutput).min(1).max(2000),
      store: z.boolean().default(true),
    }),
    z.object({ session: Session.optional(), read: z.array(ReadOutput) }),
  ),
  /** Only ended sessions; removes all of their data. */
  remove: call(Id, z.object({})),
};
