import { isDeepStrictEqual } from 'node:util';
import { KneepointError } from '../../../../shared/model/problem.ts';
import { LOADING_SESSION } from '../../../../shared/model/states.ts';
import { decodeColumn, encodeColumn } from '../codec/column.ts';
import { checksumOf } from '../codec/integers.ts';
import { type Connection, guarded } from '../file/connection.ts';
import { isCorruption } from '../file/problems.ts';
import { type SummaryKey, type SummaryRows, stamper } from './stamps.ts';

/** Maximum number of summaries per feed: figures of twenty metrics at several cuts, or levels of each series of a host. */
const MOST = 1000;

const SEALED = `FROM feed JOIN source ON source.id = source_id WHERE feed.kind = 'samples' AND rows = sealed`;
const QUERIES = {
  find: 'SELECT stamp, data, checksum FROM summary WHERE feed_id = ? AND key = ?',
  keep: `INSERT INTO summary (feed_id, key, stamp, data, checksum) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (feed_id, key) DO UPDATE SET stamp = excluded.stamp, data = excluded.data, checksum = excluded.checksum`,
  isThere: 'SELECT 1 FROM feed WHERE id = ?',
  trim: `DELETE FROM summary WHERE feed_id = :feed
    AND id <= (SELECT id FROM summary WHERE feed_id = :feed ORDER BY id DESC LIMIT 1 OFFSET ${MOST})`,
  feeds: `SELECT feed.id, rows ${SEALED} AND source.session_id = ? AND rows >= ?`,
  /** A mark with fewer rows is outdated: rows were added since. */
  without: `SELECT DISTINCT source.session_id ${SEALED} AND rows >= :rows
    AND NOT EXISTS (SELECT 1 FROM summary WHERE feed_id = feed.id AND key = :mark AND stamp = CAST(feed.rows AS TEXT))
    AND EXISTS (SELECT 1 FROM session WHERE session.id = source.session_id
      AND state NOT IN (${LOADING_SESSION.map((state) => `'${state}'`).join(', ')}))
    ORDER BY source.session_id DESC`,
};

interface Row {
  stamp: string;
  data: Uint8Array;
  checksum: number;
}

/** Like for chunks: a block stored under another key fails like a modified one. */
const checksumFor = ({ feed, key, stamp }: SummaryKey, data: Uint8Array): number =>
  checksumOf([feed, checksumOf([], Buffer.from(`${stamp} ${key}`))], data);

export function summaryRows(connection: Connection): SummaryRows {
  const { db, relaxed, markDamaged } = connection;
  const find = db.prepare<[number, string], Row>(QUERIES.find);
  const keep = db.prepare<[number, string, string, Uint8Array, number]>(QUERIES.keep);
  const isThere = db.prepare<[number]>(QUERIES.isThere);
  const trim = db.prepare<[{ feed: number }]>(QUERIES.trim);
  const keepAll: SummaryRows['keep'] = (summaries) => {
    // Inside a transaction it would join that one, which may be only for reading.
    if (summaries.length === 0 || connection.refusal() || db.inTransaction) return;
    try {
      relaxed(() => {
        for (const summary of summaries) {
          const { feed, key, stamp } = summary;
          const data = encodeValue(summary.value);
          if (data && isThere.get(feed)) keep.run(feed, key, stamp, data, checksumFor(summary, data));
        }
        for (const feed of new Set(summaries.map((each) => each.feed))) trim.run({ feed });
      });
    } catch (error) {
      // Values that are not stored are calculated again. A full disk is reported by the next write.
      if (!(error instanceof KneepointError)) throw error;
    }
  };
  return guarded<SummaryRows>(connection, {
    stamps: stamper(connection),
    find(key) {
      try {
        const row = find.get(key.feed, key.key);
        if (row?.stamp !== key.stamp || row.checksum !== checksumFor(key, row.data)) return undefined;
        return decodeValue(row.data);
      } catch (error) {
        if (!isCorruption(error)) throw error;
        markDamaged(String(error));
        return undefined;
      }
    },
    keep: keepAll,
    ...marks(connection, keepAll),
  });
}

/** Marks for precalculated summaries. Only a hint that no figure depends on. */
function marks({ db }: Connection, keep: SummaryRows['keep']): Pick<SummaryRows, 'markPrecomputed' | 'notPrecomputed'> {
  const feeds = db.prepare<[number, number], { id: number; rows: number }>(QUERIES.feeds);
  const without = db.prepare<[{ mark: string; rows: number }], number>(QUERIES.without).pluck();
  return {
    markPrecomputed: (sessionId, mark, least) =>
      keep(
        feeds.all(sessionId, least).map(({ id, rows }) => ({ feed: id, key: mark, stamp: String(rows), value: true })),
      ),
    notPrecomputed: (mark, least) => without.all({ mark, rows: least }),
  };
}

/*
 * A value as JSON, followed by its columns of numbers.
 *
 *   u32          bytes of the JSON, little-endian
 *   JSON         a column in it is {"column": place, "count": values}
 *   per column   u32 bytes, and the column as in `column.ts`
 */
const SIZE_BYTES = 4;

interface Placed {
  column: number;
  count: number;
}

/** Undefined for values that JSON does not reproduce bit for bit: infinities, −0, undefined. NaN in a column is reproduced. */
function encodeValue(value: unknown): Uint8Array | undefined {
  const columns: Uint8Array[] = [];
  const text = JSON.stringify(value, (_, part: unknown) => {
    if (!(part instanceof Float64Array)) return part;
    const placed: Placed = { column: columns.length, count: part.length };
    columns.push(encodeColumn(part));
    return placed;
  });
  if (text === undefined) return undefined;
  const bytes = Buffer.concat([Buffer.from(text), ...columns].flatMap((part) => [sizeOf(part), part]));
  return isDeepStrictEqual(decodeValue(bytes), value) ? bytes : undefined;
}

function decodeValue(bytes: Uint8Array): unknown {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + SIZE_BYTES + view.getUint32(at, true);
    parts.push(bytes.subarray(at + SIZE_BYTES, end));
    at = end;
  }
  const [text = new Uint8Array(), ...columns] = parts;
  return JSON.parse(Buffer.from(text).toString(), (_, part: unknown) =>
    isPlaced(part) ? decodeColumn(columns[part.column] ?? new Uint8Array(), part.count) : part,
  );
}

const isPlaced = (part: unknown): part is Placed =>
  typeof part === 'object' && part !== null && 'column' in part && 'count' in part;

function sizeOf({ length }: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(SIZE_BYTES);
  new DataView(bytes.buffer).setUint32(0, length, true);
  return bytes;
}
