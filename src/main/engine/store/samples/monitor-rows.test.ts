import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { atDepth } from '../../../../shared/util/testing/depth.ts';
import { LIBRARY_FILE, openStore } from '../open.ts';
import type { Store } from '../store.ts';
import { firstRun, libraryFolder } from '../testing/library.ts';

const START = 1_800_000_000;
const COUNTERS = atDepth(200, 50);
let folder: ReturnType<typeof libraryFolder>;
let store: Store;
let source: number;

beforeEach(() => {
  folder = libraryFolder();
  store = openStore(folder.path);
  const run = store.runs.get(firstRun(store));
  source = store.sources.ensure(run?.sessionId ?? 0, { kind: 'host', name: 'db1', position: 0 }).id;
});
afterEach(() => {
  store.close();
  folder.remove();
});

const row = (second: number) => ({
  t: START + second + (second % 3) * 0.01,
  metrics: {
    'cpu.user': second * 37,
    'mem.dirty_kib': (second * 7919) % 4096,
    ...(second % 2 && { 'cpu.idle': second }),
  },
});
const rows = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => row(from + index));

describe('samples of a monitored source', () => {
  it('are read back unchanged, sealed or not, by name and range', () => {
    for (let from = 0; from < 2500; from += 100)
      store.monitored.ingest({ sourceId: source, rows: rows(from, from + 100) });
    for (const sealed of [false, true]) {
      if (sealed) store.monitored.seal(source);
      expect(store.monitored.names(source)).toEqual(['cpu.user', 'mem.dirty_kib', 'cpu.idle']);
      expect(store.monitored.extent(source)).toEqual({ samples: 2500, from: row(0).t, to: row(2499).t });
      const all = store.monitored.columns(source, ['cpu.user', 'cpu.idle']);
      expect(Array.from(all.t)).toEqual(rows(0, 2500).map(({ t }) => t));
      expect(Array.from(all.columns.get('cpu.user') ?? [])).toEqual(
        rows(0, 2500).map(({ metrics }) => metrics['cpu.user']),
      );
      expect(all.columns.get('cpu.idle')?.[0]).toBeNaN();
      // Includes the sample before the range, from which growth is counted.
      const part = store.monitored.columns(source, ['cpu.user'], { from: row(1030).t, to: row(1040).t });
      expect(Array.from(part.t)).toEqual(rows(1029, 1041).map(({ t }) => t));
      expect(part.columns.get('cpu.user')?.[1]).toBe(1030 * 37);
      expect(store.monitored.since(source, ['cpu.user'], 2498).t).toHaveLength(2);
      expect(all.damaged).toEqual([]);
    }
  });

  it('are found by time without reading all, for any range, in any chunks', () => {
    const all: number[] = [];
    for (const [from, to, seal] of [
      [0, 700, true],
      [700, 2900, false],
      [2900, 3100, true],
      [3100, 3150, false],
    ] as const) {
      store.monitored.ingest({ sourceId: source, rows: rows(from, to) });
      all.push(...rows(from, to).map(({ t }) => t));
      if (seal) store.monitored.seal(source);
      expect(store.monitored.extent(source)).toEqual({ samples: to, from: all[0], to: all.at(-1) });
      for (const place of [0, 1, 699, 700, 701, 1023, 1024, 1723, 1724, 2899, 2900, 3099, 3100, to - 1]) {
        const at = all[place];
        if (at === undefined) continue;
        expect(store.monitored.before(source, at)).toBe(place);
        expect(store.monitored.before(source, at + 0.001)).toBe(place + 1);
        const { t } = store.monitored.columns(source, [], { from: at, to: at });
        expect(Array.from(t)).toEqual(all.slice(Math.max(0, place - 1), place + 1));
      }
    }
    expect(store.monitored.before(source, 0)).toBe(0);
    expect(Array.from(store.monitored.columns(source, [], { from: 0, to: START - 1 }).t)).toEqual([]);
    expect(store.monitored.columns(source, [], { from: START + 9999 }).t).toHaveLength(1);
  });

  it('are found by time even if some times are damaged', () => {
    store.monitored.ingest({ sourceId: source, rows: rows(0, 4000) });
    store.monitored.seal(source);
    store.close();
    const db = new Database(join(folder.path, LIBRARY_FILE));
    db.exec('UPDATE chunk SET data = zeroblob(length(data)) WHERE first = 2048 AND metric_id = 0');
    db.close();
    store = openStore(folder.path);
    expect(store.monitored.extent(source)).toEqual({ samples: 4000, from: row(0).t, to: row(3999).t });
    for (const place of [10, 1500, 3500]) expect(store.monitored.before(source, row(place).t)).toBe(place);
  });

  it('are stored together with their position in the output of the job, or not at all', () => {
    store.monitored.beginJob({ jobId: 'job-1', sourceId: source, host: 'db1' });
    store.monitored.ingest({ sourceId: source, rows: rows(0, 2), read: { jobId: 'job-1', from: 0, to: 80 } });
    expect(() =>
      store.monitored.ingest({ sourceId: source, rows: rows(0, 2), read: { jobId: 'job-1', from: 0, to: 80 } }),
    ).toThrow(/continues at byte 80/);
    expect(store.monitored.extent(source).samples).toBe(2);
    expect(store.monitored.jobs(source)).toEqual([
      { jobId: 'job-1', sourceId: source, host: 'db1', readBytes: 80, ended: false },
    ]);
    store.monitored.endJob('job-1');
    expect(store.monitored.jobs(source)[0]?.ended).toBe(true);
  });

  it('are sealed when their session is over, and list their jobs by name', () => {
    store.monitored.beginJob({ jobId: 'job-1', sourceId: source, host: 'db1' });
    store.monitored.ingest({ sourceId: source, rows: rows(0, 2), read: { jobId: 'job-1', from: 0, to: 80 } });
    expect(store.monitored.job('job-1')).toEqual(store.monitored.jobs(source)[0]);
    expect(store.monitored.job('job-2')).toBeUndefined();
    expect(store.monitored.unsealed()).toEqual([]);
    store.sessions.update(1, { state: 'done' });
    expect(store.monitored.unsealed()).toEqual([1]);
    store.monitored.seal(source);
    expect(store.monitored.unsealed()).toEqual([]);
  });

  it('can keep the original output', () => {
    store.monitored.beginJob({ jobId: 'job-1', sourceId: source, host: 'db1' });
    const bytes = Buffer.from('1.5 12 34\n');
    for (let index = 0; index < 3; index += 1)
      store.monitored.ingest({
        sourceId: source,
        rows: [],
        read: { jobId: 'job-1', from: index * bytes.length, to: (index + 1) * bytes.length, bytes },
      });
    store.monitored.seal(source);
    expect(Buffer.from(store.monitored.output(source, 'job-1')).toString()).toBe('1.5 12 34\n'.repeat(3));
    expect(store.monitored.output(source, 'job-2')).toHaveLength(0);
    store.close();
    const db = new Database(join(folder.path, LIBRARY_FILE));
    expect(db.prepare('UPDATE raw SET data = zeroblob(length(data))').run().changes).toBe(1);
    db.close();
    store = openStore(folder.path);
    expect(() => store.monitored.output(source, 'job-1')).toThrow(
      'The stored output of the monitored source “db1” is damaged: bytes 0 to 29 of job-1 do not match their checksum.',
    );
  });

  it('that are damaged are absent, and the others are read', () => {
    store.monitored.ingest({ sourceId: source, rows: rows(0, 1500) });
    store.monitored.seal(source);
    store.close();
    const db = new Database(join(folder.path, LIBRARY_FILE));
    const changed = db
      .prepare(
        `UPDATE chunk SET data = zeroblob(length(data)) WHERE first = 1024 AND metric_id = (SELECT id FROM metric WHERE name = 'cpu.user')`,
      )
      .run().changes;
    db.close();
    store = openStore(folder.path);
    expect(changed).toBe(1);
    const { columns, damaged } = store.monitored.columns(source, ['cpu.user', 'mem.dirty_kib']);
    expect(damaged).toEqual([{ name: 'cpu.user', first: 1024, last: 1499 }]);
    expect(store.monitored.since(source, ['cpu.user'], 1020).damaged).toEqual([
      { name: 'cpu.user', first: 4, last: 479 },
    ]);
    // Data after the end of a range is not read.
    const before = store.monitored.columns(source, ['cpu.user'], { from: row(1000).t, to: row(1023).t });
    expect(before).toMatchObject({
      damaged: [],
      columns: new Map([['cpu.user', Float64Array.from(rows(999, 1024), ({ metrics }) => metrics['cpu.user'])]]),
    });
    expect(columns.get('cpu.user')?.[1023]).toBe(1023 * 37);
    expect(columns.get('cpu.user')?.[1024]).toBeNaN();
    expect(columns.get('mem.dirty_kib')?.[1024]).toBe((1024 * 7919) % 4096);
  });

  it('that are damaged before sealing are reported with the host', () => {
    store.monitored.ingest({ sourceId: source, rows: rows(0, 3) });
    store.close();
    const db = new Database(join(folder.path, LIBRARY_FILE));
    expect(db.prepare('UPDATE tail SET data = zeroblob(length(data)) WHERE row = 1').run().changes).toBe(1);
    db.close();
    store = openStore(folder.path);
    expect(() => store.monitored.seal(source)).toThrow(
      'Stored samples of the monitored source “db1” are damaged: all metrics, sample 2.',
    );
  });

  it('are removed with their session, and are not samples of a run', () => {
    store.monitored.ingest({ sourceId: source, rows: rows(0, 10) });
    const [run] = store.runs.ofSession(1);
    expect(store.samples.metrics(run?.id ?? 0)).toEqual([]);
    store.sessions.remove(1, 0);
    expect(store.monitored.extent(source).samples).toBe(0);
  });

  it(`take at most two bytes each once sealed (${COUNTERS} counters, 4,096 seconds)`, () => {
    const many = Array.from({ length: 4096 }, (_, second) => ({
      t: START + second + 0.01 * (second % 2),
      metrics: Object.fromEntries(
        Array.from({ length: COUNTERS }, (_, index) => [
          `counter.${index}`,
          // Half of them are constant or grow evenly, as on a real host; the others grow seemingly at random.
          index % 2 === 0
            ? Math.floor(second / (index + 1))
            : second * 1000 * index + ((second * 2654435761 * index) % 997),
        ]),
      ),
    }));
    store.monitored.ingest({ sourceId: source, rows: many });
    store.monitored.seal(source);
    store.close();
    const db = new Database(join(folder.path, LIBRARY_FILE));
    const bytes = db.prepare('SELECT sum(length(data)) FROM chunk').pluck().get() as number;
    db.close();
    store = openStore(folder.path);
    expect(bytes / (4096 * COUNTERS)).toBeLessThanOrEqual(2);
  });
});

describe('readings of a clock', () => {
  it('are stored by time', () => {
    store.sources.addClock(source, { t: 20, offsetMs: 12.5, errorMs: 0.4 });
    store.sources.addClock(source, { t: 10, offsetMs: 12, errorMs: 0.5 });
    expect(store.sources.clocks(source)).toEqual([
      { t: 10, offsetMs: 12, errorMs: 0.5 },
      { t: 20, offsetMs: 12.5, errorMs: 0.4 },
    ]);
  });
});
