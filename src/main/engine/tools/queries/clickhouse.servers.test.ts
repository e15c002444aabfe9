import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lacksClickHouse, runClickHouse, startClickHouse } from '../../../../../e2e/testbed/databases/index.ts';
import type { ConnectionFacts } from '../../../../shared/model/target.ts';
import { perform } from '../testing/perform.ts';
import { outputReader } from '../testing/recordings.ts';
import { startRelay } from '../testing/relay.ts';
import { queriesTool } from './index.ts';
import { QueryOptions } from './options.ts';

/** The first start on a machine downloads the engine. */
const FETCH_LIMIT = 600_000;
const ROOT = join(import.meta.dirname, '../../../../..');
const readOutput = outputReader(queriesTool);

describe.skipIf(lacksClickHouse())('queries to ClickHouse', () => {
  let server: Awaited<ReturnType<typeof startClickHouse>>;
  let folder = '';
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kneepoint-queries-'));
    server = await startClickHouse({ tls: true });
    await runClickHouse(server, [
      'CREATE TABLE hits (page UInt32, ms Float64) ENGINE = MergeTree ORDER BY page',
      'INSERT INTO hits SELECT number % 10, number FROM numbers(20000)',
    ]);
  }, FETCH_LIMIT);
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function measured(
    options: Record<string, unknown>,
    changes: Partial<ConnectionFacts> = {},
    how: Parameters<typeof perform>[2] = {},
  ) {
    const connection: ConnectionFacts = {
      kind: 'clickhouse',
      host: server.address,
      port: server.port,
      user: server.user,
      password: server.password,
      database: server.database,
      tls: 'preferred',
      ...changes,
    };
    const place = { nodePath: process.execPath, assetsDir: ROOT };
    const input = { options: QueryOptions.parse(options), connection, warmup: 0, duration: 600, seed: 1, ...place };
    const { stdout, stderr, exit } = await perform(queriesTool.plan(input).run, folder, how);
    expect(stdout).not.toContain(server.password);
    return { ...readOutput(stdout, stderr, { options, exit }), stdout };
  }

  const queries = `-- @set-up
CREATE TABLE extra (page UInt32) ENGINE = MergeTree ORDER BY page
-- @tear-down
DROP TABLE extra SYNC
-- @variant grouped
-- @set-up
INSERT INTO extra SELECT number FROM numbers({{pages}})
-- @statement
SELECT page, count(), sum(ms), NULL FROM hits WHERE page IN (SELECT page FROM extra) GROUP BY page
-- @variant filtered
SELECT page, count(), sum(ms), NULL FROM hits WHERE page < {{pages}} GROUP BY page ORDER BY page DESC
-- @variant other
SELECT page, count(), sum(ms) + 1, NULL FROM hits WHERE page < {{pages}} GROUP BY page
-- @facts parts
SELECT table, count(), sum(rows) FROM system.parts WHERE active AND database = currentDatabase() GROUP BY table ORDER BY table
`;

  it('are timed over an encrypted connection, compared, and explained, next to parts', async () => {
    const read = await measured({ queries, variant: 'filtered', values: 'pages=3', executions: 4 });
    expect(read).toMatchObject({ ok: true, unparsed: [], summary: { executions_total: 4, result_rows: 3 } });
    expect(read.samples).toHaveLength(4);
    for (const { metrics } of read.samples) expect(metrics.latency_avg_ms).toBeGreaterThan(0);
    // The first granule has all pages below 3. A time takes 8 bytes, a page 4, and times of excluded pages need not be read.
    const { latency_avg_ms: mean = 0, rows_read_per_s: rows = 0, data_read_mib_s: data = 0 } = read.summary;
    expect(Math.round((rows * mean) / 1000)).toBe(8192);
    expect(Math.round((data * 2 ** 20 * mean) / 1000)).toBeGreaterThanOrEqual(8192 * 4);
    expect(Math.round((data * 2 ** 20 * mean) / 1000)).toBeLessThanOrEqual(8192 * 12);
    expect(read.stdout).toMatch(/"server":"ClickHouse \d+\.\d+\.\d+\.\d+","encryption":"TLS"/);
    expect(read.findings.map(({ code }) => code)).toEqual(['query-plan', 'query-facts']);
    const [plan, facts] = read.findings;
    expect(plan?.evidence).toMatch(/ReadFromMergeTree.*hits[\s\S]*PrimaryKey/);
    expect(facts?.evidence).toMatch(/hits +1 +20000$/);
    expect(await runClickHouse(server, ['SHOW TABLES'])).toEqual([['hits']]);
  });

  it('fail if a variant has a different result', async () => {
    const read = await measured({ queries, variant: 'other', values: 'pages=3', executions: 1 });
    expect(read).toMatchObject({ ok: false, reason: { code: 'results-differ' } });
  });

  it.each([
    ['analyze', 'query-plan', /ReadFromMergeTree/],
    ['profile', 'query-profile', /read_rows +20000\n[\s\S]*SelectedParts +1\n/],
  ])('have the execution details of the server: %s', async (plan, code, words) => {
    const options = { queries: 'SELECT sum(ms) FROM hits', executions: 1, 'server-plan': plan };
    const read = await measured(options);
    expect(read).toMatchObject({ ok: true, findings: [{ code }] });
    expect(read.findings[0]?.evidence).toMatch(words);
  });

  it('of a read-only account are timed without a profile', async () => {
    const options = { queries: 'SELECT count() FROM hits', executions: 2, 'server-plan': 'profile' };
    const read = await measured(options, { user: server.reader });
    expect(read).toMatchObject({ ok: true, summary: { executions_total: 2 }, findings: [{ severity: 'warn' }] });
    expect(read.findings[0]?.evidence).toContain('log_comment');
  });

  it('are cancelled on the server when they are stopped', async () => {
    const endless =
      "SELECT sleepEachRow(1), 'endless' FROM numbers(3000) SETTINGS max_block_size = 1, function_sleep_max_microseconds_per_block = 0";
    const underWay = "SELECT query_id FROM system.processes WHERE query LIKE '%endless%' AND query_id != queryID()";
    let stop: ((signal: NodeJS.Signals) => void) | undefined;
    const ended = measured({ queries: endless, executions: 1, discard: 0 }, {}, { watch: (_, kill) => (stop = kill) });
    await expect.poll(() => runClickHouse(server, [underWay])).toHaveLength(1);
    // The server can be faster than the program's earlier output.
    await expect.poll(() => stop).toBeDefined();
    stop?.('SIGTERM');
    expect(await ended).toMatchObject({ ok: false, reason: { code: 'stopped' } });
    await expect.poll(() => runClickHouse(server, [underWay])).toEqual([]);
  });

  it('use the connection of the app to the server', async () => {
    const way = join(folder, 'way.sock');
    const relay = await startRelay(way, server);
    const options = { queries: 'SELECT 7', executions: 2, 'server-plan': 'none' };
    const away = { host: 'nowhere.invalid', port: 9, relay: way };
    expect(await measured(options, away)).toMatchObject({ ok: true, summary: { result_rows: 1 } });
    relay.close();
  });

  it('report errors', async () => {
    const reason = async (text: string, changes: Partial<ConnectionFacts> = {}) =>
      (await measured({ queries: text, executions: 1 }, changes)).reason;
    expect(await reason('SELECT FROM WHERE')).toMatchObject({ code: 'syntax-error' });
    const missing = await reason('SELECT * FROM nowhere');
    expect(missing).toMatchObject({ code: 'table-missing', evidence: expect.stringContaining('UNKNOWN_TABLE') });
    // The number is not one of MySQL's, even if its driver treats it as such.
    expect(missing?.evidence).toMatch(/^HY000 60: /);
    expect((await reason('SELECT 1', { password: 'wrong-password' }))?.code).toBe('access-denied');
    expect((await reason('SELECT 1', { database: 'no_such_database' }))?.code).toBe('database-missing');
    expect((await reason('SELECT toInt8(throwIf(1))'))?.code).toBe('statement-failed');
  });
});
