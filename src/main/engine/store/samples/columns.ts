import { decodeColumn } from '../codec/column.ts';
import type { Connection } from '../connection.ts';
import type { Feed, Feeds } from './feeds.ts';
import { TIME } from './metric-ids.ts';

type Doubles = Float64Array<ArrayBuffer>;

const QUERIES = {
  chunks: `SELECT first, count, data FROM chunk WHERE feed_id = :feed AND metric_id = :metric
    AND first >= (SELECT coalesce(max(first), 0) FROM chunk WHERE feed_id = :feed AND metric_id = ${TIME} AND first <= :from) ORDER BY first`,
};

/** Reads feeds back as columns. */
export interface Columns {
  /** Of the rows from `first` on: time, and one column per metric id asked for; NaN where there is no value. */
  read(feed: Feed, metricIds: readonly number[], first: number): { t: Doubles; columns: Doubles[] };
}

interface Chunk {
  first: number;
  count: number;
  data: Uint8Array;
}

export function columnReader({ db }: Connection, feeds: Feeds): Columns {
  const chunks = db.prepare<[{ feed: number; metric: number; from: number }], Chunk>(QUERIES.chunks);
  /** Charts ask for one series after another of the same run, and all of them need the same times. Chunks never change. */
  let lastTimes: { feed: number; sealed: number; t: Doubles } | undefined;

  /** Fills the front of `column` with the sealed rows from `first` on. */
  const readSealed = (feed: Feed, metric: number, first: number, column: Doubles): void => {
    const sealed = feed.sealed - first;
    if (sealed <= 0) return;
    let next = 0;
    for (const chunk of chunks.iterate({ feed: feed.id, metric, from: first })) {
      const values = decodeColumn(chunk.data, chunk.count);
      const skip = Math.max(0, first - chunk.first);
      const start = chunk.first + skip - first;
      if (start > next) column.fill(Number.NaN, next, start);
      column.set(skip > 0 ? values.subarray(skip) : values, start);
      next = start + values.length - skip;
    }
    column.fill(Number.NaN, next, sealed);
  };
  const readTimes = (feed: Feed, first: number, column: Doubles): void => {
    if (first > 0) {
      readSealed(feed, TIME, first, column);
      return;
    }
    if (lastTimes?.feed !== feed.id || lastTimes.sealed !== feed.sealed) {
      const t = new Float64Array(feed.sealed);
      readSealed(feed, TIME, 0, t);
      lastTimes = { feed: feed.id, sealed: feed.sealed, t };
    }
    column.set(lastTimes.t);
  };

  return {
    read(feed, metricIds, first) {
      const open = feeds.tail(feed, Math.max(first, feed.sealed));
      const sealed = Math.max(0, feed.sealed - first);
      const t = new Float64Array(sealed + open.length);
      readTimes(feed, first, t);
      for (const [index, row] of open.entries()) t[sealed + index] = row.t;
      const columns = metricIds.map((id) => {
        const column = new Float64Array(t.length);
        readSealed(feed, id, first, column);
        for (const [index, row] of open.entries()) {
          column[sealed + index] = row.values[row.ids.indexOf(id)] ?? Number.NaN;
        }
        return column;
      });
      return { t, columns };
    },
  };
}

/** The rows that have a value. */
export function present(t: Doubles, values: Doubles): { t: Doubles; v: Doubles } {
  let count = 0;
  for (const value of values) if (!Number.isNaN(value)) count += 1;
  if (count === values.length) return { t, v: values };
  const kept = { t: new Float64Array(count), v: new Float64Array(count) };
  let next = 0;
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    kept.t[next] = t[index] ?? Number.NaN;
    kept.v[next] = value;
    next += 1;
  }
  return kept;
}
