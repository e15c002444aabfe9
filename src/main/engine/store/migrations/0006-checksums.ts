import Database from 'better-sqlite3';
import { checksumOf } from '../codec/checksum.ts';
import type { Migration } from '../file/migrate.ts';

/** `feed_metric.chunks`: how many chunks a metric has, so that one that went missing is noticed. */
const SCHEMA = `
ALTER TABLE chunk ADD COLUMN checksum INTEGER;
ALTER TABLE tail ADD COLUMN checksum INTEGER;
ALTER TABLE raw ADD COLUMN checksum INTEGER;
ALTER TABLE feed_metric ADD COLUMN chunks INTEGER NOT NULL DEFAULT 0;
`;
const OF_FEED = [
  'UPDATE chunk SET checksum = kneepoint_checksum(feed_id, metric_id, first, count, data) WHERE feed_id = ?',
  'UPDATE tail SET checksum = kneepoint_checksum(feed_id, row, t, 0, data) WHERE feed_id = ?',
  `UPDATE feed_metric SET chunks = (SELECT count(*) FROM chunk
    WHERE chunk.feed_id = feed_metric.feed_id AND chunk.metric_id = feed_metric.metric_id) WHERE feed_id = ?`,
];
const OF_STREAM = [
  'UPDATE raw SET checksum = kneepoint_checksum(stream_id, offset, size, 0, data) WHERE stream_id = ?',
];

/** Blocks of samples and raw output get a checksum. What cannot be read any more gets none, and is damaged to every reader. */
export const checksums: Migration = {
  version: 6,
  up: (db) => {
    db.exec(SCHEMA);
    db.function('kneepoint_checksum', { deterministic: true }, (a, b, c, d, data) =>
      checksumOf([Number(a), Number(b), Number(c), Number(d)], data as Uint8Array),
    );
    fill(db, 'SELECT id FROM feed', OF_FEED);
    fill(db, 'SELECT id FROM stream', OF_STREAM);
  },
};

function fill(db: Database.Database, owners: string, updates: readonly string[]): void {
  const statements = updates.map((update) => db.prepare<[number]>(update));
  for (const id of db.prepare<[], number>(owners).pluck().all()) {
    for (const statement of statements) {
      try {
        statement.run(id);
      } catch (error) {
        if (!(error instanceof Database.SqliteError && error.code.startsWith('SQLITE_CORRUPT'))) throw error;
      }
    }
  }
}
