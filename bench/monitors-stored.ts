import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { rulesOf } from '../src/main/engine/api/monitors.ts';
import { monitoredSeries, monitoredSources } from '../src/main/engine/monitored/index.ts';
import { LIBRARY_FILE } from '../src/main/engine/store/open.ts';
import { median } from '../src/shared/util/numbers.ts';
import { addRuns, withLibrary } from './library.ts';
import type { BenchRow } from './row.ts';
import { START, storeSeconds } from './watched-session.ts';
import { WatchedText } from './watched-text.ts';

const TEN_HOURS_S = 36_000;
const POINTS = 1000;
const ROUNDS = 5;

/** Ten hours of a host: bytes of a sealed sample, and the first chart of all of its series. */
export function storedRows(): BenchRow[] {
  return withLibrary((library, dataDir) => {
    addRuns(library, 1);
    const sessionId = 1;
    const source = library.sources.ensure(sessionId, { kind: 'host', name: 'host-1', position: 0 });
    library.sources.setAbout(source.id, { roles: ['server'] });
    library.sources.addClock(source.id, { t: START, offsetMs: 3, errorMs: 1 });
    const values = storeSeconds(library, source.id, new WatchedText(7), START, TEN_HOURS_S);
    library.monitored.seal(source.id);
    const [watched] = monitoredSources(library, sessionId, rulesOf);
    const ids = (watched?.series ?? []).map(({ id }) => id);
    const wanted = [{ sourceId: source.id, ids }];
    const look = (): boolean =>
      monitoredSeries(library, { sessionId, wanted, points: POINTS }, rulesOf).length === ids.length;
    // Results of the first look are stored.
    const first = round(look);
    const again = rounds(look);
    const bare = bareColumns(library.monitored.names(source.id).length);
    const bytes = sealedBytes(path.join(dataDir, LIBRARY_FILE)) / values;
    const what = `of ${ids.length} series × ${TEN_HOURS_S.toLocaleString('en-US')} s, thinned to ${POINTS} points`;
    return [
      ...[
        { name: `First chart ${what}`, took: first, note: 'limit: its counters as plain doubles in blobs, read alone' },
        { name: 'The same again', took: again, note: 'most of it was kept by the first one' },
      ].flatMap(({ name, took, note }): BenchRow[] => [
        { name, value: took.ms, unit: 'ms', limit: bare.ms, ratio: took.ms / bare.ms, goal: '≤ 500 ms', note },
        { name: `${name}, CPU`, value: took.cpuMs, unit: 'ms', limit: bare.cpuMs, ratio: took.cpuMs / bare.cpuMs },
      ]),
      {
        name: 'Sealed sample of a host on disk',
        value: bytes,
        unit: 'bytes',
        limit: 8,
        ratio: bytes / 8,
        goal: '≤ 2 bytes',
        note: 'limit: a plain double',
      },
    ];
  });
}

interface Took {
  ms: number;
  cpuMs: number;
}

/** Medians. `work` returns whether everything was complete. */
function rounds(work: () => boolean): Took {
  const found = Array.from({ length: ROUNDS }, () => round(work));
  return { ms: median(found.map(({ ms }) => ms)), cpuMs: median(found.map(({ cpuMs }) => cpuMs)) };
}

function round(work: () => boolean): Took {
  const [before, began] = [process.cpuUsage(), performance.now()];
  if (!work()) throw new Error('Not all of it came back.');
  const { user, system } = process.cpuUsage(before);
  return { ms: performance.now() - began, cpuMs: (user + system) / 1000 };
}

const BLOB_ROWS = 1024;

function bareColumns(count: number): Took {
  const folder = mkdtempSync(path.join(tmpdir(), 'kneepoint-bare-'));
  const db = new Database(path.join(folder, 'bare.db'));
  try {
    db.exec('CREATE TABLE chunk (metric INTEGER, first INTEGER, data BLOB, PRIMARY KEY (metric, first))');
    const insert = db.prepare('INSERT INTO chunk VALUES (?, ?, ?)');
    db.transaction(() => {
      for (let metric = 0; metric < count; metric += 1)
        for (let first = 0; first < TEN_HOURS_S; first += BLOB_ROWS) {
          const rows = Math.min(BLOB_ROWS, TEN_HOURS_S - first);
          insert.run(
            metric,
            first,
            Buffer.from(Float64Array.from({ length: rows }, (_, row) => first + row + metric / 7).buffer),
          );
        }
    })();
    const select = db.prepare<[number], { first: number; data: Buffer }>(
      'SELECT first, data FROM chunk WHERE metric = ? ORDER BY first',
    );
    return rounds(() => {
      for (let metric = 0; metric < count; metric += 1) {
        const bytes = new Uint8Array(new Float64Array(TEN_HOURS_S).buffer);
        for (const { first, data } of select.iterate(metric)) bytes.set(data, first * Float64Array.BYTES_PER_ELEMENT);
      }
      return true;
    });
  } finally {
    db.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Bytes of samples in chunks, including their indexes. */
export function sealedBytes(file: string): number {
  const db = new Database(file, { readonly: true });
  try {
    const names = ['chunk', 'sqlite_autoindex_chunk_1', 'tail', 'feed', 'feed_metric', 'metric'];
    const sum = db.prepare<string[], { bytes: number | null }>(
      `SELECT sum(pgsize) AS bytes FROM dbstat WHERE name IN (${names.map(() => '?').join(', ')})`,
    );
    return sum.get(...names)?.bytes ?? 0;
  } finally {
    db.close();
  }
}
