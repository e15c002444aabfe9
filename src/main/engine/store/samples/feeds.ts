import type { SampleOwner } from '../../../../shared/model/damage.ts';
import { encodeColumn } from '../codec/column.ts';
import { checksumOf } from '../codec/integers.ts';
import type { Connection } from '../file/connection.ts';
import { isCorruption, notFound } from '../file/problems.ts';
import type { SourceRows } from '../tables/sources.ts';
import { type OnDamage, refuseDamage } from './damage.ts';
import { type MetricIds, TIME } from './metric-ids.ts';

/** Rows of a full chunk: 1,024 seconds compress well and decode in well under a millisecond. */
export const CHUNK_ROWS = 1024;

const SELECT = `SELECT feed.id, run_id AS runId, position AS generator, rows, sealed FROM feed JOIN source ON source.id = source_id
  WHERE run_id = ? AND feed.kind = ? AND source.kind = 'generator'`;
const QUERIES = {
  find: `${SELECT} AND position = ?`,
  create: 'INSERT INTO feed (source_id, run_id, kind) VALUES (?, ?, ?)',
  ofRun: `${SELECT} ORDER BY position`,
  grow: 'UPDATE feed SET rows = ?, sealed = ? WHERE id = ?',
  clear: `DELETE FROM feed WHERE run_id = ? AND kind = ?
    AND EXISTS (SELECT 1 FROM source WHERE source.id = source_id AND source.kind = 'generator')`,
  ofSource: `SELECT feed.id, source.name AS source, rows, sealed FROM feed JOIN source ON source.id = source_id
  WHERE source_id = ? AND run_id IS NULL AND feed.kind = 'samples'`,
  createOfSource: `INSERT INTO feed (source_id, run_id, kind) VALUES (?, NULL, 'samples')`,
  tail: 'SELECT row, t, data, checksum FROM tail WHERE feed_id = ? AND row >= ? ORDER BY row',
  addTail: 'INSERT INTO tail (feed_id, row, t, data, checksum) VALUES (?, ?, ?, ?, ?)',
  removeTail: 'DELETE FROM tail WHERE feed_id = ?',
  addChunk: 'INSERT INTO chunk (feed_id, metric_id, first, count, data, checksum) VALUES (?, ?, ?, ?, ?, ?)',
  countChunk: 'UPDATE feed_metric SET chunks = chunks + 1 WHERE feed_id = ? AND metric_id = ?',
};

interface StoredRow {
  row: number;
  t: number;
  data: Uint8Array;
  checksum: number | null;
}
const UNREADABLE: TailRow = { t: Number.NaN, ids: [], values: [] };

/** `samples`: parsed from the tool's output. `index`: lines that map the host's clock to byte offsets. */
export type FeedKind = 'samples' | 'index';

export type Feed = SampleOwner & {
  id: number;
  rows: number;
  /** Rows before this one are in chunks, later ones in the tail. */
  sealed: number;
};
type RunFeed = Extract<Feed, { runId: number }>;
type SourceFeed = Extract<Feed, { source: string }>;

/** Appends rows and converts full chunks of them to columns. All writes happen inside the caller's transaction. */
export interface Feeds {
  find(runId: number, generator: number, kind: FeedKind): RunFeed | undefined;
  create(runId: number, generator: number, kind: FeedKind): RunFeed;
  ofRun(runId: number, kind: FeedKind): RunFeed[];
  /** Samples of a monitored source, independent of runs. */
  ofSource(sourceId: number): SourceFeed | undefined;
  createOfSource(sourceId: number): SourceFeed;
  append(feed: Feed, rows: readonly { t: number; metrics: Readonly<Record<string, number>> }[]): void;
  seal(feed: Feed): void;
  clear(runId: number, kind: FeedKind): void;
  /** Unsealed rows from a row number on. A damaged one is an empty row without a time, if `onDamage` does not throw. */
  tail(feed: Feed, first: number, onDamage: OnDamage): TailRow[];
}

const prepared = (db: Connection['db']) => ({
  find: db.prepare<[number, string, number], RunFeed>(QUERIES.find),
  create: db.prepare<[number, number, string]>(QUERIES.create),
  ofRun: db.prepare<[number, string], RunFeed>(QUERIES.ofRun),
  ofSource: db.prepare<[number], SourceFeed>(QUERIES.ofSource),
  createOfSource: db.prepare<[number]>(QUERIES.createOfSource),
  grow: db.prepare<[number, number, number]>(QUERIES.grow),
  clear: db.prepare<[number, string]>(QUERIES.clear),
  tail: db.prepare<[number, number], StoredRow>(QUERIES.tail),
  addTail: db.prepare<[number, number, number, Uint8Array, number]>(QUERIES.addTail),
  removeTail: db.prepare<[number]>(QUERIES.removeTail),
  addChunk: db.prepare<[number, number, number, number, Uint8Array, number]>(QUERIES.addChunk),
  countChunk: db.prepare<[number, number]>(QUERIES.countChunk),
});

export function feedRows({ db, markDamaged }: Connection, metrics: MetricIds, sourceOf: GeneratorSource): Feeds {
  const stored = prepared(db);

  const readTail = (feed: Feed, first: number, onDamage: OnDamage): TailRow[] => {
    const rows = Array.from({ length: Math.max(0, feed.rows - first) }, () => UNREADABLE);
    try {
      for (const { row, t, data, checksum } of stored.tail.iterate(feed.id, first)) {
        if (row < feed.rows && checksum === checksumOf([feed.id, row, t, 0], data))
          rows[row - first] = decodeTail(t, data);
      }
    } catch (error) {
      if (!isCorruption(error)) throw error;
      markDamaged(String(error));
    }
    rows.forEach((row, index) => {
      if (row === UNREADABLE) onDamage({ first: first + index, last: first + index });
    });
    return rows;
  };

  const writeTail = (feed: Feed, first: number, rows: readonly TailRow[]): void => {
    for (const [index, row] of rows.entries()) {
      const data = encodeTail(row);
      stored.addTail.run(feed.id, first + index, row.t, data, checksumOf([feed.id, first + index, row.t, 0], data));
    }
  };

  const writeChunk = (feed: Feed, first: number, rows: readonly TailRow[]): void => {
    const columns = columnsOf(rows);
    columns.set(
      TIME,
      Float64Array.from(rows, (row) => row.t),
    );
    for (const [id, column] of columns) {
      const data = encodeColumn(column);
      stored.addChunk.run(feed.id, id, first, rows.length, data, checksumOf([feed.id, id, first, rows.length], data));
      stored.countChunk.run(feed.id, id);
    }
  };

  /** Moves all open rows to chunks; rows that do not fill one stay open unless `last`. */
  const sealRows = (feed: Feed, arriving: readonly TailRow[], last: boolean): void => {
    const open = [...readTail(feed, feed.sealed, refuseDamage(feed)), ...arriving];
    const until = last ? open.length : open.length - (open.length % CHUNK_ROWS);
    stored.removeTail.run(feed.id);
    for (let start = 0; start < until; start += CHUNK_ROWS) {
      writeChunk(feed, feed.sealed + start, open.slice(start, Math.min(start + CHUNK_ROWS, until)));
    }
    const sealed = feed.sealed + until;
    writeTail(feed, sealed, open.slice(until));
    stored.grow.run(feed.sealed + open.length, sealed, feed.id);
  };

  return {
    find: (runId, generator, kind) => stored.find.get(runId, kind, generator),
    create: (runId, generator, kind) => ({
      id: Number(stored.create.run(sourceOf(runId, generator), runId, kind).lastInsertRowid),
      runId,
      generator,
      rows: 0,
      sealed: 0,
    }),
    ofRun: (runId, kind) => stored.ofRun.all(runId, kind),
    ofSource: (sourceId) => stored.ofSource.get(sourceId),
    createOfSource(sourceId) {
      stored.createOfSource.run(sourceId);
      return stored.ofSource.get(sourceId) as SourceFeed;
    },
    append(feed, rows) {
      const arriving = rows.map((row) => withIds(feed, row, metrics));
      if (feed.rows - feed.sealed + arriving.length >= CHUNK_ROWS) {
        sealRows(feed, arriving, false);
        return;
      }
      writeTail(feed, feed.rows, arriving);
      stored.grow.run(feed.rows + arriving.length, feed.sealed, feed.id);
    },
    seal(feed) {
      if (feed.rows > feed.sealed) sealRows(feed, [], true);
    },
    clear(runId, kind) {
      stored.clear.run(runId, kind);
      metrics.forget();
    },
    tail: readTail,
  };
}

/** NaN means that there is no value, so it is not stored. */
function withIds(
  feed: Feed,
  row: { t: number; metrics: Readonly<Record<string, number>> },
  metrics: MetricIds,
): TailRow {
  const ids: number[] = [];
  const values: number[] = [];
  for (const name in row.metrics) {
    const value = row.metrics[name];
    if (value === undefined || Number.isNaN(value)) continue;
    ids.push(metrics.use(feed.id, name));
    values.push(value);
  }
  return { t: row.t, ids, values };
}

/** One second of one generator before it is sealed: values by metric id, without metrics that have no value. */
interface TailRow {
  t: number;
  ids: readonly number[];
  values: readonly number[];
}

const ID_BYTES = 4;
const PAIR_BYTES = ID_BYTES + 8;

/**
 * u32 metric id and f64 value per metric, little-endian. Names are never removed from a library: over the years there are more than 65,535.
 */
function encodeTail(row: TailRow): Uint8Array {
  const bytes = new Uint8Array(PAIR_BYTES * row.ids.length);
  const view = new DataView(bytes.buffer);
  row.ids.forEach((id, index) => {
    view.setUint32(PAIR_BYTES * index, id, true);
    view.setFloat64(PAIR_BYTES * index + ID_BYTES, row.values[index] ?? Number.NaN, true);
  });
  return bytes;
}

export function decodeTail(t: number, bytes: Uint8Array): TailRow {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const ids: number[] = [];
  const values: number[] = [];
  for (let at = 0; at < bytes.byteLength; at += PAIR_BYTES) {
    ids.push(view.getUint32(at, true));
    values.push(view.getFloat64(at + ID_BYTES, true));
  }
  return { t, ids, values };
}

/** Converts rows to one column per metric that has a value in them, NaN where a row has none. */
function columnsOf(rows: readonly TailRow[]): Map<number, Float64Array> {
  const columns = new Map<number, Float64Array>();
  rows.forEach((row, index) => {
    row.ids.forEach((id, position) => {
      let column = columns.get(id);
      if (column === undefined) {
        column = new Float64Array(rows.length).fill(Number.NaN);
        columns.set(id, column);
      }
      column[index] = row.values[position] ?? Number.NaN;
    });
  });
  return columns;
}

const RUN = `SELECT run.session_id AS sessionId, coalesce(job.host, '') AS host
  FROM run LEFT JOIN job ON job.run_id = run.id AND job.generator = ? WHERE run.id = ?`;

/** Returns the id of the source of a run's generator, and creates it if needed. Call inside a transaction. */
export type GeneratorSource = (runId: number, generator: number) => number;

export function generatorSource({ db }: Connection, sources: SourceRows): GeneratorSource {
  const ofRun = db.prepare<[number, number], { sessionId: number; host: string }>(RUN);
  return (runId, generator) => {
    const run = ofRun.get(generator, runId);
    if (run === undefined) throw notFound('run', runId);
    return sources.ensure(run.sessionId, { kind: 'generator', name: run.host, position: generator }).id;
  };
}
