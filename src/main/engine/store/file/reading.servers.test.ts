import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectSame } from '../../../../../scripts/test/recorded.ts';
import { KneepointError, type ProblemCode } from '../../../../shared/model/problem.ts';
import { MIGRATIONS } from '../migrations/index.ts';
import { LIBRARY_FILE, openStore } from '../open.ts';
import type { Store } from '../store.ts';
import { addRuns, firstRun, temporaryFolder } from '../testing/library.ts';
import { migrate } from './migrate.ts';

let folder: ReturnType<typeof temporaryFolder>;
let dataDir: string;
beforeEach(() => {
  folder = temporaryFolder();
  dataDir = join(folder.path, 'data');
});
afterEach(() => folder.remove());

const script = (name: string): string => new URL(`../testing/${name}`, import.meta.url).pathname;
const codeOf = (work: () => unknown): ProblemCode | undefined => {
  try {
    work();
  } catch (error) {
    if (error instanceof KneepointError) return error.code;
    throw error;
  }
  return undefined;
};
const copies = (): string[] =>
  [tmpdir(), '/dev/shm'].flatMap((place) => readdirSync(place).filter((name) => name.startsWith('kneepoint-read-')));

/** A run with a sample in a closed library. */
function filled(): number {
  const store = openStore(dataDir);
  const run = firstRun(store);
  const bytes = Buffer.from('tps: 5\n');
  store.samples.ingest({
    runId: run,
    generator: 0,
    stream: 'stdout',
    offset: 0,
    bytes,
    samples: [{ t: 1, metrics: { tps: 5 } }],
  });
  store.close();
  return run;
}

function expectReadable(run: number, code: ProblemCode): void {
  const before = copies().length;
  const store = openStore(dataDir);
  expect(store.readOnly()?.code).toBe(code);
  expect(store.readOnly()?.safe).toMatch(/opened read-only/);
  expectSame('sessions', store.sessions.list(false).sessions.length, 1);
  expectSame('values of the samples', Array.from(store.samples.series(run, 'tps')[0]?.v ?? []), [5]);
  expect(codeOf(() => store.experiments.insert('a', '', 1))).toBe(code);
  store.close();
  expect(copies()).toHaveLength(before);
}

describe.skipIf(process.getuid?.() !== 0)('a read-only disk (needs root for the mount)', () => {
  beforeEach(() => {
    mkdirSync(dataDir, { mode: 0o700 });
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=6m,mode=0700', 'kneepoint-test', dataDir]);
  });
  afterEach(() => {
    execFileSync('umount', ['--lazy', dataDir]);
  });
  const makeReadOnly = () => execFileSync('mount', ['-o', 'remount,ro', dataDir]);
  const fill = (): void => {
    const ballast = join(dataDir, 'ballast');
    expect(() => writeFileSync(ballast, Buffer.alloc(16 * 1024 * 1024))).toThrow(/ENOSPC/);
  };
  /** The same library in format 4, which later versions migrate. */
  const makeOld = (): void => {
    const path = join(dataDir, LIBRARY_FILE);
    rmSync(path);
    const db = new Database(path);
    db.pragma('journal_mode = WAL');
    migrate(db, path, MIGRATIONS.slice(0, 4), 0);
    db.exec(`INSERT INTO session (uuid, name, state, experiment_text, context, tags, created_at)
        VALUES ('u', 'Old', 'done', '', '{}', '[]', 1);
      INSERT INTO run (session_id, trial, cell, repeat, levels, warmup, duration) VALUES (1, 0, 0, 0, '{}', 0, 1);
      INSERT INTO metric VALUES (1, 'tps');
      INSERT INTO feed (run_id, generator, kind, rows) VALUES (1, 0, 'samples', 1);
      INSERT INTO feed_metric (feed_id, metric_id, position) VALUES (1, 1, 0);
      INSERT INTO tail (feed_id, row, t, data) VALUES (1, 0, 1, x'01000000000000001440');`);
    db.close();
  };

  it('opens a library for reading', () => {
    const run = filled();
    makeReadOnly();
    expectReadable(run, 'read-only');
  });

  it.each([true, false])('opens commits that are only in the log (with shared memory: %s)', (shared) => {
    openStore(dataDir).close();
    const code = `
      import { openStore } from ${JSON.stringify(new URL('../open.ts', import.meta.url).href)};
      import { firstRun } from ${JSON.stringify(new URL('../testing/library.ts', import.meta.url).href)};
      const store = openStore(${JSON.stringify(dataDir)});
      const runId = firstRun(store);
      store.samples.ingest({ runId, generator: 0, stream: 'stdout', offset: 0, bytes: Buffer.from('x'), samples: [{ t: 1, metrics: { tps: 5 } }] });
      process.kill(process.pid, 'SIGKILL');`;
    spawnSync(process.execPath, ['--input-type=module', '-e', code], { stdio: 'inherit' });
    expect(readdirSync(dataDir)).toContain('library.db-wal');
    if (!shared) rmSync(join(dataDir, 'library.db-shm'));
    makeReadOnly();
    expectReadable(1, 'read-only');
  });

  it('opens a library for reading if it is full', () => {
    const run = filled();
    fill();
    expectReadable(run, 'disk-full');
    rmSync(join(dataDir, 'ballast'));
    const store = openStore(dataDir);
    expect(store.readOnly()).toBeUndefined();
    store.experiments.insert('a', '', 1);
    store.close();
  });

  it.each([
    ['read-only', makeReadOnly],
    ['disk-full', fill],
  ] as const)('migrates a copy of an old format and leaves the library unchanged (%s)', (code, block) => {
    openStore(dataDir).close();
    makeOld();
    const kept = join(folder.path, 'kept.db');
    copyFileSync(join(dataDir, LIBRARY_FILE), kept);
    block();
    expectReadable(1, code);
    execFileSync('cmp', [kept, join(dataDir, LIBRARY_FILE)]);
  });

  it('refuses to read a missing library', () => {
    makeReadOnly();
    expect(codeOf(() => openStore(dataDir))).toBe('read-only');
  });
});

describe('next to the process that holds the library', () => {
  let store: Store | undefined;
  afterEach(() => store?.close());

  it('commits are readable, writes are refused, and the process continues', async () => {
    filled();
    const child = spawn(process.execPath, [script('hold-process.ts'), dataDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const closed = once(child, 'close');
    await once(child.stdout, 'data');
    expect(codeOf(() => openStore(dataDir))).toBe('store-busy');
    store = openStore(dataDir, { shared: true });
    expect(store.readOnly()?.code).toBe('store-busy');
    expect(store.sessions.list(false).sessions).toHaveLength(1);
    expect(codeOf(() => store?.experiments.insert('a', '', 1))).toBe('store-busy');
    store.close();
    expect(codeOf(() => openStore(dataDir))).toBe('store-busy');
    child.kill('SIGKILL');
    await closed;
  });

  it('each commit is visible at once', () => {
    const holder = openStore(dataDir);
    store = openStore(dataDir, { shared: true });
    expect(store.sessions.list(false).sessions).toHaveLength(0);
    addRuns(holder);
    expect(store.sessions.list(false).sessions).toHaveLength(1);
    store.close();
    holder.close();
    expect(readdirSync(dataDir).sort()).toEqual(['library.db', 'lock.db']);
  });

  it('the library opens for writing if it is free', () => {
    store = openStore(dataDir, { shared: true });
    expect(store.readOnly()).toBeUndefined();
    store.experiments.insert('a', '', 1);
  });
});
