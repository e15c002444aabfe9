import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type DatabaseServer,
  startMariaDb,
  startMySql8,
  startPostgres,
} from '../../../../../e2e/testbed/databases/index.ts';
import { hasCompiler, ycsbWithJdbc } from '../../../../../e2e/testbed/ycsb/index.ts';
import type { ConnectionFacts } from '../../../../shared/model/target.ts';
import { perform } from '../testing/perform.ts';
import type { Read } from '../testing/recordings.ts';
import type { Step, ToolPlan } from '../tool.ts';
import { ycsbTool } from './index.ts';
import { YcsbOptions } from './options.ts';
import { readOutput } from './recordings.ts';

const SERVERS = {
  'MariaDB with its own driver': { start: startMariaDb, driver: 'mariadb' },
  'MySQL with Connector/J': { start: startMySql8, driver: 'auto' },
  PostgreSQL: { start: startPostgres, driver: 'auto' },
} as const;
const RECORDS = 500;
/** A busy machine may be told of (late lines); nothing may be left unread. */
const FINE = { ok: true, unparsed: [] };

// Where nothing may be left out, its absence is a failure.
const here = describe.skipIf(!hasCompiler() && process.env.CI !== 'true');
here.each(Object.entries(SERVERS))('on %s (skipped where there is no Java compiler)', (_, { start, driver }) => {
  let folder = '';
  let directory = '';
  let server: DatabaseServer;
  beforeAll(async () => {
    directory = await ycsbWithJdbc();
    server = await start({ tls: true });
  });
  afterAll(() => server.stop());
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'kneepoint-ycsb-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function planned(options: Record<string, unknown>, change: Partial<ConnectionFacts> = {}, duration = 4): ToolPlan {
    const { address, port, user, password, database, product } = server;
    const kind = product === 'postgres' ? ('postgres' as const) : ('mysql' as const);
    const connection = { kind, host: address, port, user, password, database, tls: 'disabled' as const, ...change };
    const base = {
      directory,
      binding: 'jdbc',
      'jdbc-driver': driver,
      recordcount: RECORDS,
      threads: 2,
      'load-threads': 2,
    };
    const parsed = YcsbOptions.parse({ ...base, ...options });
    const place = { nodePath: process.execPath, assetsDir: folder };
    return ycsbTool.plan({ options: parsed, connection, warmup: 0, duration, seed: 1, ...place });
  }
  async function done(step: Step | undefined, kind: 'prepare' | 'run' | 'cleanup', more = {}): Promise<Read> {
    if (!step) throw new Error('no such step');
    const { stdout, stderr, exit } = await perform(step, folder);
    const options = { recordcount: RECORDS, binding: 'jdbc', ...more };
    return readOutput(stdout, stderr, { step: kind, exit, options });
  }

  it('prepares, runs and cleans up', async () => {
    const { prepare, run, cleanup } = planned({ workload: 'A', fieldcount: 3, fieldlength: 20 });
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
    // A second prepare meets the table that is there, and leaves it alone.
    expect((await done(prepare, 'prepare')).reason?.code).toBe('table-exists');
    expect(await done(cleanup, 'cleanup')).toMatchObject(FINE);
    expect(await done(cleanup, 'cleanup')).toMatchObject({ ok: true });
    expect((await done(run, 'run')).reason?.code).toBe('table-missing');
  });

  it('runs workloads that add records again and again', async () => {
    const { prepare, run, cleanup } = planned({ workload: 'E', maxscanlength: 5 }, { tls: 'required' });
    expect(await done(prepare, 'prepare', { workload: 'E' })).toMatchObject(FINE);
    for (let repeat = 0; repeat < 2; repeat += 1) {
      const { summary, ...rest } = await done(run, 'run', { workload: 'E' });
      expect(rest).toMatchObject(FINE);
      expect(summary.scan_return_ok_total).toBeGreaterThan(0);
    }
    expect(await done(cleanup, 'cleanup')).toMatchObject({ ok: true });
  });

  it('measures a load', async () => {
    const { run, cleanup } = planned({ phase: 'load', recordcount: 1_000_000 });
    const { samples, summary, ...rest } = await done(run, 'run', { phase: 'load' });
    expect(rest).toMatchObject(FINE);
    // Threads connect in the first of these seconds.
    expect(samples.some(({ metrics }) => (metrics.ops_insert ?? 0) > 0)).toBe(true);
    expect(summary.insert_return_ok_total).toBeGreaterThan(0);
    await done(cleanup, 'cleanup');
  });

  it.each([
    ['auth-failed', { password: 'wrong' }],
    ['connection-refused', { port: 1 }],
    ['database-missing', { database: 'nosuch' }],
  ] as const)('tells %s apart', async (code, change) => {
    const { prepare, run } = planned({}, change);
    const reasons = [(await done(prepare, 'prepare')).reason?.code, (await done(run, 'run')).reason?.code];
    // MySQL does not tell a stranger which databases there are not, and Connector/J not why it found no server.
    const less = { 'database-missing': 'database-access-denied', 'connection-refused': 'connection-failed' };
    const allowed = [code, code === 'auth-failed' ? code : less[code]];
    for (const reason of reasons) expect(allowed).toContain(reason);
  });

  it('tells a server that dies in the middle from a quick one', async () => {
    const { prepare, run } = planned({ workload: 'A', target: 200 }, {}, 10);
    await done(prepare, 'prepare');
    let killed = false;
    const ended = await perform(run, folder, {
      watch: ({ stderr }) => {
        // Two lines with operations: every thread is connected.
        if (killed || (stderr.match(/ sec: [1-9]\d* operations/g) ?? []).length < 2) return;
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
    await done(planned({}).cleanup, 'cleanup');
  });

  it('misses a driver that is not there', async () => {
    const core = join(folder, 'bare');
    cpSync(directory, core, { recursive: true, filter: (path) => !/connector|mariadb-java|postgresql-/.test(path) });
    const { prepare, run } = planned({ directory: core });
    expect((await done(prepare, 'prepare')).reason?.code).toBe('driver-missing');
    expect((await done(run, 'run')).reason?.code).toBe('driver-missing');
  });
});
