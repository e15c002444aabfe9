import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KneepointError } from '../../../../shared/model/problem.ts';
import { type Migration, migrate, migrateCopy } from '../file/migrate.ts';
import { MIGRATIONS } from '../migrations/index.ts';
import { LIBRARY_FILE, openStore } from '../open.ts';
import type { Store } from '../store.ts';
import { makeFormat6 } from '../testing/format-6.ts';
import { addRuns, libraryFolder } from '../testing/library.ts';

let folder: ReturnType<typeof libraryFolder>;
let path: string;
beforeEach(() => {
  folder = libraryFolder();
  mkdirSync(join(folder.path, 'data'), { mode: 0o700 });
  path = join(folder.path, 'data', LIBRARY_FILE);
});
afterEach(() => folder.remove());

function withFile<T>(work: (db: Database.Database) => T): T {
  const db = new Database(path);
  try {
    return work(db);
  } finally {
    db.close();
  }
}
const allOf = (db: Database.Database, tables: readonly string[]): unknown[][] =>
  tables.map((table) => db.prepare(`SELECT * FROM ${table}`).all());
const REFERRING = ['feed_metric', 'tail', 'chunk', 'raw'];
/** Format 15 changes the encoding of rows in `tail`. */
const NARROW = MIGRATIONS.slice(0, 14);

describe('a library without sources', () => {
  beforeEach(() => makeFormat6(path));

  it.each([
    ['where it is', (db: Database.Database) => migrate(db, path, NARROW, 0)],
    ['as a copy that is read', (db: Database.Database) => migrateCopy(db, NARROW)],
  ])('keeps every row of samples and output with its id (migrated %s)', (_, bring) => {
    withFile((db) => {
      const before = allOf(db, REFERRING);
      const feeds = db.prepare('SELECT id, run_id, kind, rows, sealed FROM feed').all();
      expect(before.map((rows) => rows.length)).toEqual([10, 10, 10, 5]);
      bring(db);
      expect(allOf(db, REFERRING)).toEqual(before);
      expect(db.prepare('SELECT id, run_id, kind, rows, sealed FROM feed').all()).toEqual(feeds);
      expect(db.pragma('foreign_key_check')).toEqual([]);
      expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
      expect(db.pragma('foreign_keys', { simple: true })).toBe(1);
      const highest = `SELECT seq FROM sqlite_sequence WHERE name IN ('feed', 'stream') ORDER BY name`;
      expect(db.prepare(highest).pluck().all()).toEqual([90, 80]);
    });
  });

  it('gets a source for each host of its jobs, and returns the same data by run and generator', () => {
    const store = openStore(join(folder.path, 'data'));
    expect(store.sources.ofSession(1)).toEqual([
      { id: 1, sessionId: 1, kind: 'generator', name: '', position: 0 },
      { id: 2, sessionId: 1, kind: 'generator', name: 'left', position: 0 },
      { id: 3, sessionId: 1, kind: 'generator', name: 'right', position: 1 },
    ]);
    expect(store.samples.generators(1)).toEqual([0, 1]);
    expect(store.samples.generators(3)).toEqual([0]);
    expect(store.samples.series(2, 'tps').map(({ generator, v }) => [generator, v[0]])).toEqual([
      [0, 5],
      [1, 7],
    ]);
    expect(Buffer.from(store.samples.raw(2, 1, 'stdout')).toString()).toBe('tps 5\n');
    store.samples.ingest({ runId: 2, generator: 1, stream: 'stdout', offset: 6, bytes: Buffer.from('x'), samples: [] });
    expect(store.samples.rawSize(2, 1, 'stdout')).toBe(7);
    expect(store.sources.ofSession(1)).toHaveLength(3);
    store.sessions.remove(1, 0);
    store.close();
    withFile((db) => expect(allOf(db, ['source', 'feed', 'stream', ...REFERRING]).flat()).toEqual([]));
  });
});

describe('unsealed rows of a library with two-byte metric ids', () => {
  const seriesOf = (store: Store, runId: number) =>
    store.samples.series(runId, 'tps').map(({ generator, v }) => [generator, v[0]]);

  it('are read unchanged, and accept more than 65,535 names', () => {
    makeFormat6(path);
    withFile((db) => {
      migrate(db, path, NARROW, 0);
      // The second one has the same lower two bytes of its id.
      db.exec(`INSERT INTO metric VALUES (65536, 'other')`);
    });
    const store = openStore(join(folder.path, 'data'));
    expect(seriesOf(store, 1)).toEqual([
      [0, 1],
      [1, 3],
    ]);
    const metrics = { tps: 10, err: 20 };
    const first = { runId: 1, generator: 0, stream: 'stdout', offset: 6, bytes: new Uint8Array() } as const;
    store.samples.ingest({ ...first, samples: [{ t: 2, metrics }] });
    expect(Array.from(store.samples.series(1, 'tps')[0]?.v ?? [])).toEqual([1, 10]);
    expect(Array.from(store.samples.series(1, 'err')[0]?.v ?? [])).toEqual([20]);
    const { id } = store.sources.ensure(1, { kind: 'host', name: 'left', position: 0 });
    store.monitored.ingest({ sourceId: id, rows: [{ t: 1, metrics }] });
    store.monitored.seal(id);
    const { columns } = store.monitored.columns(id, ['tps', 'err']);
    expect([...columns].map(([name, values]) => [name, values[0]])).toEqual(Object.entries(metrics));
    store.close();
    expect(withFile((db) => db.prepare(`SELECT id FROM metric WHERE name = 'err'`).pluck().get())).toBe(65_537);
  });

  it('that are damaged stay damaged', () => {
    makeFormat6(path);
    withFile((db) => {
      migrate(db, path, NARROW, 0);
      db.exec('UPDATE tail SET data = zeroblob(10) WHERE feed_id = 1');
    });
    const store = openStore(join(folder.path, 'data'));
    expect(() => seriesOf(store, 1)).toThrow(KneepointError);
    expect(seriesOf(store, 2)).toEqual([
      [0, 5],
      [1, 7],
    ]);
    store.close();
  });
});

describe('a migration that rebuilds a table', () => {
  const tables: Migration = {
    version: 1,
    up: (db) => {
      db.exec(`CREATE TABLE whole (id INTEGER PRIMARY KEY);
        CREATE TABLE part (whole INTEGER NOT NULL REFERENCES whole(id) ON DELETE CASCADE);
        INSERT INTO whole VALUES (1), (2); INSERT INTO part VALUES (1), (2);`);
    },
  };
  const replacing = (last: number): Migration => ({
    version: 2,
    replacesTables: true,
    up: (db) => {
      db.exec(`CREATE TABLE new_whole (id INTEGER PRIMARY KEY, words TEXT);
        INSERT INTO new_whole SELECT id, '' FROM whole WHERE id <= ${last};
        DROP TABLE whole; ALTER TABLE new_whole RENAME TO whole;`);
    },
  });
  const parts = (db: Database.Database): unknown => db.prepare('SELECT count(*) FROM part').pluck().get();
  const foreignKeys = (db: Database.Database): unknown => db.pragma('foreign_keys', { simple: true });

  it('keeps foreign keys and the rows that refer to it', () => {
    withFile((db) => {
      migrate(db, path, [tables, replacing(2)], 0);
      expect(parts(db)).toBe(2);
      expect(foreignKeys(db)).toBe(1);
      expect(() => db.exec('INSERT INTO part VALUES (3)')).toThrow(/FOREIGN KEY/);
      db.exec('DELETE FROM whole WHERE id = 1');
      expect(parts(db)).toBe(1);
    });
  });

  it('is rolled back if it loses a referenced row', () => {
    withFile((db) => {
      migrate(db, path, [tables], 0);
      expect(() => migrate(db, path, [tables, replacing(1)], 0)).toThrow(KneepointError);
      expect(db.pragma('user_version', { simple: true })).toBe(1);
      expect(parts(db)).toBe(2);
      expect(foreignKeys(db)).toBe(1);
    });
  });

  it('is refused if foreign keys cannot be turned off', () => {
    withFile((db) => {
      migrate(db, path, [tables], 0);
      db.transaction(() => expect(() => migrateCopy(db, [tables, replacing(2)])).toThrow(/switched off/))();
      expect(parts(db)).toBe(2);
    });
  });
});

describe('sources', () => {
  let store: Store;
  beforeEach(() => {
    store = openStore(join(folder.path, 'data'));
  });
  afterEach(() => store.close());
  const runsOn = (host: string, count = 2): number[] => {
    const runs = addRuns(store, count);
    for (const run of runs) store.runs.update(run, { jobs: [{ host, jobId: `job-${run}` }] });
    return runs;
  };
  const ingest = (runId: number, tps: number): void =>
    store.samples.ingest({
      runId,
      generator: 0,
      stream: 'stdout',
      offset: 0,
      bytes: Buffer.from('x'),
      samples: [{ t: 1, metrics: { tps } }],
      index: [{ epoch: 1, uptime: 1, offset: 0, next: 9 }],
    });

  it('are created once for each kind, name and position', () => {
    addRuns(store);
    const left = store.sources.ensure(1, { kind: 'generator', name: 'left', position: 0 });
    expect(store.sources.ensure(1, { kind: 'generator', name: 'left', position: 0 })).toEqual(left);
    const server = store.sources.ensure(1, { kind: 'server', name: 'left', position: 0 });
    expect(server.id).not.toBe(left.id);
    expect(store.sources.ofSession(1)).toEqual([left, server]);
    expect(() => store.sources.ensure(99, { kind: 'host', name: 'left', position: 0 })).toThrow();
  });

  it('store the offset of their clock', () => {
    addRuns(store);
    const { id } = store.sources.ensure(1, { kind: 'host', name: 'left', position: 0 });
    const clock = { offsetMs: -12.5, errorMs: 0.75, at: 1_700_000_000_000 };
    store.sources.setClock(id, clock);
    expect(store.sources.ofSession(1)).toMatchObject([{ id, clock }]);
    expect(() => store.sources.setClock(99, clock)).toThrow('There is no source 99');
  });

  it('are shared by runs on the same host', () => {
    const [first = 0, second = 0] = runsOn('left');
    ingest(first, 1);
    ingest(second, 2);
    expect(store.sources.ofSession(1)).toMatchObject([{ kind: 'generator', name: 'left', position: 0 }]);
    expect(store.samples.series(first, 'tps')[0]?.v[0]).toBe(1);
    expect(store.samples.series(second, 'tps')[0]?.v[0]).toBe(2);
    store.samples.clearSamples(first);
    expect(store.samples.count(first, 0)).toBe(0);
    expect(store.samples.count(second, 0)).toBe(1);
    expect(store.samples.index(first, 0).epoch).toHaveLength(1);
  });

  it('have one feed of each kind per run, and one without a run', () => {
    const [run = 0] = runsOn('left', 1);
    ingest(run, 1);
    withFile((db) => {
      const add = db.prepare(`INSERT INTO feed (source_id, run_id, kind) VALUES (1, ?, 'samples')`);
      expect(() => add.run(run)).toThrow(/UNIQUE/);
      add.run(null);
      expect(() => add.run(null)).toThrow(/UNIQUE/);
      db.exec(`INSERT INTO stream (source_id, name) VALUES (1, 'stdout')`);
      expect(() => db.exec(`INSERT INTO stream (source_id, name) VALUES (1, 'stdout')`)).toThrow(/UNIQUE/);
    });
  });

  it('other than generators are excluded from the figures of a run', () => {
    const [run = 0] = runsOn('left', 1);
    ingest(run, 1);
    store.sources.ensure(1, { kind: 'host', name: 'left', position: 0 });
    withFile((db) =>
      db.exec(`INSERT INTO feed (source_id, run_id, kind, rows) VALUES (2, ${run}, 'samples', 1);
        INSERT INTO metric (name) VALUES ('cpu'); INSERT INTO feed_metric (feed_id, metric_id, position)
          SELECT (SELECT max(id) FROM feed), id, 0 FROM metric WHERE name = 'cpu';`),
    );
    expect(store.samples.metrics(run)).toEqual(['tps']);
    expect(store.samples.generators(run)).toEqual([0]);
    expect(store.samples.series(run, 'cpu')).toEqual([]);
    store.samples.clearSamples(run);
    withFile((db) =>
      expect(db.prepare(`SELECT source_id FROM feed WHERE kind = 'samples'`).pluck().all()).toEqual([2]),
    );
  });
});
