import Database from 'better-sqlite3';
import { checksumOf } from '../codec/integers.ts';
import { migrate } from '../file/migrate.ts';
import { MIGRATIONS } from '../migrations/index.ts';

/**
 * Creates a library of format 6, before sources: a session whose runs 1 and 2 were made by the hosts `left` and `right`, and run 3 without
 * a known job. Each generator has one sample (`tps`, with its feed's id as value), one line of the index, and 6 bytes of output.
 */
export function makeFormat6(path: string): void {
  const db = new Database(path);
  db.pragma('journal_mode = WAL');
  migrate(db, path, MIGRATIONS.slice(0, 6), 0);
  db.exec(`INSERT INTO session (uuid, name, state, tags, created_at) VALUES ('u', 'Old', 'done', '[]', 1);
    INSERT INTO metric VALUES (1, 'tps');
    INSERT INTO run (session_id, trial, cell, repeat, levels, warmup, duration, state)
      VALUES (1, 0, 0, 0, '{}', 0, 1, 'done'), (1, 1, 0, 1, '{}', 0, 1, 'done'), (1, 2, 0, 2, '{}', 0, 1, 'done');
    INSERT INTO job (job_id, host, kind, session_id, run_id, generator) VALUES ('a', 'left', 'run', 1, 1, 0),
      ('b', 'right', 'run', 1, 1, 1), ('c', 'left', 'run', 1, 2, 0), ('d', 'right', 'run', 1, 2, 1);`);
  for (const [run, generator] of [
    [1, 0],
    [1, 1],
    [2, 0],
    [2, 1],
    [3, 0],
  ] as const)
    addGenerator(db, run, generator);
  // The highest ids are deleted; none of them may be used again.
  db.exec(`INSERT INTO feed (id, run_id, generator, kind) VALUES (90, 3, 7, 'samples'); DELETE FROM feed WHERE id = 90;
    INSERT INTO stream (id, run_id, generator, name) VALUES (80, 3, 7, 'stdout'); DELETE FROM stream WHERE id = 80;`);
  db.close();
}

function addGenerator(db: Database.Database, run: number, generator: number): void {
  const addFeed = db.prepare('INSERT INTO feed (run_id, generator, kind, rows, sealed) VALUES (?, ?, ?, 1, 0)');
  for (const kind of ['samples', 'index']) {
    const feed = Number(addFeed.run(run, generator, kind).lastInsertRowid);
    const data = narrowTail(1, feed);
    db.prepare('INSERT INTO feed_metric (feed_id, metric_id, position) VALUES (?, 1, 0)').run(feed);
    db.prepare('INSERT INTO tail VALUES (?, 0, 1, ?, ?)').run(feed, data, checksumOf([feed, 0, 1, 0], data));
    db.prepare('INSERT INTO chunk (feed_id, metric_id, first, count, data) VALUES (?, 1, 5000, 1, ?)').run(feed, data);
  }
  const bytes = Buffer.from('tps 5\n');
  const stream = db.prepare(`INSERT INTO stream (run_id, generator, name, size) VALUES (?, ?, 'stdout', 6)`);
  const id = Number(stream.run(run, generator).lastInsertRowid);
  db.prepare('INSERT INTO raw (stream_id, offset, size, data, checksum) VALUES (?, 0, 6, ?, ?)').run(
    id,
    bytes,
    checksumOf([id, 0, 6, 0], bytes),
  );
}

/** An open row of one metric in formats before 15: two bytes for its id. */
export function narrowTail(id: number, value: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(10));
  view.setUint16(0, id, true);
  view.setFloat64(2, value, true);
  return new Uint8Array(view.buffer);
}
