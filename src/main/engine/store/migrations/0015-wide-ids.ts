import Database from 'better-sqlite3';
import { checksumOf } from '../codec/integers.ts';
import type { Migration } from '../file/migrate.ts';

/** A metric in an open row: its id and an f64, little-endian. The id had two bytes before and now has four. */
const NARROW = 10;
const WIDE = 12;

interface Row {
  t: number;
  data: Uint8Array;
  checksum: number | null;
}

interface Feed {
  id: number;
  rows: number;
  sealed: number;
}

/**
 * Metric names are numbered across a library, and hosts with many processes and devices have more than 65,535 of them. Row by row: in a
 * copy that is only read, a page may be damaged, and rows on other pages have to stay readable.
 */
export const wideIds: Migration = {
  version: 15,
  up: (db) => {
    const find = db.prepare<[number, number], Row>('SELECT t, data, checksum FROM tail WHERE feed_id = ? AND row = ?');
    const set = db.prepare<[Uint8Array, number | null, number, number]>(
      'UPDATE tail SET data = ?, checksum = ? WHERE feed_id = ? AND row = ?',
    );
    const spoil = db.prepare<[number, number]>('UPDATE tail SET checksum = NULL WHERE feed_id = ? AND row = ?');
    const widen = (feed: number, row: number): void => {
      const found = find.get(feed, row);
      if (!found) return;
      const { t, data, checksum } = found;
      const wide = widened(data);
      // A damaged row stays damaged: no row has this checksum.
      const isWhole = checksum === checksumOf([feed, row, t, 0], data);
      set.run(wide, isWhole ? checksumOf([feed, row, t, 0], wide) : null, feed, row);
    };
    for (const { id, rows, sealed } of feedsOf(db))
      for (let row = sealed; row < rows; row += 1)
        // A row that stays narrow must not be read as a wide one.
        if (!unlessDamaged(() => widen(id, row))) unlessDamaged(() => spoil.run(id, row));
  },
};

/** All feeds that can be read. */
function feedsOf(db: Database.Database): Feed[] {
  const feeds: Feed[] = [];
  unlessDamaged(() => {
    for (const feed of db.prepare<[], Feed>('SELECT id, rows, sealed FROM feed').iterate()) feeds.push(feed);
  });
  return feeds;
}

/** Whether it finished. */
export function unlessDamaged(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_CORRUPT')) return false;
    throw error;
  }
}

function widened(data: Uint8Array): Uint8Array {
  const count = Math.floor(data.length / NARROW);
  const from = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const wide = new DataView(new ArrayBuffer(WIDE * count));
  for (let index = 0; index < count; index += 1) {
    wide.setUint32(WIDE * index, from.getUint16(NARROW * index, true), true);
    wide.setFloat64(WIDE * index + 4, from.getFloat64(NARROW * index + 2, true), true);
  }
  return new Uint8Array(wide.buffer);
}
