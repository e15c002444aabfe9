import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DatabaseServer, startPostgres } from '../../../../../e2e/testbed/databases/index.ts';
import { expectSame } from '../../../../../scripts/test/recorded.ts';
import type { Finding } from '../../../../shared/model/finding.ts';
import type { ConnectionFacts } from '../../../../shared/model/target.ts';
import { atNight } from '../../../../shared/util/testing/depth.ts';
import { RestartParser, withRestarts } from '../restarts.ts';
import { perform } from '../testing/perform.ts';
import type { Command, ParsedSample, ToolPlan } from '../tool.ts';
import { pgbenchTool } from './index.ts';
import { PgbenchOptions } from './options/index.ts';
import { factsOf, plannedOn, readEnded } from './testing/bench.ts';

let folder = '';
let server: DatabaseServer;

const facts = (): ConnectionFacts => factsOf(server);

const planned = (options: Record<string, unknown>, connection: Partial<ConnectionFacts> = {}, duration = 3): ToolPlan =>
  plannedOn({ ...facts(), ...connection }, options, duration);

const dataOf = (options: Record<string, unknown>) => pgbenchTool.data?.(PgbenchOptions.parse(options), 'postgres');

async function query<Row>(text: string): Promise<Row[]> {
  const { host = '', port = 0, user = '', password = '', database = '' } = facts();
  const client = new Client({ host, port, user, password, database });
  await client.connect();
  try {
    return (await client.query(text)).rows as Row[];
  } finally {
    await client.end();
  }
}

async function rowsOf(table: string): Promise<number> {
  const [row] = await query<{ rows: string }>(`SELECT count(*) AS rows FROM ${table}`);
  return Number(row?.rows);
}

const present = spawnSync('pgbench', ['--version']).status === 0;
// With CI=true nothing may be skipped: a missing pgbench fails the tests.
describe.skipIf(!present && process.env.CI !== 'true')('the installed pgbench', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kneepoint-pgbench-'));
    // A busy disk would stall commits, which are not tested here.
    server = await startPostgres({ settings: { fsync: 'off' } });
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('reports its version', async () => {
    const ended = await perform({ argv: pgbenchTool.probe?.argv ?? [], env: {}, files: [], plannedSeconds: 0 }, folder);
    expect(pgbenchTool.probe?.version(ended.stdout)).toMatch(/^\d+\.\d+$/);
  });

  it('reports missing tables before preparation', async () => {
    const ended = await perform(planned({ script: 'select-only' }).run, folder);
    expect(readEnded(ended)).toMatchObject({ ok: false, samples: [], reason: { code: 'table-missing' } });
  });

  it('creates its data, also in partitions', async () => {
    for (const options of [
      { scale: 2, partitions: 3, 'foreign-keys': true, 'server-side-generate': true },
      { scale: 2 },
    ]) {
      const plan = planned(options);
      const prepared = readEnded(await perform(plan.prepare as Command, folder), 'prepare');
      expect(prepared).toMatchObject({ ok: true, unparsed: [], findings: [] });
      for (const { name, rows } of dataOf(options)?.tables ?? [])
        expectSame(`rows of ${name}`, await rowsOf(name), rows);
    }
    const [size] = await query<{ bytes: string }>(`SELECT pg_total_relation_size('pgbench_accounts') AS bytes`);
    const estimated = dataOf({ scale: 2 })?.bytes ?? 0;
    expect(Math.abs(Number(size?.bytes) / estimated - 1)).toBeLessThan(0.05);
  });

  it('runs as planned, and the figures match its own report', async () => {
    const options = { scale: 2, client: 2, 'aggregate-interval': 1, 'report-per-command': true };
    const ended = await perform(planned(options, {}, 2).run, folder);
    const result = readEnded(ended);
    expect(result, ended.stderr).toMatchObject({ ok: true, unparsed: [] });
    expect(result.findings.map(({ code }) => code)).toContain('slowest-statement');
    const { summary, samples } = result;
    // The number of seconds printed in time depends on the computer.
    const printed = [...ended.stderr.matchAll(/^progress: ([\d.]+) s, ([\d.]+) tps/gm)].map(([, t, tps]) => [
      +`${t}`,
      +`${tps}`,
    ]);
    expect(printed.length).toBeGreaterThan(0);
    expectSame(
      'seconds against those that pgbench printed',
      samples.map(({ t, metrics }) => [t, metrics.tps]),
      printed,
    );
    // Weight each second by its length, which is printed in tenths.
    const most = samples.reduce((sum, { t, metrics }, index) => {
      const length = t - (samples[index - 1]?.t ?? 0);
      return sum + (metrics.tps ?? 0) * (length - 0.1);
    }, 0);
    expect(most).toBeLessThanOrEqual(summary.transactions_total ?? 0);
    expectSame('rows of the history', await rowsOf('pgbench_history'), summary.transactions_total);
    expect(summary.latency_max_ms).toBeGreaterThanOrEqual(summary.latency_avg_ms ?? Number.NaN);
    expect(summary.latency_min_ms).toBeLessThanOrEqual(summary.latency_avg_ms ?? Number.NaN);
    expect(readdirSync(folder).filter((name) => /^aggregate\./.test(name))).toEqual([]);
    expect(statSync(join(folder, 'pgpass')).mode & 0o777).toBe(0o600);
  });

  it('counts the latency of every transaction on the generator and leaves no log there', async () => {
    const ended = await perform(
      planned({ scale: 2, client: 4, jobs: 2, rate: 300, 'transaction-log': true }).run,
      folder,
    );
    const result = readEnded(ended);
    expect(result, ended.stderr).toMatchObject({ ok: true, unparsed: [] });
    const parts = result.latencies?.latency ?? [];
    const events = parts.flatMap(({ histogram }) => histogram);
    const count = events.reduce((sum, row) => sum + row.count, 0);
    expectSame('transactions with a latency', count, result.summary.transactions_total);
    const mean = events.reduce((sum, row) => sum + row.ms * row.count, 0) / count;
    // Buckets extend at most 0.8 % to either side.
    expect(Math.abs(mean / (result.summary.latency_avg_ms ?? 0) - 1)).toBeLessThan(0.02);
    expect(parts.length).toBeGreaterThan(1);
    expect(readdirSync(folder).filter((name) => /^aggregate\./.test(name))).toEqual([]);
  });

  it('runs a mix of built-in and custom scripts with a rate, a limit and retries', async () => {
    const options = {
      script: 'mix',
      'own-weight': 1,
      'own-script': '-- script: count @2\n\\set b random(1, :top)\nSELECT :b;\n',
      define: 'top=5',
      client: 2,
      scale: 2,
      rate: 200,
      'latency-limit': 100,
      'max-tries': 3,
      protocol: 'prepared',
    };
    const result = readEnded(await perform(planned(options).run, folder));
    expect(result).toMatchObject({ ok: true, unparsed: [] });
    expect(result.summary).toMatchObject({ script_3_weight: 2, max_tries: 3 });
    expect(result.samples[0]?.metrics).toEqual(
      expect.objectContaining({ lag_avg_ms: expect.any(Number), retries_per_s: 0, skipped_per_s: expect.any(Number) }),
    );
  });

  it('keeps its samples up to a disconnection by the server', async () => {
    let cut: Promise<unknown> | undefined;
    // Long enough for the disconnect to happen before the end, however busy the computer is.
    const command = planned({ scale: 2, client: 2, rate: 100 }, {}, 600).run;
    const ended = await perform(command, folder, {
      watch: ({ stderr }) => {
        // On a busy computer, the first second may be printed as 1.3.
        if (/progress: [1-9]/.test(stderr))
          cut ??= query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'pgbench'`);
      },
    });
    await cut;
    const result = readEnded(ended);
    expect(result).toMatchObject({ ok: false, unparsed: [], reason: { code: 'connection-lost' } });
    expect(result.samples.length).toBeGreaterThan(0);
  });

  it('reports errors of password, address and script, with either way of passing the password', async () => {
    for (const password of ['wrong', 'two\nlines']) {
      const ended = await perform(planned({}, { password }).run, folder);
      expect(readEnded(ended).reason?.code, ended.stderr).toBe('auth-failed');
    }
    expect(readEnded(await perform(planned({}, { port: 1 }).run, folder)).reason?.code).toBe('connection-refused');
    expect(readEnded(await perform(planned({}, { database: `no 'such` }).run, folder)).reason?.code).toBe(
      'database-missing',
    );
    const own = (text: string) =>
      planned({ script: 'own', 'own-script': text, 'pgbench-tables': false, rate: 50 }, {}, 1).run;
    expect(readEnded(await perform(own('\\set x random(1,'), folder)).reason?.code).toBe('script-error');
    expect(readEnded(await perform(own('SELECT 1/0;'), folder)).reason?.code).toBe('sql-error');
    expect(readEnded(await perform(own('SELECT 1;'), folder))).toMatchObject({ ok: true, unparsed: [] });
  });

  atNight(it)('is restarted for the remaining time when its server was killed', async () => {
    const own = { script: 'own', 'own-script': 'SELECT 1;', 'pgbench-tables': false, client: 2, rate: 50 };
    const { run } = planned(own, {}, 16);
    let killed: Promise<void> | undefined;
    const ended = await perform(withRestarts(run, { argument: '--time=', from: 2 }), folder, {
      watch: ({ stderr }) => {
        if (killed || !stderr.includes('progress: 4')) return;
        killed = server.kill('SIGKILL').then(() => server.restart());
      },
    });
    await killed;
    const samples: ParsedSample[] = [];
    const findings: Finding[] = [];
    const parser = new RestartParser((events) => pgbenchTool.parser('run', PgbenchOptions.parse(own), events), {
      sample: (sample) => samples.push(sample),
      finding: (finding) => findings.push(finding),
      unparsed: () => {},
    });
    for (const stream of ['stdout', 'stderr'] as const)
      for (const line of ended[stream].split('\n')) parser.line(line, stream);
    const { ok, summary } = parser.end(ended.exit);
    expect(ok, ended.stderr).toBe(true);
    expect(summary.tool_restarts).toBeGreaterThan(0);
    expect(summary.tool_down_s).toBeLessThan(10);
    expect(findings.map(({ code }) => code)).toContain('tool-restarted');
    const times = samples.map(({ t }) => t);
    expectSame(
      'the order of seconds',
      times,
      times.toSorted((one, other) => one - other),
    );
    expect(times.at(-1)).toBeGreaterThan(13);
    expect(samples.filter(({ metrics }) => (metrics.tps ?? 0) > 0).length).toBeGreaterThan(6);
  });

  it('drops its tables, and succeeds again without them', async () => {
    await query('CREATE TABLE mine (id int)');
    for (let round = 0; round < 2; round += 1)
      expect(readEnded(await perform(planned({}).cleanup as Command, folder), 'cleanup')).toMatchObject({
        ok: true,
        unparsed: [],
      });
    const left = await query<{ relname: string }>(`SELECT relname FROM pg_stat_user_tables`);
    expect(left).toEqual([{ relname: 'mine' }]);
  });
});
