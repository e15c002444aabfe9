import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type DatabaseServer,
  freePort,
  runSql,
  startMariaDb,
  startMySql8,
  startPostgres,
} from '../../../../../e2e/testbed/databases/index.ts';
import type { ConnectionFacts } from '../../../../shared/model/target.ts';
import { byDay } from '../../../../shared/util/testing/depth.ts';
import { perform } from '../testing/perform.ts';
import { outputReader } from '../testing/recordings.ts';
import { startRelay } from '../testing/relay.ts';
import type { Command, ToolPlan } from '../tool.ts';
import { queriesTool } from './index.ts';
import { QueryOptions } from './options.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kneepoint-queries-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ROOT = join(import.meta.dirname, '../../../../..');
type Options = Record<string, unknown>;
const readOutput = outputReader(queriesTool);

const factsOf = (server: DatabaseServer, changes: Partial<ConnectionFacts> = {}): ConnectionFacts => ({
  kind: server.product === 'postgres' ? 'postgres' : 'mysql',
  host: server.address,
  port: server.port,
  user: server.user,
  password: server.password,
  database: server.database,
  tls: 'preferred',
  ...changes,
});

function planned(connection: ConnectionFacts, options: Options, duration = 600): ToolPlan {
  const place = { nodePath: process.execPath, assetsDir: ROOT };
  return queriesTool.plan({ options: QueryOptions.parse(options), connection, warmup: 0, duration, seed: 1, ...place });
}
async function run(command: Command, options: Options, how?: Parameters<typeof perform>[2]) {
  const { stdout, stderr, exit } = await perform(command, folder, how);
  expect(stderr).toBe('');
  return { ...readOutput(stdout, stderr, { options, exit }), stdout };
}

const STARTS = { MariaDB: startMariaDb, 'MySQL 8': startMySql8, PostgreSQL: startPostgres } as const;

const NAMES = byDay(Object.keys(STARTS) as (keyof typeof STARTS)[], (name) => name === 'PostgreSQL');

describe.each(NAMES)('queries to %s', (name) => {
  let server: DatabaseServer;
  beforeAll(async () => {
    server = await STARTS[name]();
    await runSql(server, [
      'CREATE TABLE pages (id INT PRIMARY KEY, body VARCHAR(40))',
      "INSERT INTO pages VALUES (1, 'one'), (2, 'two'), (3, NULL), (4, ''), (5, 'five')",
    ]);
  }, 120_000);
  afterAll(() => server?.stop());
  const measured = async (options: Options, duration?: number, how?: Parameters<typeof perform>[2]) =>
    run(planned(factsOf(server), options, duration).run, options, how);
  const left = async (table: string): Promise<boolean> =>
    runSql(server, [`SELECT 1 FROM ${table}`]).then(
      () => true,
      () => false,
    );

  it('are timed between set-up and tear-down, with plan and facts', async () => {
    const queries = `-- @set-up
CREATE TABLE extra (id INT)
-- @tear-down
DROP TABLE extra
-- @variant join
-- @set-up
INSERT INTO extra VALUES (1); INSERT INTO extra VALUES (2)
-- @statement
SELECT pages.id, body FROM pages JOIN extra ON pages.id {{operator}} extra.id ORDER BY 1
-- @facts tables
SELECT table_name, 'x' AS two FROM information_schema.tables WHERE table_name IN ('pages', 'extra') ORDER BY 1
`;
    const read = await measured({ queries, values: 'operator = =', executions: 4 });
    expect(read).toMatchObject({ ok: true, unparsed: [] });
    expect(read.samples).toHaveLength(4);
    for (const { t, metrics } of read.samples) {
      expect(t).toBeGreaterThan(0);
      expect(metrics.latency_avg_ms).toBeGreaterThan(0);
    }
    const times = read.samples.map(({ metrics }) => metrics.latency_avg_ms ?? Number.NaN);
    expect(read.summary).toMatchObject({
      result_rows: 2,
      executions_total: 4,
      latency_min_ms: Math.min(...times),
      latency_max_ms: Math.max(...times),
      result_checksum: expect.any(Number),
    });
    expect(read.findings.map(({ code }) => code)).toEqual(['query-plan', 'query-facts']);
    const [plan, facts] = read.findings;
    expect(plan?.evidence).toMatch(/pages/);
    expect(facts?.message).toBe('Facts: tables.');
    expect(facts?.evidence?.toLowerCase().replaceAll(/ +/g, ' ')).toBe('table_name two\nextra x\npages x');
    expect(await left('extra')).toBe(false);
  });

  // The rest depends on the driver and the program rather than the server: test it once per driver.
  if (name === 'MySQL 8') return;

  it('match the first variant or have no result', async () => {
    const queries = `-- @variant all
SELECT id, body FROM pages
-- @variant backwards
SELECT id, body FROM pages ORDER BY id DESC
-- @variant fewer
SELECT id, body FROM pages WHERE id < 5
-- @variant other
SELECT id, CASE WHEN body IS NULL THEN '' ELSE body END FROM pages
`;
    const verdict = async (variant: string, more: Options = {}) => {
      const { ok, reason, summary } = await measured({
        queries,
        variant,
        executions: 1,
        'server-plan': 'none',
        ...more,
      });
      return { code: ok ? 'ok' : reason?.code, rows: summary.result_rows, message: reason?.message };
    };
    expect(await verdict('all')).toMatchObject({ code: 'ok', rows: 5 });
    expect(await verdict('backwards')).toMatchObject({ code: 'ok', rows: 5 });
    expect(await verdict('backwards', { 'row-order': 'kept' })).toMatchObject({ code: 'results-differ' });
    expect(await verdict('fewer')).toMatchObject({
      code: 'results-differ',
      message: expect.stringContaining('4 rows vs. 5 rows'),
    });
    expect(await verdict('fewer', { agreement: 'none' })).toMatchObject({ code: 'ok', rows: 4 });
    // NULL and an empty text are different values.
    expect(await verdict('other')).toMatchObject({ code: 'results-differ' });
    expect(await verdict('other', { agreement: 'rows' })).toMatchObject({ code: 'ok' });
  });

  it('run as concurrent streams, with figures of each query and each stream', async () => {
    const sleep = name === 'PostgreSQL' ? 'SELECT pg_sleep(0.3)' : 'SELECT SLEEP(0.3)';
    const queries = `-- @set-up
CREATE TABLE extra (id INT)
-- @tear-down
DROP TABLE extra
-- @variant sleep
${sleep}
-- @variant pages
SELECT id, body FROM pages
-- @variant none
SELECT id FROM extra
`;
    const { ok, summary, samples, findings, unparsed } = await measured({ queries, streams: 4 });
    expect([ok, unparsed, samples.length]).toEqual([true, [], 12]);
    expect(summary).toMatchObject({ executions_total: 12, result_rows: 6 });
    const streams = [1, 2, 3, 4].map((stream) => summary[`stream_${stream}_took_s`] ?? Number.NaN);
    const took = summary.took_s ?? Number.NaN;
    expect(Math.max(...streams)).toBeLessThanOrEqual(took + 0.01);
    // One after the other, they would take as long as all of them together.
    expect(streams.reduce((sum, seconds) => sum + seconds, 0)).toBeGreaterThan(1.5 * took);
    expect(summary.queries_per_h).toBeCloseTo((3600 * 12) / took, 3);
    expect(summary['query:sleep:_latency_min_ms']).toBeGreaterThanOrEqual(299);
    expect(summary['query:pages:_latency_max_ms']).toBeGreaterThan(0);
    expect(findings.map(({ code }) => code)).toEqual(['query-plan', 'query-plan', 'query-plan', 'query-streams']);
    expect(await left('extra')).toBe(false);
    const clients = await measured({
      queries: 'SELECT id FROM pages',
      clients: 3,
      executions: 5,
      'server-plan': 'none',
    });
    expect(clients).toMatchObject({ ok: true, findings: [], summary: { executions_total: 15, result_rows: 5 } });
  });

  it('prepare and clean up the data of the session', async () => {
    const options = {
      queries: '-- @prepare\nCREATE TABLE made (id INT)\n-- @clean-up\nDROP TABLE made\n-- @variant v\nSELECT 1',
    };
    const { prepare, cleanup } = planned(factsOf(server), options);
    const done = async (command: Command | undefined, kind: 'prepare' | 'cleanup') => {
      const { stdout, exit } = await perform(command as Command, folder);
      return readOutput(stdout, '', { phase: kind, exit }).reason?.code ?? 'ok';
    };
    // Data is cleared before it is created again; at the first start there is none.
    expect(await done(cleanup, 'cleanup')).toBe('ok');
    expect(await done(prepare, 'prepare')).toBe('ok');
    expect(await left('made')).toBe(true);
    expect(await done(prepare, 'prepare')).toBe('statement-failed');
    expect(await done(cleanup, 'cleanup')).toBe('ok');
    expect(await left('made')).toBe(false);
    const wrong = planned(factsOf(server), { queries: '-- @clean-up\nDROP NOTHING\n-- @variant v\nSELECT 1' });
    expect(await done(wrong.cleanup, 'cleanup')).toBe('syntax-error');
  });

  it('end with the time of the experiment, between executions', async () => {
    const sleep = name === 'PostgreSQL' ? 'SELECT pg_sleep(0.3)' : 'SELECT SLEEP(0.3)';
    const read = await measured({ queries: sleep, executions: 1000, discard: 0, 'server-plan': 'none' }, 1);
    expect(read).toMatchObject({ ok: true, findings: [{ code: 'time-over' }] });
    expect(read.samples.length).toBeGreaterThanOrEqual(1);
    expect(read.samples.length).toBeLessThan(5);
    for (const { metrics } of read.samples) expect(metrics.latency_avg_ms).toBeGreaterThanOrEqual(299);
  });

  it('are cancelled on the server when stopped, and clean up', async () => {
    const sleep = name === 'PostgreSQL' ? 'SELECT pg_sleep(600)' : 'SELECT SLEEP(600)';
    const queries = `-- @set-up\nCREATE TABLE extra (id INT)\n-- @tear-down\nDROP TABLE extra\n-- @variant v\n${sleep}`;
    let isReported = false;
    const read = await measured({ queries, executions: 1 }, 600, {
      watch: ({ stdout }, kill) => {
        if (isReported || !stdout.includes('"made"')) return;
        isReported = true;
        // The next statement has been sent by then.
        setTimeout(() => kill('SIGTERM'), 500);
      },
    });
    expect(read).toMatchObject({ ok: false, reason: { code: 'stopped' } });
    expect(await left('extra')).toBe(false);
  });

  it('report errors with their place', async () => {
    const reason = async (queries: string, changes: Partial<ConnectionFacts> = {}) => {
      const options = { queries, executions: 1 };
      const { ok, reason: why, stdout } = await run(planned(factsOf(server, changes), options).run, options);
      expect(ok).toBe(false);
      if (server.password !== '') expect(stdout).not.toContain(server.password);
      return why;
    };
    expect(await reason('SELECT FROM WHERE')).toMatchObject({
      code: 'syntax-error',
      message: expect.stringContaining('the statement of “statement”'),
    });
    expect(await reason('-- @variant v\n-- @set-up\nSELECT * FROM nowhere\n-- @statement\nSELECT 1')).toMatchObject({
      code: 'table-missing',
      message: expect.stringContaining('the set-up of “v”'),
      evidence: expect.stringContaining('nowhere'),
    });
    expect((await reason('SELECT 1', { password: 'wrong-password' }))?.code).toBe('access-denied');
    expect((await reason('SELECT 1', { database: 'no_such_database' }))?.code).toMatch(
      /database-missing|access-denied/,
    );
    expect((await reason('SELECT 1', { port: await freePort('127.0.0.1') }))?.code).toBe('target-unreachable');
    expect((await reason('SELECT 1', { tls: 'required' }))?.message).toContain('connecting');
  });

  it('use the connection of the app to the server, whatever its address', async () => {
    const way = join(folder, `${name}.way`);
    const relay = await startRelay(way, server);
    const options = { queries: 'SELECT 7', executions: 2 };
    const facts = factsOf(server, { host: 'nowhere.invalid', port: 9, relay: way });
    expect(await run(planned(facts, options).run, options)).toMatchObject({ ok: true, summary: { result_rows: 1 } });
    relay.close();
  });

  it('keep their measured data when the server dies', async () => {
    const sleep = name === 'PostgreSQL' ? 'SELECT pg_sleep(0.2)' : 'SELECT SLEEP(0.2)';
    let dead: Promise<void> | undefined;
    const read = await measured({ queries: sleep, executions: 1000, discard: 0 }, 600, {
      watch: ({ stdout }) => {
        if ((stdout.match(/"execution"/g) ?? []).length >= 3) dead ??= server.kill('SIGKILL');
      },
    });
    await dead;
    expect(read).toMatchObject({ ok: false, reason: { code: 'server-gone' } });
    expect(read.samples.length).toBeGreaterThanOrEqual(3);
    await server.restart();
  });
});
