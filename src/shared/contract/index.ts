import { z } from 'zod';
import { CaptureContent, ComparedCounters, CounterDifference, KeptCapture } from '../model/capture.ts';
import {
  AssumedWork,
  CatalogueEntry,
  Configuration,
  CostBreakEven,
  CostResult,
  CostSpec,
  Priced,
  ValueForMoney,
} from '../model/cost.ts';
import { DataSet, DataSetKind } from '../model/data-set.ts';
import { Changed, PutBackResult } from '../model/restore.ts';
import {
  ServerLook,
  ServerProgram,
  ServerState,
  Target,
  TargetKind,
  TargetKindInfo,
  TargetSpec,
  TargetTest,
} from '../model/target.ts';
import { TargetInspection } from '../model/target-details.ts';
import { call } from '../rpc/define.ts';
import { app } from './app.ts';
import { experiments } from './experiments.ts';
import { hosts } from './hosts.ts';
import { monitors } from './monitors.ts';
import { reports } from './reports.ts';
import { results } from './results.ts';
import { sessions } from './sessions.ts';

/** A target as typed, saved or not. `secret` absent: the stored one of `id`; null: none. */
const TypedTarget = z.object({ id: z.number().optional(), spec: TargetSpec, secret: z.string().nullable().optional() });

const ById = z.object({ id: z.number() });
const InState = z.object({ state: ServerState });

const targets = {
  kinds: call(z.object({}), z.array(TargetKindInfo)),
  list: call(z.object({}), z.array(Target)),
  /** `giveUp` as with hosts: the target's name, to redirect or remove it although settings there have not been restored. */
  save: call(TypedTarget.extend({ giveUp: z.string().optional() }), Target),
  remove: call(ById.extend({ giveUp: z.string().optional() }), z.object({})),
  test: call(ById, TargetTest),
  testSpec: call(TypedTarget, TargetTest),
  /** Current settings, sizes, connected clients and counters. */
  inspectSpec: call(TypedTarget, TargetInspection),
  /** State of a saved target's server, read on its host. Throws `bad-request` for a target without a known server host. */
  serverState: call(ById, InState),
  /** The same, with facts from the server itself and the other libraries that vary it. Throws as `serverState` does. */
  lookAtServer: call(ById, ServerLook),
  /** Programs on a host that Kneepoint could start a server of the kind from: those it knows, and `also`, by name or path. */
  findPrograms: call(
    z.object({ kind: TargetKind, host: z.string(), also: z.string().optional() }),
    z.array(ServerProgram),
  ),
  /**
   * Resolve when it accepts connections, or is stopped. Throw `conflict` while a session that has not ended uses it, or `server-not-back`.
   */
  startServer: call(ById, InState),
  stopServer: call(ById, InState),
  restartServer: call(ById, InState),
};

const costs = {
  catalogue: call(
    z.object({}),
    z.object({ compiled: z.string(), disclaimer: z.string(), entries: z.array(CatalogueEntry) }),
  ),
  evaluate: call(z.object({ spec: CostSpec }), Priced),
  /** ById configurations, by name. */
  configurations: call(z.object({}), z.array(Configuration)),
  /** Saves under the spec's label, which must be unique (`conflict`). Sessions keep their assigned price. */
  saveConfiguration: call(z.object({ id: z.number().optional(), spec: CostSpec }), Configuration),
  removeConfiguration: call(z.object({ id: z.number() }), z.object({})),
  ofSession: call(
    z.object({ sessionId: z.number() }),
    z.object({ spec: CostSpec.optional(), result: CostResult.optional() }),
  ),
  setOfSession: call(
    z.object({ sessionId: z.number(), spec: CostSpec.nullable() }),
    z.object({ result: CostResult.optional() }),
  ),
  /** The additional throughput that the more expensive one needs, the parts of both prices, and where their cost lines cross. */
  breakEven: call(z.object({ one: CostSpec, other: CostSpec }), CostBreakEven),
  /**
   * Work per money of each session with a price: its best cell (`perCell`: every cell), with a separate scale for each metric and currency.
   * Rates of `metric` or each session's primary one; `warmup`: seconds cut at the start of each run, if not as planned. `configurationIds`:
   * priced with each of these saved configurations instead of the session's own price. `assumed`: in addition, work of sessions at the prices of
   * configurations that it was not measured on, lowered to what their volumes sustain.
   */
  valueForMoney: call(
    z.object({
      sessionIds: z.array(z.number()).max(100),
      metric: z.string().optional(),
      warmup: z.number().min(0).optional(),
      perCell: z.boolean().default(false),
      /** Metric of a latency to include in the rows. */
      latency: z.string().optional(),
      configurationIds: z.array(z.number()).max(1000).optional(),
      assumed: z.array(AssumedWork).max(1000).optional(),
    }),
    ValueForMoney,
  ),
};

const dataSets = {
  /**
   * Newest first: all, those of one kind, those in the database of a target, or those on a host; regardless of the name under which they
   * were prepared.
   */
  list: call(
    z.object({ kind: DataSetKind.optional(), targetId: z.number().optional(), hostId: z.number().optional() }),
    z.array(DataSet),
  ),
  /**
   * Counts every row of its tables, or checks the sizes of its files. Throws `conflict` while a session uses the place, as this would
   * disturb the measurement.
   */
  look: call(z.object({ kind: DataSetKind, id: z.number() }), DataSet),
  /**
   * Has the tool clean it up, then removes it from the library. Files: on their host. Tables: from a generator, by default the one that
   * prepared them. Returns the removed data set as gone.
   */
  remove: call(
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('tables'), id: z.number(), generator: z.string().optional() }),
      z.object({ kind: z.literal('files'), id: z.number() }),
    ]),
    DataSet,
  ),
};

/** Settings that the levels of sessions have changed on hosts and servers. */
const changes = {
  /** Everything that has not been restored, newest first; including changes of active sessions, which restore their own. */
  list: call(z.object({}), z.array(Changed)),
  /**
   * Restores settings and verifies them: of this session, or of all that are not active. `force`: also those that others have changed
   * since, and those that a tool may still be running under. A setting that cannot be restored is a result with its reason. Throws
   * `conflict` for an active session, `not-found` for an unknown one.
   */
  putBack: call(
    z.object({
      session: z.number().optional(),
      force: z.boolean().default(false),
      /** Names of hosts and targets that the user confirms as the changed ones; if that is uncertain, nothing is written without it. */
      confirm: z.array(z.string()).optional(),
    }),
    z.array(PutBackResult),
  ),
  /** The user accepts the current value: it is no longer listed, and not changed. */
  leave: call(z.object({ entry: z.number() }), z.object({})),
};

const RunIds = z.array(z.number()).min(1).max(50);

const captures = {
  /** Captures of all runs of a session, or of one, in the order in which they were taken. */
  list: call(z.object({ sessionId: z.number(), runId: z.number().optional() }), z.array(KeptCapture)),
  /** Text or table; neither if nothing is stored. Throws `store-corrupt` for damaged content. */
  content: call(z.object({ id: z.number() }), CaptureContent),
  /** Growth of the counters of a table in a run, for each of its captures that are differences. Omits one whose start or end is missing. */
  differences: call(z.object({ runId: z.number() }), z.array(CounterDifference)),
  /** Differences of two groups of runs per operation, for each name that both have. */
  compare: call(z.object({ one: RunIds, other: RunIds }), z.array(ComparedCounters)),
};

/** The engine's only public interface. */
export const contract = {
  app,
  hosts,
  targets,
  dataSets,
  experiments,
  sessions,
  changes,
  results,
  monitors,
  captures,
  costs,
  reports,
};
export type AppContract = typeof contract;
