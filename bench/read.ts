import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { LIBRARY_FILE } from '../src/main/engine/store/open.ts';
import { CHUNK_ROWS } from '../src/main/engine/store/samples/feeds.ts';
import type { Store } from '../src/main/engine/store/store.ts';
import { median } from '../src/shared/util/numbers.ts';
import { addRuns, batches, withLibrary } from './library.ts';
import type { BenchRow } from './row.ts';
import { seconds } from './sysbench-like.ts';

const ROWS = 36_000;
const METRICS = 20;
const RUNS = 3;
const ROUNDS = 21;

/** Ten-hour runs of twenty metrics: the time to read all series, and the bytes of a sealed sample. */
export async function run(): Promise<BenchRow[]> {
  return withLibrary((store, dataDir) => {
    const runs = addRuns(store, RUNS);
    for (const runId of runs) {
      for (const batch of batches(runId, ROWS, 2_000)) store.samples.ingest(batch);
      store.samples.seal(runId);
    }
    const one = median(rounds(() => timed(() => store.samples.series(runs[1] ?? 0, 'tps'))));
    // Alternating, so that other load affects both alike.
    const pairs = withBareColumns((read) => rounds(() => ({ ours: readAll(store, runs[1] ?? 0), bare: read() })));
    const [value, limit] = [median(pairs.map(({ ours }) => ours)), median(pairs.map(({ bare }) => bare))];
    const row = { value, unit: 'ms of CPU', limit, ratio: median(pairs.map(({ ours, bare }) => ours / bare)) };
    return [
      { name: 'Read 20 series × 36,000 points', ...row, goal: '≤ 60 ms' },
      { name: 'Read 1 series × 36,000 points', value: one, unit: 'ms of CPU', goal: '≤ 10 ms' },
      ...sizes(store, join(dataDir, LIBRARY_FILE)),
    ];
  });
}

const rounds = <T>(read: () => T): T[] => Array.from({ length: ROUNDS }, read);

/** Milliseconds of CPU. */
function timed(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function readAll(store: Store, runId: number): number {
  return timed(() => {
    const read = store.samples.metrics(runId).flatMap((metric) => store.samples.series(runId, metric));
    if (read.length !== METRICS || read.some((series) => series.v.length !== ROWS))
      throw new Error('Not all samples came back.');
  });
}

/** Limit: the same columns as plain doubles in blobs of 1,024, read by better-sqlite3 alone into typed arrays. */
function withBareColumns<T>(work: (read: () => number) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'kneepoint-bare-'));
  const db = new Database(join(folder, 'bare.db'));
  try {
    db.exec('CREATE TABLE chunk (metric INTEGER, first INTEGER, data BLOB, PRIMARY KEY (metric, first))');
    const insert = db.prepare('INSERT INTO chunk VALUES (?, ?, ?)');
    const all = [...seconds(ROWS, 1)];
    const names = Object.keys(all[0]?.metrics ?? {});
    db.transaction(() => {
      for (const [metric, name] of names.entries()) {
        for (let first = 0; first < ROWS; first += CHUNK_ROWS) {
          const rows = all.slice(first, first + CHUNK_ROWS);
          insert.run(
            metric,
            first,
            Buffer.from(Float64Array.from(rows, (row) => row.metrics[name] ?? Number.NaN).buffer),
          );
        }
      }
    })();
    const select = db.prepare<[number], { first: number; data: Buffer }>(
      'SELECT first, data FROM chunk WHERE metric = ? ORDER BY first',
    );
    return work(() =>
      timed(() => {
        for (let metric = 0; metric < METRICS; metric += 1) {
          const bytes = new Uint8Array(new Float64Array(ROWS).buffer);
          for (const { first, data } of select.iterate(metric)) bytes.set(data, first * Float64Array.BYTES_PER_ELEMENT);
        }
      }),
    );
  } finally {
    db.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Pages of the file per table as counted by SQLite (dbstat), including half-empty pages and indexes. */
function sizes(store: Store, path: string): BenchRow[] {
  const db = new Database(path, { readonly: true });
  try {
    const bytesOf = (names: string[]): number =>
      db
        .prepare<string[], { bytes: number | null }>(
          `SELECT sum(pgsize) AS bytes FROM dbstat WHERE name IN (${names.map(() => '?').join(', ')})`,
        )
        .get(...names)?.bytes ?? 0;
    const samples = RUNS * ROWS * METRICS;
    const sealed = bytesOf(['chunk', 'sqlite_autoindex_chunk_1', 'tail', 'feed', 'feed_metric', 'metric']);
    const raw = bytesOf(['raw', 'sqlite_autoindex_raw_1', 'stream']);
    const rawBytes = store.samples.rawSize(1, 0, 'stdout') * RUNS;
    return [
      {
        name: 'Sealed sample on disk',
        value: sealed / samples,
        unit: 'bytes',
        limit: 8,
        ratio: sealed / samples / 8,
        goal: '≤ 4 bytes',
      },
      { name: 'Raw output on disk', value: raw / rawBytes, unit: 'bytes per byte', goal: '≤ 0.5' },
      { name: 'Whole library per sample, raw output included', value: statSync(path).size / samples, unit: 'bytes' },
    ];
  } finally {
    db.close();
  }
}
