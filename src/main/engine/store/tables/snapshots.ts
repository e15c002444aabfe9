import type { ZodType } from 'zod';
import type { ChartChoice } from '../../../../shared/model/chart.ts';
import type { DerivedMeasure } from '../../../../shared/model/derived.ts';
import { KneepointError } from '../../../../shared/model/problem.ts';
import {
  AddedCharts,
  AddedMeasures,
  FactsSnapshot,
  LaterPart,
  type SessionSnapshot,
  StartSnapshot,
  withLaterLevels,
} from '../../../../shared/model/session-snapshot.ts';
import { isObject } from '../../../../shared/util/object.ts';
import { mapSteps, packRows, packSteps, unpackRows, unpackSteps } from '../codec/steps.ts';
import type { Connection } from '../file/connection.ts';
import { corruptProblem, notFound } from '../file/problems.ts';
import { staleHeadline } from './headlines.ts';
import { fromJson, toJson } from './rows.ts';

export interface SnapshotRows {
  /** Throws `not-found`, and `store-corrupt` if the stored document does not fit its schema. */
  snapshot(id: number): SessionSnapshot;
  /** Throws `conflict` once the first trial has begun, because the facts that a session was measured with do not change. */
  keepFacts(id: number, facts: FactsSnapshot): void;
  /** Adds a part after the existing ones. */
  addPart(id: number, part: LaterPart): void;
  /** Replaces measures added after the start. Figures stored of the previous ones are renewed. */
  keepMeasures(id: number, measures: readonly DerivedMeasure[]): void;
  /** Replaces charts added after the start. */
  keepCharts(id: number, charts: readonly ChartChoice[]): void;
  /** Stores the facts that a part was measured with, once. `from` is its first trial. */
  keepPartFacts(id: number, from: number, facts: FactsSnapshot): void;
}

const QUERIES = {
  part: 'SELECT version, document FROM session_snapshot WHERE session_id = ? AND part = ?',
  add: 'INSERT INTO session_snapshot (session_id, part, version, document) VALUES (?, ?, ?, ?)',
  drop: 'DELETE FROM session_snapshot WHERE session_id = ? AND part = ?',
  begun: 'SELECT started_at FROM session WHERE id = ?',
  later: `SELECT part FROM session_snapshot WHERE session_id = ? AND part GLOB 'later [0-9]*' ORDER BY CAST(substr(part, 7) AS INTEGER)`,
};
/** `later` is followed by the number of its first trial. */
type Part = 'start' | 'facts' | 'measures' | 'charts' | `later ${number}`;

/** Number of cached snapshots: they are large and never change. */
const MOST_CACHED = 16;

interface Snapshots extends SnapshotRows {
  /** Call inside the transaction that creates the session. */
  addStart(sessionId: number, start: StartSnapshot): void;
  invalidate(sessionId: number): void;
}

/** Throws `bad-request` if it does not fit the schema that it will be read with. */
export function requireStart(start: StartSnapshot): void {
  const result = StartSnapshot.safeParse(start);
  if (result.success) return;
  throw new KneepointError({
    code: 'bad-request',
    message: `The session could not be stored: ${result.error.issues[0]?.message ?? 'its description is not complete'}.`,
    safe: 'Nothing was stored, and nothing was started.',
    details: result.error.issues,
  });
}

const packedPart = ({ grown, ...part }: LaterPart): unknown => ({
  ...part,
  ...(grown && { grown: { ...grown, cells: packSteps(grown.cells) } }),
});

/** A stored document of the session or of a later part of it. Its schema reports everything that does not fit. */
interface StoredDocument {
  readonly experiment?: unknown;
  readonly primaryMetric?: unknown;
  readonly steps?: unknown;
  readonly plan?: { readonly cells?: unknown; readonly trials?: unknown };
  readonly grown?: { readonly cells?: unknown };
}

/** Replaces the cells of a document, if it has any. */
const withCells = ({ plan, grown, ...rest }: StoredDocument, change: (cells: unknown) => unknown): StoredDocument => ({
  ...rest,
  ...(plan && { plan: { ...plan, cells: change(plan.cells) } }),
  ...(grown && { grown: { ...grown, cells: change(grown.cells) } }),
});

/** `settings` of a step were called `wishes`. The order of its fields stays, because steps are compared as text. */
const withSettings = (cells: unknown): unknown =>
  mapSteps(cells, (step) =>
    Object.fromEntries(Object.entries(step).map(([key, value]) => [key === 'wishes' ? 'settings' : key, value])),
  );

/** Trials had one step, with the tool and metric of the session. Later parts have neither. */
function withSessionSteps({ primaryMetric, ...document }: StoredDocument): StoredDocument {
  if (primaryMetric === undefined) return document;
  const { experiment } = document;
  const workload = isObject(experiment) && isObject(experiment.workload) ? experiment.workload : {};
  const steps = [{ tool: workload.tool, metric: primaryMetric }];
  return { ...document, ...{ steps } };
}

/** A tool that only monitors had the metric `''`. */
function withoutEmptyMetrics(document: StoredDocument): StoredDocument {
  const { steps } = document;
  if (!Array.isArray(steps)) return document;
  return {
    ...document,
    steps: steps.map((step) => (isObject(step) && step.metric === '' ? { ...step, metric: null } : step)),
  };
}

/** Each upgrades documents from one version to the next, in order. Add new ones at the end. */
const UPGRADES: readonly ((document: StoredDocument) => StoredDocument)[] = [
  // Cells without steps are interpreted when they are read.
  (document) => document,
  (document) => withCells(document, withSettings),
  withSessionSteps,
  withoutEmptyMetrics,
];
const VERSION = UPGRADES.length + 1;

const unpacked = (document: StoredDocument): StoredDocument => {
  const { plan, ...rest } = withCells(document, unpackSteps);
  return { ...rest, ...(plan && { plan: { ...plan, trials: unpackRows(plan.trials) } }) };
};

/** Upgrades a stored document to the schemas of this version. */
const upgraded = (version: number, document: StoredDocument): unknown =>
  UPGRADES.slice(version - 1).reduce((reached, upgrade) => upgrade(reached), unpacked(document));

/** Reads a document of a session by its schema; undefined if there is none. Throws `store-corrupt`. */
type ReadPart = <T>(sessionId: number, name: Part, schema: ZodType<T>) => T | undefined;

function partReader({ db, path }: Connection): ReadPart {
  const part = db.prepare<[number, Part], { version: number; document: string }>(QUERIES.part);
  return (sessionId, name, schema) => {
    const row = part.get(sessionId, name);
    if (row === undefined) return undefined;
    const result = schema.safeParse(upgraded(row.version, fromJson<StoredDocument>(row.document)));
    if (row.version <= VERSION && result.success) return result.data;
    throw new KneepointError({
      ...corruptProblem(path, { part: name, version: row.version, issues: result.error?.issues.slice(0, 5) }),
      message: `The document of session ${sessionId} cannot be read: it is damaged or of another version.`,
      session: sessionId,
      safe: 'Its samples, its raw output and all other sessions are not affected.',
    });
  };
}

/** Combines all documents of a session. `later`: names of its later parts, in order. */
function combined(read: ReadPart, sessionId: number, later: readonly Part[]): SessionSnapshot {
  const start = read(sessionId, 'start', StartSnapshot);
  if (start === undefined) throw notFound('session', sessionId);
  const facts = read(sessionId, 'facts', FactsSnapshot) ?? {
    hosts: start.experiment.where.generators.map((name) => ({ name })),
  };
  const measures = read(sessionId, 'measures', AddedMeasures)?.measures ?? [];
  const charts = read(sessionId, 'charts', AddedCharts)?.charts ?? [];
  const parts = later.flatMap((name) => read(sessionId, name, LaterPart) ?? []);
  return {
    ...withLaterLevels(start, parts),
    ...facts,
    ...(parts.length > 0 && { later: parts }),
    ...(measures.length > 0 && { measures }),
    ...(charts.length > 0 && { charts }),
  };
}

export function snapshotRows(connection: Connection): Snapshots {
  const { db, write } = connection;
  const add = db.prepare<[number, Part, number, string]>(QUERIES.add);
  const drop = db.prepare<[number, Part]>(QUERIES.drop);
  const begun = db.prepare<[number], { started_at: number | null }>(QUERIES.begun);
  const later = db.prepare<[number], Part>(QUERIES.later).pluck();
  const stale = staleHeadline(connection);
  const read = partReader(connection);
  const cached = new Map<number, SessionSnapshot>();

  const cache = (sessionId: number, snapshot: SessionSnapshot): SessionSnapshot => {
    cached.delete(sessionId);
    const [oldest] = cached.keys();
    if (oldest !== undefined && cached.size >= MOST_CACHED) cached.delete(oldest);
    cached.set(sessionId, snapshot);
    return snapshot;
  };
  return {
    addStart(sessionId, start) {
      add.run(
        sessionId,
        'start',
        VERSION,
        toJson({
          ...start,
          plan: { ...start.plan, cells: packSteps(start.plan.cells), trials: packRows(start.plan.trials) },
        }),
      );
    },
    invalidate: (sessionId) => void cached.delete(sessionId),
    snapshot(sessionId) {
      return cache(sessionId, cached.get(sessionId) ?? combined(read, sessionId, later.all(sessionId)));
    },
    keepFacts(sessionId, facts) {
      write(() => {
        const session = begun.get(sessionId);
        if (session === undefined) throw notFound('session', sessionId);
        if (session.started_at !== null)
          throw new KneepointError({
            code: 'conflict',
            message: `Trials of session ${sessionId} have started; its hosts and targets can no longer change.`,
            session: sessionId,
          });
        drop.run(sessionId, 'facts');
        add.run(sessionId, 'facts', VERSION, toJson(facts));
      });
      cached.delete(sessionId);
    },
    addPart(sessionId, part) {
      write(() => {
        add.run(sessionId, `later ${part.from}`, VERSION, toJson(packedPart(part)));
        stale(sessionId);
      });
      cached.delete(sessionId);
    },
    keepMeasures(sessionId, measures) {
      write(() => {
        drop.run(sessionId, 'measures');
        if (measures.length > 0) add.run(sessionId, 'measures', VERSION, toJson({ measures }));
        stale(sessionId);
      });
      cached.delete(sessionId);
    },
    keepCharts(sessionId, charts) {
      write(() => {
        drop.run(sessionId, 'charts');
        if (charts.length > 0) add.run(sessionId, 'charts', VERSION, toJson({ charts }));
      });
      cached.delete(sessionId);
    },
    keepPartFacts(sessionId, from, facts) {
      write(() => {
        const known = read(sessionId, `later ${from}`, LaterPart);
        if (!known || known.facts) return;
        drop.run(sessionId, `later ${from}`);
        add.run(sessionId, `later ${from}`, VERSION, toJson(packedPart({ ...known, facts })));
      });
      cached.delete(sessionId);
    },
  };
}
