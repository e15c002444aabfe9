import Database from 'better-sqlite3';
import { checksumOf } from '../codec/checksum.ts';
import type { Migration } from '../file/migrate.ts';

/** A metric in an open row: its id and an f64, little-endian; the id had two bytes before and has four now. */
const NARROW = 10;
const WIDE = 12;

interface Row {
  row: number;
  t: number;
  data: Uint8Array;
  checksum: number | null;
}

/** Names of metrics are numbered through a library, and hosts with many processes and devices bring more than 65,535 of them. */
export const wideIds: Migration = {
  version: 15,
  up: (db) => {
    const rows = db.prepare<[number], Row>('SELECT row, t, data, checksum FROM tail WHERE feed_id = ?');
    const set = db.prepare<[Uint8Array, number | null, number, number]>(
      'UPDATE tail SET data = ?, checksum = ? WHERE feed_id = ? AND row = ?',
    );
    for (const feed of db.prepare<[], number>('SELECT DISTINCT feed_id FROM tail').pluck().all()) {
      try {
        for (const { row, t, data, checksum } of rows.all(feed)) {
          const wide = widened(data);
          // A damaged row stays one: no row has this checksum.
          const isWhole = checksum === checksumOf([feed, row, t, 0], data);
          set.run(wide, isWhole ? checksumOf([feed, row, t, 0], wide) : null, feed, row);
        }
      } catch (error) {
        if (!(error instanceof Database.SqliteError && error.code.startsWith('SQLITE_CORRUPT'))) throw error;
      }
    }
  },
};

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
