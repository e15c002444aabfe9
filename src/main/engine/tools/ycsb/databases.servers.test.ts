import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type DatabaseOptions,
  type DatabaseServer,
  runSql,
  startMariaDb,
  startMySql8,
  startPostgres,
} from '../../../../../e2e/testbed/databases/index.ts';
import { hasCompiler, ycsbWith } from '../../../../../e2e/testbed/ycsb/index.ts';
import { expectSame } from '../../../../../scripts/test/recorded.ts';
import { atDepth, atNight, byDay } from '../../../../shared/util/testing/depth.ts';
import { perform } from '../testing/perform.ts';
import { type Bench, ycsbBench } from './testing/bench.ts';
import { readOutput } from './testing/recordings.ts';

// Each test starts several JVMs, which share two processors with those of other tests.
vi.setConfig({ testTimeout: 600_000 });

/** A busy disk would stall commits, which are not tested here. */
const LAX_MYSQL = { innodb_flush_log_at_trx_commit: 0, sync_binlog: 0 };
const SERVERS: Record<string, { start: () => Promise<DatabaseServer>; driver: string }> = {
  'MariaDB with its own driver': { start: () => startMariaDb(lax(LAX_MYSQL)), driver: 'mariadb' },
  'MySQL with Connector/J': { start: () => startMySql8(lax(LAX_MYSQL)), driver: 'auto' },
  PostgreSQL: { start: () => startPostgres(lax({ fsync: 'off' })), driver: 'auto' },
};
const lax = (settings: NonNullable<DatabaseOptions['settings']>): DatabaseOptions => ({ tls: true, settings });

const RECORDS = 200;
/** Operations per second that leave processors for others. Operations end a run rather than time, so a busy computer only takes longer. */
const CALM = { target: 200, operationcount: 300 };
/** Findings about a busy machine (late lines) are allowed; unread lines are not. */
const FINE = { ok: true, unparsed: [] };

// With CI=true nothing may be skipped: a missing compiler fails the tests. The servers run concurrently, since most of each run is waiting.
const here = describe.skipIf(!hasCompiler() && process.env.CI !== 'true').concurrent;
// In daily runs, MariaDB's driver is covered by several-data.test.ts.
const servers = byDay(Object.entries(SERVERS), ([name]) => name === 'PostgreSQL');
here.each(servers)('on %s (skipped where there is no Java compiler)', (_, { start, driver }) => {
  describe('one after the other', { concurrent: false }, () => {
    let folder = '';
    let directory = '';
    let server: DatabaseServer;
    let bench: Bench;
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'kneepoint-ycsb-'));
      directory = await ycsbWith('jdbc');
      server = await start();
      const kind = server.product === 'postgres' ? ('postgres' as const) : ('mysql' as const);
      const base = { binding: 'jdbc', 'jdbc-driver': driver, recordcount: RECORDS, threads: 2, 'load-threads': 2 };
      bench = ycsbBench(folder, { directory, ...base }, () => {
        const { address, port, user, password, database } = server;
        return { kind, host: address, port, user, password, database, tls: 'disabled' };
      });
    });
    afterAll(async () => {
      await server?.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    const A = { workload: 'A', fieldcount: 3, fieldlength: 20 };
    it('prepares and runs', async () => {
      const { planned, done } = bench;
      const { prepare, run } = planned({ ...A, ...CALM });
      expect(await done(prepare, 'prepare')).toMatchObject({
        ok: true,
        unparsed: [],
        summary: { insert_return_ok_total: RECORDS },
      });
      const { summary, samples, ...rest } = await done(run, 'run');
      expect(rest).toMatchObject(FINE);
      expect(summary.read_return_ok_total).toBeGreaterThan(0);
      expect(summary.update_return_ok_total).toBeGreaterThan(0);
      expect(samples.length).toBeGreaterThan(0);
      // A second prepare finds the existing table, and leaves it unchanged.
      expect((await done(prepare, 'prepare')).reason?.code).toBe('table-exists');
    });

    it('distinguishes a server that dies from a quick one', async () => {
      // Ten seconds: even if a busy machine checks late, it is still running.
      const { run } = bench.planned({ ...A, target: 200, operationcount: 2000 });
      let killed = false;
      const ended = await perform(run, folder, {
        watch: ({ stderr }) => {
          // A line with operations: every thread is connected.
          if (killed || !/ sec: [1-9]\d* operations/.test(stderr)) return;
          killed = true;
          process.kill(server.pid(), 'SIGKILL');
        },
      });
      const { ok, reason, summary } = readOutput(ended.stdout, ended.stderr, { exit: ended.exit });
      expect(ended.exit).toEqual({ code: 0 });
      expect(ok).toBe(false);
      expect(reason?.code).toBe('connection-lost');
      expect(summary.operations_failed_total).toBeGreaterThan(0);
      await server.restart();
    });

    it('cleans up, also twice, and then has no table to run on', async () => {
      const { planned, done } = bench;
      const { run, cleanup } = planned({ ...A, ...CALM });
      expect(await done(cleanup, 'cleanup')).toMatchObject(FINE);
      expect(await done(cleanup, 'cleanup')).toMatchObject({ ok: true });
      expect((await done(run, 'run')).reason?.code).toBe('table-missing');
    });

    atNight(it)('runs workloads that add records repeatedly', async () => {
      const { planned, done } = bench;
      const options = { workload: 'E', maxscanlength: 5, ...CALM };
      const { prepare, run } = planned(options, { tls: 'required' });
      expect(await done(prepare, 'prepare', options)).toMatchObject(FINE);
      for (let repeat = 0; repeat < atDepth(2, 1); repeat += 1) {
        const { summary, ...rest } = await done(run, 'run', options);
        expect(rest).toMatchObject(FINE);
        expect(summary.scan_return_ok_total).toBeGreaterThan(0);
      }
      await runSql(server, ['DROP TABLE usertable']);
    });

    atNight(it)('measures a load', async () => {
      const { planned, done } = bench;
      const options = { phase: 'load', recordcount: 500, target: 200 };
      const { run } = planned(options, {}, 600);
      const { samples, summary, ...rest } = await done(run, 'run', options);
      expect(rest).toMatchObject(FINE);
      // Threads connect in the first of these seconds.
      expect(samples.some(({ metrics }) => (metrics.ops_insert ?? 0) > 0)).toBe(true);
      expectSame('records', summary.insert_return_ok_total, 500);
      await runSql(server, ['DROP TABLE usertable']);
    });

    const refusals = [
      ['auth-failed', { password: 'wrong' }],
      ['connection-refused', { port: 1 }],
      ['database-missing', { database: 'nosuch' }],
    ] as const;
    it.each(byDay<(typeof refusals)[number]>(refusals, ([code]) => code === 'auth-failed'))(
      'reports %s',
      async (code, change) => {
        const { prepare, run } = bench.planned({}, change);
        const reasons = [
          (await bench.done(prepare, 'prepare')).reason?.code,
          (await bench.done(run, 'run')).reason?.code,
        ];
        // MySQL does not reveal to an unauthorized user whether a database exists, nor does Connector/J report why it found no server.
        const less = { 'database-missing': 'database-access-denied', 'connection-refused': 'connection-failed' };
        const allowed = [code, code === 'auth-failed' ? code : less[code]];
        for (const reason of reasons) expect(allowed).toContain(reason);
      },
    );

    it('reports a missing driver', async () => {
      const core = join(folder, 'bare');
      cpSync(directory, core, { recursive: true, filter: (path) => !/connector|mariadb-java|postgresql-/.test(path) });
      const { prepare, run } = bench.planned({ directory: core });
      expect((await bench.done(prepare, 'prepare')).reason?.code).toBe('driver-missing');
      expect((await bench.done(run, 'run')).reason?.code).toBe('driver-missing');
    });
  });
});
