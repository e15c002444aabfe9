import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectSame } from '../../scripts/test/recorded.ts';
import type { PreflightLine } from '../../src/shared/contract/experiments.ts';
import type { Run } from '../../src/shared/model/session.ts';
import { atNight, byDay } from '../../src/shared/util/testing/depth.ts';
import { type DatabaseServer, freePort, startPostgres } from '../testbed/databases/index.ts';
import { type HostsBed, runSession, startHostsBed } from './testing/hosts-bed.ts';

/** PgBouncer does not run as root, and its account cannot reach the home of a test host. */
const folder = mkdtempSync(path.join(tmpdir(), 'kneepoint-pooler-'));
chmodSync(folder, 0o755);
const POOLS = byDay([2, 4], (size) => size === 2);
/** With one and with eight clients: direct, and in both modes with each pool. */
const CELLS = 2 * (1 + 2 * POOLS.length);
const FIRST = { pool_mode: 'session', default_pool_size: '7' };

let bed: HostsBed;
let server: DatabaseServer;
let pooled: { id: number; address: string; port: number };
beforeAll(async () => {
  bed = await startHostsBed(['middle']);
  server = await startPostgres({ address: bed.address, settings: { fsync: 'off' } });
  const { user, database, password, address, port } = server;
  await bed.addTarget(
    {
      name: 'direct',
      kind: 'postgres',
      via: 'middle',
      config: { address, port, user, database, allowCleartextPassword: true },
    },
    password,
  );
  const own = { address: bed.host('middle').address, port: await freePort('127.0.0.1') };
  const id = await bed.addTarget(
    {
      name: 'pooled',
      kind: 'postgres',
      via: 'middle',
      config: { ...own, user, database, allowCleartextPassword: true },
      server: {
        host: 'middle',
        control: {
          kind: 'managed',
          program: 'pgbouncer',
          folder: path.join(folder, 'pgbouncer'),
          settings: FIRST,
        },
      },
      behind: 'direct',
    },
    password,
  );
  pooled = { id, ...own };
  expect(await bed.client.targets.startServer({ id })).toEqual({ state: 'running' });
});
afterAll(async () => {
  if (pooled) await bed.client.targets.stopServer({ id: pooled.id });
  await server?.stop();
  await bed?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Queried without Kneepoint. */
async function ask(place: { address: string; port: number; database: string }, question: string) {
  const { user, password } = server;
  const client = new Client({ host: place.address, port: place.port, user, password, database: place.database });
  await client.connect();
  try {
    return (await client.query(question)).rows;
  } finally {
    await client.end();
  }
}

/** The varied settings, according to the pooler's console. */
async function poolerSettings(): Promise<Record<string, string>> {
  const rows = await ask({ ...pooled, database: 'pgbouncer' }, 'SHOW CONFIG');
  return Object.fromEntries(rows.filter(({ key }) => key in FIRST).map(({ key, value }) => [key, value]));
}

/** Connections that execute pgbench's statements, as counted by the server. */
async function connections(): Promise<number> {
  const [row] = await ask(server, "SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'pgbench'");
  return row.n;
}

it('measures direct and pooled, in both modes and with several pool sizes, and restores the pooler', async () => {
  const text = `kneepoint: 1
name: Direct and pooled
workload: { tool: pgbench, options: { script: select-only, rate: 100 } }
where: { generators: [middle] }
factors:
  - { name: way, kind: target, levels: [direct, pooled] }
  - { name: mode, kind: server-setting, on: pooled, setting: pool_mode, levels: [session, transaction], when: { way: pooled } }
  - { name: pool, kind: server-setting, on: pooled, setting: default_pool_size, levels: ${JSON.stringify(POOLS)}, when: { way: pooled } }
  - { name: clients, option: client, levels: [1, 8] }
measure: { duration: 3 }
monitors: { generators: false, place: false }
`;
  const { plan, problems } = await bed.client.experiments.check({ text });
  expect(problems).toEqual([]);
  expect(plan?.cells).toHaveLength(CELLS);
  // Both routes lead to the same tables, and the pooler accepts its settings while it runs.
  expect(plan?.estimate).toMatchObject({ loads: 1 });
  expect(plan?.estimate?.changes).toBeUndefined();

  let lines: PreflightLine[] = [];
  for await (lines of bed.client.experiments.preflight({ text }));
  expect(lines.flatMap(({ finding, state }) => (finding ? [[state, finding.code]] : []))).toContainEqual([
    'warn',
    'pool-smaller-than-clients',
  ]);

  const seen: [Run['levels'], Record<string, string>, number][] = [];
  const { session, runs } = await runSession(bed.client, text, async ({ levels }) => {
    seen.push([levels, await poolerSettings(), await connections()]);
  });
  expect(session, session.message).toMatchObject({ state: 'done', trialsEnded: CELLS, trialsFailed: 0 });
  expect(seen).toHaveLength(CELLS);
  for (const [{ way, mode, pool, clients }, settings, count] of seen) {
    const pooledNow = { pool_mode: mode, default_pool_size: String(pool) };
    expect(settings).toEqual(way === 'direct' ? FIRST : pooledNow);
    // On a busy machine the trial may be over when the server is queried.
    expect(count).toBeLessThanOrEqual(way === 'direct' ? Number(clients) : Math.min(Number(clients), Number(pool)));
  }
  for (const { levels, facts = [], command, summary } of runs) {
    const isPooled = levels.way === 'pooled';
    expect(command).toContain(`--port=${isPooled ? pooled.port : server.port}`);
    expect(facts.map(({ what, found, matches }) => [what, found, matches])).toEqual(
      isPooled
        ? [
            ['pool_mode', levels.mode, undefined],
            ['default_pool_size', String(levels.pool), undefined],
          ]
        : [],
    );
    expect(summary.transactions_total).toBeGreaterThan(0);
  }
  const described = (await bed.client.sessions.get({ id: session.id })).targets ?? [];
  expect(described.map(({ name, description }) => [name, description?.middleware?.product])).toEqual([
    ['direct', undefined],
    ['pooled', 'PgBouncer'],
  ]);
  expectSame('settings of the pooler', await poolerSettings(), FIRST);
  expectSame('changes that are not put back', await bed.client.changes.list({}), []);
});

atNight(it)(
  'reports prepared statements under transaction pooling as unsupported, and measures the other cells',
  async () => {
    // With fewer connections than clients, session pooling blocks pgbench: it prepares one client after the other.
    const text = `kneepoint: 1
name: Prepared statements
workload: { tool: pgbench, options: { script: select-only, client: 8, rate: 100 } }
where: { generators: [middle], target: pooled }
factors:
  - name: pool
    kind: server-setting
    levels:
      - { name: by session, set: { pool_mode: session, default_pool_size: 8 } }
      - { name: by transaction, set: { pool_mode: transaction, default_pool_size: 2 } }
  - { name: protocol, option: protocol, levels: [simple, prepared] }
measure: { duration: 1 }
monitors: { generators: false, place: false }
`;
    const refused = 'Cells: pool by transaction · protocol prepared.';
    await expect(bed.client.sessions.start({ text })).rejects.toMatchObject({
      problem: { code: 'preflight-refused', message: expect.stringContaining(refused) },
    });
    // Once confirmed, it is measured, and fails as announced.
    const { session, runs } = await runSession(bed.client, text, undefined, { destroy: ['pooled:pool mode'] });
    expect(session, session.message).toMatchObject({ state: 'done', trialsEnded: 4, trialsFailed: 1 });
    const [failed, ...others] = runs.filter(({ state }) => state === 'failed');
    expect(others).toEqual([]);
    expect(failed?.levels).toEqual({ pool: 'by transaction', protocol: 'prepared' });
    expect(failed?.message).toMatch(/^A prepared statement was missing.* a pooler .*Use the protocol simple/);
    expectSame('settings of the pooler', await poolerSettings(), FIRST);
  },
);

it('stops the pooler and all its processes', async () => {
  expect(await bed.client.targets.stopServer({ id: pooled.id })).toEqual({ state: 'stopped' });
  await expect(poolerSettings()).rejects.toThrow(/ECONNREFUSED/);
  const text = 'kneepoint: 1\nname: Stopped\nworkload: { tool: pgbench }\nwhere: { target: pooled }\nmeasure: {}\n';
  await expect(bed.client.sessions.start({ text })).rejects.toMatchObject({
    problem: {
      message: expect.stringContaining('The server of target “pooled” on middle is stopped.'),
      next: expect.stringContaining('kneepoint target start'),
    },
  });
  const running = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder);
      } catch {
        return false;
      }
    });
  expect(running).toEqual([]);
});
