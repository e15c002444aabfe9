import { decodeColumn } from '../codec/column.ts';
import { checksumOf } from '../codec/integers.ts';
import type { Connection } from '../file/connection.ts';
import { isCorruption } from '../file/problems.ts';
import type { Feed, Feeds } from './feeds.ts';
import { TIME } from './metric-ids.ts';

const QUERIES = {
  /** Read from the index alone. */
  firsts: `SELECT first FROM chunk WHERE feed_id = ? AND metric_id = ${TIME} ORDER BY first`,
  chunk: `SELECT first, count, checksum, data FROM chunk WHERE feed_id = ? AND metric_id = ${TIME} AND first = ?`,
};

interface Chunk {
  first: number;
  count: number;
  checksum: number | null;
  data: Uint8Array;
}

/** Finds rows of long feeds by their ascending times, and reads only the chunks it searches. */
export interface RowTimes {
  /** Times of the first and the last row. Undefined if there is none, or if it is damaged. */
  ends(feed: Feed): { from: number | undefined; to: number | undefined };
  /** The first row at or after this time; with `behind`, after it. Undefined if damage prevents finding it. */
  place(feed: Feed, time: number, behind?: boolean): number | undefined;
}

/** A damaged row has no time. */
const known = (time: number | undefined): number | undefined => (Number.isNaN(time) ? undefined : time);

export function rowTimes({ db, markDamaged }: Connection, feeds: Feeds): RowTimes {
  const firsts = db.prepare<[number], number>(QUERIES.firsts).pluck();
  const chunk = db.prepare<[number, number], Chunk>(QUERIES.chunk);

  const sealed = (feed: number, first: number): Float64Array | undefined => {
    try {
      const { count, checksum, data } = chunk.get(feed, first) ?? { count: 0, checksum: null, data: new Uint8Array() };
      return checksum === checksumOf([feed, TIME, first, count], data) ? decodeColumn(data, count) : undefined;
    } catch (error) {
      if (!isCorruption(error)) throw error;
      markDamaged(String(error));
      return undefined;
    }
  };
  /** Times of the rows from here to the end of their chunk, or of all unsealed rows. */
  const block = (feed: Feed, first: number): Float64Array | undefined => {
    if (first < feed.sealed) return sealed(feed.id, first);
    const times = Float64Array.from(
      feeds.tail(feed, first, () => {}),
      ({ t }) => t,
    );
    return times.some(Number.isNaN) ? undefined : times;
  };
  const blocks = (feed: Feed): number[] => [...firsts.all(feed.id), ...(feed.rows > feed.sealed ? [feed.sealed] : [])];

  return {
    ends(feed) {
      const open = (row: number): number | undefined => feeds.tail(feed, row, () => {})[0]?.t;
      const from = feed.sealed > 0 ? sealed(feed.id, 0)?.[0] : open(0);
      const to =
        feed.rows > feed.sealed ? open(feed.rows - 1) : sealed(feed.id, firsts.all(feed.id).at(-1) ?? 0)?.at(-1);
      return { from: known(from), to: known(to) };
    },
    place(feed, time, behind = false) {
      const isBefore = (at: number): boolean => at < time || (behind && at === time);
      const starts = blocks(feed);
      let [low, high] = [0, starts.length];
      // Binary search for the last block that begins before it.
      while (low < high) {
        const middle = (low + high) >> 1;
        const times = block(feed, starts[middle] ?? 0);
        if (!times) return undefined;
        if (isBefore(times[0] ?? Number.NaN)) low = middle + 1;
        else high = middle;
      }
      if (low === 0) return 0;
      const start = starts[low - 1] ?? 0;
      const times = block(feed, start);
      if (!times) return undefined;
      const place = times.findIndex((at) => !isBefore(at));
      return start + (place < 0 ? times.length : place);
    },
  };
}
