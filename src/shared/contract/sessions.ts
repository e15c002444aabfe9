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
 * Folder in the library's folder in which another process of its owner asks whoever holds the library to stop a session: an empty file named by the
 * session's number. It is gone as soon as somebody sees to it.
 */
export const STOP_REQUESTS = 'stop-requests';

/** Bytes of text in one call: outputs of hours. */
const MOST_OUTPUT = 64 * 1024 * 1024;

/** The output of a tool in one run, somewhere else. */
const RecordedOutput = z.object({
  /** Where it comes from, such as its path. */
  name: z.string().min(1).max(500),
  text: z.string().max(MOST_OUTPUT),
  levels: z.record(z.string().min(1).max(100), Scalar),
});

/** Figures of it. Seconds from the first to the last sample; the figure is that of the primary metric over all of them. */
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
  /** Newest first, at once: figures that are not worked out yet follow (`app.watch`). */
  list: call(
    z.object({ archived: z.boolean().default(false), most: z.number().int().min(1).optional() }),
    z.array(Session),
  ),
  /** These with their figures, which are worked out before those of all others: their rows are on the screen. What is removed meanwhile is left out. */
  figures: call(z.object({ ids: z.array(z.number()).min(1).max(1000) }), z.array(Session)),
  get: call(Id, SessionDetail),
  runs: call(Id, z.array(Run)),
  /** Preflight, then start. A block refuses with `preflight-refused` and the findings in `details`. */
  start: call(z.object({ text: DocumentText, destroy: Destroy }), Session, TAKES_DOCUMENT),
  pause: call(Id, Session),
  /** Continues a paused, interrupted or failed session: re-attaches to what runs, then the rest of the plan. One that waits for a person looks again. */
  resume: call(Id, Session),
  /**
   * Measures trials again, after the rest of the plan: `runIds`, or every trial that failed or was lost. A trial without a complete measurement is
   * replaced; beside a complete one it is a further repeat. `reason`: these are excluded from all figures, and replaced. `conflict` when there is
   * none, or one has not ended.
   */
  repeat: call(Id.extend({ runIds: RunIds.optional(), reason: ExclusionReason.optional() }), Session),
  /** These runs are in no figure from now on; what they measured is kept and shown. `conflict` for one that has not ended. */
  exclude: call(Id.extend({ runIds: RunIds, reason: ExclusionReason }), z.array(Run)),
  /** Takes that back. `conflict` for one in whose place another run counts. */
  include: call(Id.extend({ runIds: RunIds }), z.array(Run)),
  /**
   * Adds repeats to every cell, or to `cells` (their index), measured in turns after the rest of the plan; a session that has ended is continued
   * for that. `bad-request` for a cell that it does not have.
   */
  addRepeats: call(
    Id.extend({
      repeats: z.number().int().min(1).max(1000),
      cells: z.array(z.number().int().min(0)).min(1).max(5000).optional(),
    }),
    Session,
  ),
  /**
   * Adds levels to a factor of the session, as a document writes them: a list, or the text between its brackets. The cells that they make are numbered behind the others and
   * measured after the rest of the plan, in turns with as many more repeats of `beside` (cells by their index). Checked as a start is:
   * `bad-request` where the document cannot have them, `preflight-refused` with what stands against them.
   */
  addLevels: call(
    Id.extend({
      factor: z.string(),
      levels: z.union([z.array(Level).min(1).max(MOST_LEVELS), z.string().min(1).max(10_000)]),
      beside: z.array(z.number().int().min(0)).max(5000).optional(),
      destroy: Destroy,
    }),
    Session,
    TAKES_DOCUMENT,
  ),
  /** Ends the running trial, or `runId` if that is the one: one that has ended stays as it is, so that a second click does not hit the next. */
  skip: call(Id.extend({ runId: z.number().optional() }), Session),
  stop: call(Id, Session),
  /** Now: session, runs, last samples of the running trial (at most `points`), log; then every change, at most 4 batches a second. Ends when the session ended. */
  watch: stream(z.object({ id: z.number(), points: z.number().int().min(10).max(3600).default(600) }), SessionEvent),
  /**
   * Reads the stored raw output of a run, or of all ended runs, again, and builds samples and figures again. For runs whose parser was
   * fixed, or whose samples are damaged.
   */
  reingest: call(z.object({ id: z.number(), runId: z.number().optional() }), z.array(Run)),
  /** What happened, by kind: log, notes, states of session and runs, ends of warm-ups, alerts. `runIds`: of these runs, and of none. */
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
      /** Measures that are added to those of the document, in place of those added before. */
      measures: z.array(DerivedMeasure).max(MOST_MEASURES).optional(),
      /** Charts that are drawn in addition to those of the document, in place of those added before. */
      charts: z.array(ChartChoice).max(MOST_CHARTS).optional(),
      archived: z.boolean().optional(),
    }),
    Session,
  ),
  /** Pinned to this moment, or to another one of the session: `at`, epoch milliseconds. */
  addNote: call(
    z.object({ id: z.number(), message: z.string().min(1).max(2000), at: z.number().optional() }),
    LogEntry,
  ),
  /**
   * Stores outputs that were recorded elsewhere as a session, a run for each: those with the same levels are repeats, in the order given. With
   * `store: false` they are only read. Throws `bad-request`, and stores nothing, where one of them has no figure or its levels are not those of the
   * others.
   */
  importOutputs: call(
    z.object({
      name: z.string().min(1).max(200),
      tool: z.string(),
      options: z.record(z.string(), Scalar).default({}),
      /** Seconds that are cut off at the start of each. */
      warmup: z.number().min(0).default(0),
      outputs: z.array(RecordedOutput).min(1).max(2000),
      store: z.boolean().default(true),
    }),
    z.object({ session: Session.optional(), read: z.array(ReadOutput) }),
  ),
  /** Only ended ones; everything of it is gone. */
  remove: call(Id, z.object({})),
};
