import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { IngestBatch } from '../src/main/engine/store/store.ts';
import { median } from '../src/shared/util/numbers.ts';
import { addRuns, batches, withLibrary } from './library.ts';
import type { BenchRow } from './row.ts';

const METRICS = 20;
const ROUNDS = 3;
/** Live: one second per commit. Back-fill after a lost link: the maximum of one commit. */
const CASES = [
  { name: 'Ingest, 1 second per commit', rows: 3_000, perCommit: 1, goal: 'ratio ≥ 0.4' },
  { name: 'Ingest, 2,000 seconds per commit (back-fill)', rows: 36_000, perCommit: 2_000, goal: '≥ 500,000 samples/s' },
];

/** Samples per second through the store (raw output, offset and samples in one durable commit), against bare inserts of the same rows. */
export async function run(): Promise<BenchRow[]> {
  return CASES.flatMap(({ name, rows, perCommit, goal }) => {
    const pairs = Array.from({ length: ROUNDS }, () => ({
      store: (rows * METRICS) / throughStore(rows, perCommit),
      bare: (rows * METRICS) / throughBareInserts(rows, perCommit),
    }));
    const value = median(pairs.map((pair) => pair.store));
    const limit = median(pairs.map((pair) => pair.bare));
    return [{ name, value, unit: 'samples/s', limit, ratio: value / limit, goal }];
  });
}

function throughStore(rows: number, perCommit: number): number {
  return withLibrary((store) => {
    const [runId = 0] = addRuns(store, 1);
    const all = batches(runId, rows, perCommit);
    const start = performance.now();
    for (const batch of all) store.samples.ingest(batch);
    return (performance.now() - start) / 1000;
  });
}

/** The same commits with only better-sqlite3: a row of 20 REAL columns per second and the raw bytes, same durability. */
function throughBareInserts(rows: number, perCommit: number): number {
  const folder = mkdtempSync(join(tmpdir(), 'kneepoint-bare-'));
  const db = new Database(join(folder, 'bare.db'));
  try {
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    const all = batches(1, rows, perCommit);
    const names = Object.keys(all[0]?.samples[0]?.metrics ?? {});
    db.exec(`CREATE TABLE sample (run INTEGER, t REAL, ${names.map((name) => `${name} REAL`).join(', ')}, PRIMARY KEY (run, t)) WITHOUT ROWID;
      CREATE TABLE raw (offset INTEGER PRIMARY KEY, data BLOB)`);
    const sample = db.prepare(`INSERT INTO sample VALUES (1, ?, ${names.map(() => '?').join(', ')})`);
    const raw = db.prepare('INSERT INTO raw VALUES (?, ?)');
    const commit = db.transaction((batch: IngestBatch) => {
      for (const { t, metrics } of batch.samples) sample.run(t, ...Object.values(metrics));
      raw.run(batch.offset, batch.bytes);
    });
    const start = performance.now();
    for (const batch of all) commit(batch);
    return (performance.now() - start) / 1000;
  } finally {
    db.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
