import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { integrity } from '../../../../scripts/test/integrity.ts';
import { expectSame, expectSameBytes } from '../../../../scripts/test/recorded.ts';
import { KneepointError, type Problem } from '../../../shared/model/problem.ts';
import { randomFrom } from '../../../shared/util/numbers.ts';
import { atDepth } from '../../../shared/util/testing/depth.ts';
import { pack } from './codec/column.ts';
import type { CheckResult } from './file/check.ts';
import { LIBRARY_FILE, openStore } from './open.ts';
import { damagePage } from './testing/damage.ts';
import { firstRun, temporaryFolder } from './testing/library.ts';
import { outputOf, parseLines, randomBatches } from './testing/output.ts';

let folder: ReturnType<typeof temporaryFolder>;
let dataDir: string;
beforeEach(() => {
  folder = temporaryFolder();
  dataDir = join(folder.path, 'data');
});
afterEach(() => folder.remove());

function problemFrom(work: () => unknown): Problem {
  try {
    work();
  } catch (error) {
    if (error instanceof KneepointError) return error.problem;
    throw error;
  }
  throw new Error('Nothing was thrown.');
}

const script = (name: string): string => new URL(`./testing/${name}`, import.meta.url).pathname;

/** Starts a script and kills it with SIGKILL after it has printed `lines` lines or finished. */
async function killAfter(name: string, args: string[], lines: number): Promise<string[]> {
  const child = spawn(process.execPath, [script(name), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  const seen: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    seen.push(line);
    if (seen.length === lines || line === 'done') child.kill('SIGKILL');
  }
  await closed;
  return seen;
}

describe('kill -9 in the middle of ingesting', () => {
  const KILLS = atDepth(20, 6);
  it(`${KILLS} times leaves only complete commits, and the rest continues to the last byte`, async () => {
    const lines = 6_000;
    const output = outputOf(lines);
    const parsed = parseLines(output.toString('latin1'));
    const first = openStore(dataDir);
    const run = firstRun(first);
    first.close();
    const random = randomFrom(20);
    for (let round = 0; round < KILLS; round += 1) {
      const seen = await killAfter(
        'ingest-process.ts',
        [dataDir, String(run), String(lines), String(round)],
        1 + Math.floor(random() * 4),
      );
      const acknowledged = Number(seen.at(-1) === 'done' ? output.length : seen.at(-1));
      const checked = Promise.withResolvers<CheckResult>();
      const store = openStore(dataDir, { onCheck: checked.resolve });
      const offset = store.samples.offset(run, 0, 'stdout');
      integrity('bytes that were acknowledged', () => expect(offset).toBeGreaterThanOrEqual(acknowledged));
      const raw = store.samples.raw(run, 0, 'stdout', 0, offset);
      expectSameBytes(raw, output.subarray(0, offset));
      const complete = parseLines(output.toString('latin1', 0, offset)).length;
      expectSame('samples', store.samples.count(run, 0), complete);
      expectSame(
        'values of the samples',
        Array.from(store.samples.series(run, 'tps')[0]?.v ?? []),
        parsed.slice(0, complete).map((row) => row.metrics.tps),
      );
      expect((await checked.promise).ok).toBe(true);
      store.close();
    }
    const last = openStore(dataDir);
    for (const batch of randomBatches(run, output, random, last.samples.offset(run, 0, 'stdout')))
      last.samples.ingest(batch);
    expectSame('samples', last.samples.count(run, 0), lines);
    last.close();
  });
});

describe('a second instance', () => {
  it('is refused with the process that holds the library', () => {
    const store = openStore(dataDir, { mode: 'desktop', now: () => 1_700_000_000_000 });
    const problem = problemFrom(() => openStore(dataDir));
    expect(problem.code).toBe('store-busy');
    expect(problem.message).toContain(`process ${process.pid} (desktop), since 2023-11-14T22:13:20.000Z`);
    store.close();
    openStore(dataDir).close();
  });

  it('in another process is refused until the first one is killed', async () => {
    const child = spawn(process.execPath, [script('hold-process.ts'), dataDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const closed = once(child, 'close');
    await once(child.stdout, 'data');
    expect(problemFrom(() => openStore(dataDir)).message).toContain(`process ${child.pid} (cli)`);
    child.kill('SIGKILL');
    await closed;
    const store = openStore(dataDir);
    expect(store.hosts.list()).toHaveLength(1);
    store.close();
  });
});

describe('foreign files', () => {
  it('of a later version are refused and not touched', () => {
    openStore(dataDir).close();
    const path = join(dataDir, LIBRARY_FILE);
    const db = new Database(path);
    db.pragma('user_version = 99');
    db.close();
    const before = { bytes: readFileSync(path), mtime: statSync(path).mtimeMs };
    const problem = problemFrom(() => openStore(dataDir));
    expect(problem.code).toBe('store-newer');
    expect(problem.message).toContain('its format is 99');
    expectSameBytes(readFileSync(path), before.bytes);
    expect(statSync(path).mtimeMs).toBe(before.mtime);
  });

  it.each([
    [
      'another program’s database',
      (path: string) => {
        const db = new Database(path);
        db.exec('CREATE TABLE theirs (x)');
        db.close();
      },
    ],
    ['no database at all', (path: string) => writeFileSync(path, 'Dear diary, '.repeat(1_000))],
  ])('%s is refused and not touched', (_, make) => {
    mkdirSync(dataDir);
    const path = join(dataDir, LIBRARY_FILE);
    make(path);
    const before = readFileSync(path);
    expect(problemFrom(() => openStore(dataDir)).code).toBe('store-corrupt');
    expectSameBytes(readFileSync(path), before);
  });
});

describe('damage', () => {
  function damagedLibrary(table: string): number {
    const store = openStore(dataDir);
    const run = firstRun(store);
    for (const batch of randomBatches(run, outputOf(5_000), randomFrom(1))) store.samples.ingest(batch);
    store.samples.seal(run);
    store.close();
    damagePage(join(dataDir, LIBRARY_FILE), table);
    return run;
  }

  it('is found after a crash, and stops all writing', async () => {
    damagedLibrary('chunk');
    writeFileSync(join(dataDir, 'holder.json'), '{"pid":1,"mode":"desktop","since":0}');
    const checked = Promise.withResolvers<CheckResult>();
    const store = openStore(dataDir, { onCheck: checked.resolve });
    expect(store.hosts.list()).toHaveLength(1);
    expect((await checked.promise).ok).toBe(false);
    expect(problemFrom(() => store.experiments.insert('a', '', 1)).code).toBe('store-corrupt');
    expect(store.hosts.list()).toHaveLength(1);
    store.close();
    expect(existsSync(join(dataDir, 'holder.json'))).toBe(true);
  });

  it('found while reading is reported and stops writing', () => {
    const run = damagedLibrary('chunk');
    const store = openStore(dataDir);
    expect(problemFrom(() => store.samples.series(run, 'tps')).code).toBe('store-corrupt');
    expect(problemFrom(() => store.experiments.insert('a', '', 1)).code).toBe('store-corrupt');
    store.close();
  });

  it('of a value that SQLite cannot detect is found by the digest', () => {
    const store = openStore(dataDir);
    const run = firstRun(store);
    const bytes = Buffer.from('tps: 100\n');
    store.samples.ingest({ runId: run, generator: 0, stream: 'stdout', offset: 0, bytes, samples: [] });
    store.samples.seal(run);
    store.close();
    const db = new Database(join(dataDir, LIBRARY_FILE));
    db.prepare('UPDATE raw SET data = ?').run(pack(Buffer.from('tps: 900\n')));
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    db.close();
    const again = openStore(dataDir);
    const problem = problemFrom(() => again.samples.seal(run));
    expect(problem).toMatchObject({ code: 'store-corrupt', run });
    again.experiments.insert('a', '', 1);
    again.close();
  });

  it('to the last commits in the write-ahead log reverts to an earlier commit, and the rest is fetched again', async () => {
    const output = outputOf(6_000);
    const store = openStore(dataDir);
    const run = firstRun(store);
    store.close();
    await killAfter('ingest-process.ts', [dataDir, String(run), '6000', '3'], 5);
    const wal = join(dataDir, `${LIBRARY_FILE}-wal`);
    truncateSync(wal, Math.floor(statSync(wal).size * 0.6));
    const after = openStore(dataDir);
    const offset = after.samples.offset(run, 0, 'stdout');
    expectSameBytes(after.samples.raw(run, 0, 'stdout', 0, offset), output.subarray(0, offset));
    const complete = parseLines(output.toString('latin1', 0, offset)).length;
    expectSame('samples', after.samples.count(run, 0), complete);
    after.close();
  });
});

describe.skipIf(process.getuid?.() !== 0)('a small disk (needs root for the mount)', () => {
  beforeEach(() => {
    mkdirSync(dataDir);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m,mode=0700', 'kneepoint-test', dataDir]);
  });
  afterEach(() => {
    // A cancelled check may still have the library open for a moment.
    execFileSync('umount', ['--lazy', dataDir]);
  });

  it('that fills up stops storing, and the same connection continues when there is space', () => {
    const ballast = join(dataDir, 'ballast');
    writeFileSync(ballast, Buffer.alloc(2 * 1024 * 1024));
    const store = openStore(dataDir);
    const run = firstRun(store);
    const random = randomFrom(8);
    const output = Buffer.from(Array.from({ length: 8_000_000 }, () => Math.floor(random() * 256)));
    const ingest = (offset: number): void => {
      store.samples.ingest({
        runId: run,
        generator: 0,
        stream: 'stdout',
        offset,
        bytes: output.subarray(offset, offset + 30_000),
        samples: [{ t: offset, metrics: { tps: offset } }],
      });
    };
    let offset = 0;
    const problem = problemFrom(() => {
      for (; offset < output.length; offset += 30_000) ingest(offset);
    });
    expect(problem.code).toBe('disk-full');
    expect(offset).toBeGreaterThan(0);
    expectSame('where to resume', store.samples.offset(run, 0, 'stdout'), offset);
    expectSameBytes(store.samples.raw(run, 0, 'stdout', 0, offset), output.subarray(0, offset));
    expect(problemFrom(() => ingest(offset)).code).toBe('disk-full');
    rmSync(ballast);
    ingest(offset);
    ingest(offset + 30_000);
    expectSame('samples', store.samples.count(run, 0), (offset + 60_000) / 30_000);
    store.close();
    const again = openStore(dataDir);
    expectSameBytes(again.samples.raw(run, 0, 'stdout', 0, offset + 60_000), output.subarray(0, offset + 60_000));
    again.close();
  });

  it.each([0, 4, 8, 16, 32, 48])('with %s KiB left at the start is reported, and opens when there is space', (left) => {
    openStore(dataDir).close();
    const [ballast, rest] = [join(dataDir, 'ballast'), join(dataDir, 'rest')];
    if (left > 0) writeFileSync(rest, Buffer.alloc(left * 1024));
    expect(() => writeFileSync(ballast, Buffer.alloc(8 * 1024 * 1024))).toThrow(/ENOSPC/);
    rmSync(rest, { force: true });
    const problem = problemFrom(() => {
      const store = openStore(dataDir);
      try {
        for (let at = 0; at < 20; at += 1) store.experiments.insert(`${at}`, 'x'.repeat(10_000), 1);
      } finally {
        store.close();
      }
    });
    expect(problem.code).toBe('disk-full');
    rmSync(ballast);
    const store = openStore(dataDir);
    expect(store.hosts.list()).toHaveLength(1);
    store.close();
  });
});
