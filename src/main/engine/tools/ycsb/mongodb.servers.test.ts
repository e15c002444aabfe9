import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Db, MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { lacksGo, makeCertificates, startFerretDb } from '../../../../../e2e/testbed/databases/index.ts';
import { hasCompiler, ycsbWith } from '../../../../../e2e/testbed/ycsb/index.ts';
import { expectSame } from '../../../../../scripts/test/recorded.ts';
import type { ConnectionFacts } from '../../../../shared/model/target.ts';
import { atNight, byDay, NIGHT } from '../../../../shared/util/testing/depth.ts';
import { perform } from '../testing/perform.ts';
import { ycsbTool } from './index.ts';
import { YcsbOptions } from './options/index.ts';
import { type Bench, ycsbBench } from './testing/bench.ts';
import { readOutput } from './testing/recordings.ts';

// Each test starts several JVMs, which share two processors with those of other tests.
vi.setConfig({ testTimeout: 600_000 });

/** The first test on a machine builds its program. */
const BUILD_LIMIT = 900_000;
const RECORDS = 200;
/** Operations per second that leave processors for others. Operations end a run rather than time, so a busy computer only takes longer. */
const CALM = { target: 200, operationcount: 300 };
/** Findings about a busy machine (late lines) are allowed; unread lines are not. */
const FINE = { ok: true, unparsed: [] };

type Server = Awaited<ReturnType<typeof startFerretDb>>;
const factsOf = ({ address, port, user, password, database }: Server): ConnectionFacts => ({
  kind: 'mongodb',
  url: `mongodb://${address}:${port}/`,
  host: address,
  port,
  user,
  authSource: 'admin',
  password,
  database,
  tls: 'disabled',
});

// With CI=true nothing may be skipped: a missing compiler or Go fails the tests.
const absent = (!hasCompiler() || lacksGo()) && process.env.CI !== 'true';
describe.skipIf(absent)('YCSB on FerretDB (skipped where there is no Java compiler or no Go)', () => {
  let folder = '';
  let directory = '';
  let server: Server;
  let bench: Bench;
  const base = { binding: 'mongodb', recordcount: RECORDS, threads: 2, 'load-threads': 2, fieldcount: 3 };
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kneepoint-ycsb-'));
    directory = await ycsbWith('mongodb');
    server = await startFerretDb();
    bench = ycsbBench(folder, { directory, ...base }, () => factsOf(server));
  }, BUILD_LIMIT);
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function asked<Answer>(question: (database: Db) => Promise<Answer>): Promise<Answer> {
    const client = new MongoClient(server.uri);
    try {
      return await question(client.db(server.database));
    } finally {
      await client.close();
    }
  }
  const documents = (): Promise<number | undefined> =>
    asked(async (database) => {
      const found = await database.listCollections({ name: 'usertable' }).toArray();
      return found.length === 0 ? undefined : await database.collection('usertable').countDocuments();
    });
  const drop = (): Promise<boolean> => asked((database) => database.dropCollection('usertable'));

  /** The binding prints its URL, which contains the password. */
  function expectDiscreet({ printed }: { printed: string }): void {
    expect(printed).toContain('mongo client connection created with mongodb://127.0.0.1');
    expect(printed).not.toContain(server.password);
  }

  it('loads its data, runs read-only and update workloads on it, and drops it, without revealing its password', async () => {
    const { planned, done } = bench;
    const { prepare, cleanup } = planned({});
    const loaded = await done(prepare, 'prepare');
    expect(loaded).toMatchObject({ ...FINE, summary: { insert_return_ok_total: RECORDS } });
    expectDiscreet(loaded);
    const need = ycsbTool.data?.(YcsbOptions.parse({ directory, ...base }), 'mongodb');
    expect(need?.tables).toEqual([{ name: 'usertable', rows: RECORDS }]);
    expectSame('documents', await documents(), RECORDS);
    const kinds = { A: ['read', 'update'], B: ['read'], C: ['read'], F: ['read', 'rmw'] };
    // In daily runs, each kind of operation once.
    const tried = byDay(Object.entries(kinds), ([workload]) => workload === 'A' || workload === 'F');
    const runs = tried.map(async ([workload, expected]) => {
      // Run concurrently, each in its own folder, so that they do not interfere.
      const own = join(folder, workload);
      mkdirSync(own);
      const options = { workload, ...CALM };
      const { summary, samples, findings, ...rest } = await done(planned(options).run, 'run', options, own);
      expect(rest, workload).toMatchObject(FINE);
      expectDiscreet(rest);
      expect(samples.length).toBeGreaterThan(0);
      for (const kind of expected) expect(summary[`${kind}_operations_total`], workload).toBeGreaterThan(0);
      expect(findings).toContainEqual({
        code: 'ycsb-installation',
        severity: 'note',
        message: `YCSB 0.17.0 from ${directory}, with the bindings basic, mongodb.`,
      });
    });
    await Promise.all(runs);
    expectSame('documents', await documents(), RECORDS);
    expect((await done(prepare, 'prepare')).reason?.code).toBe('duplicate-key');
    expect(await done(cleanup, 'cleanup')).toMatchObject(FINE);
    expect(await documents()).toBeUndefined();
    expect((await done(planned({ workload: 'A', operationcount: 50 }).run, 'run')).reason?.code).toBe(
      'records-missing',
    );
    // On this server, an update without matches leaves an empty collection.
    await drop();
  });

  // In daily runs, databases.servers.test.ts covers this with tables.
  if (NIGHT)
    it('starts each run that adds records with a new collection', async () => {
      const { planned, done } = bench;
      const { prepare } = planned({ workload: 'D' });
      expect(await done(prepare, 'prepare', { workload: 'D' })).toMatchObject(FINE);
      expect(await documents()).toBe(0);
      expect((await done(prepare, 'prepare', { workload: 'D' })).reason?.code).toBe('table-exists');
      for (const [workload, kind] of [
        ['D', 'read'],
        ['E', 'scan'],
      ]) {
        const options = { workload, maxscanlength: 5, ...CALM };
        const { summary, ...rest } = await done(planned(options).run, 'run', options);
        expect(rest, workload).toMatchObject(FINE);
        expect(summary[`${kind}_return_ok_total`]).toBeGreaterThan(0);
        const inserted = summary.insert_return_ok_total ?? Number.NaN;
        expectSame('documents', await documents(), RECORDS + inserted);
      }
      await drop();
    });

  atNight(it)('loads a range of keys from each of several generators', async () => {
    const { planned, runOfPart, done } = bench;
    const options = { phase: 'load', recordcount: 301, threads: 2 };
    await done(planned(options).prepare, 'prepare', options);
    const loads = [0, 1].map(async (index) => {
      const own = join(folder, `part-${index}`);
      mkdirSync(own);
      return await done(runOfPart(options, { index, count: 2 }), 'run', options, own);
    });
    const read = await Promise.all(loads);
    for (const each of read) expect(each).toMatchObject(FINE);
    expect(read.map(({ summary }) => summary.insert_return_ok_total)).toEqual([151, 150]);
    expectSame('documents', await documents(), 301);
    await drop();
  });

  const refusals = [
    ['auth-failed', { password: 'wrong' }],
    ['connection-refused', { url: 'mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=1000' }],
  ] as const;
  it.each(byDay<(typeof refusals)[number]>(refusals, ([code]) => code === 'auth-failed'))(
    'reports %s',
    async (code, change) => {
      const { prepare, cleanup } = bench.planned({}, change);
      expect((await bench.done(prepare, 'prepare')).reason?.code).toBe(code);
      if (NIGHT) expect((await bench.done(cleanup, 'cleanup')).reason?.code).toBe(code);
    },
  );

  // In daily runs, real.servers.test.ts covers this without a server.
  if (NIGHT)
    it('ends with its client when it is stopped, and reports that', async () => {
      const ended = await perform(bench.planned({ workload: 'C', target: 200 }, {}, 600).run, folder, {
        watch: ({ stderr }, kill) => {
          // A busy machine may omit the line of the first second.
          if (/ [1-9]\d* sec: /.test(stderr)) kill('SIGTERM');
        },
      });
      const { ok, samples } = readOutput(ended.stdout, ended.stderr, { exit: ended.exit });
      expect(ok).toBe(false);
      expect(samples.length).toBeGreaterThan(0);
      expect(ended.exit).toEqual({ code: 143 });
    });

  it('needs a JDK to drop a collection, and reports that', async () => {
    const runtime = join(folder, 'java');
    // A runtime without a compiler reads a source file as the name of a class.
    writeFileSync(runtime, '#!/bin/sh\necho "Error: Could not find or load main class" >&2\nexit 1\n', { mode: 0o700 });
    const { cleanup } = bench.planned({ java: runtime });
    expect((await bench.done(cleanup, 'cleanup')).findings.map(({ code }) => code)).toContain('jdk-missing');
  });

  atNight(it)('checks the certificate of the server with the CA file of the target', async () => {
    const encrypted = await startFerretDb({ tls: true });
    const { caFile = '' } = encrypted.tls ?? {};
    const change = { ...factsOf(encrypted), tls: 'verify' as const };
    try {
      const { prepare, run } = bench.planned({ workload: 'C', operationcount: 100 }, { ...change, caFile });
      expect(await bench.done(prepare, 'prepare')).toMatchObject(FINE);
      if (NIGHT) expect((await bench.done(run, 'run')).summary.read_return_ok_total).toBe(100);
      const { caFile: stranger } = makeCertificates(folder, ['127.0.0.1']);
      // The driver would retry for half a minute; a busy machine takes seconds for the first attempt.
      const url = `${change.url}?serverSelectionTimeoutMS=12000`;
      const { prepare: distrusting } = bench.planned({}, { ...change, url, caFile: stranger });
      expect((await bench.done(distrusting, 'prepare')).reason?.code).toBe('tls-failed');
    } finally {
      await encrypted.stop();
    }
  });
});
