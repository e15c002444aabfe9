import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type DatabaseServer,
  type Pooler,
  startPgBouncer,
  startPostgres,
} from '../../../../../e2e/testbed/databases/index.ts';
import { openServer, problemOf } from '../testing/servers.ts';
import { postgresTarget } from './index.ts';

describe('PostgreSQL behind PgBouncer', () => {
  let server: DatabaseServer;
  let pooler: Pooler;
  beforeAll(async () => {
    server = await startPostgres();
    pooler = await startPgBouncer(server, { tls: true });
  });
  afterAll(async () => {
    await pooler.stop();
    await server.stop();
  });
  const open = (changes: Record<string, unknown> = {}) =>
    openServer(postgresTarget, server, { port: pooler.port, ...changes });

  test('is recognized, and an admin sees its settings', async () => {
    const { user, password } = pooler.admin;
    const session = await open({ user, secret: password });
    const { product, version, middleware } = await session.describe();
    expect({ product, version }).toEqual({ product: 'PostgreSQL', version: expect.stringMatching(/^15\./) });
    expect(middleware).toMatchObject({ product: 'PgBouncer', version: expect.stringMatching(/^1\.\d+\.\d+$/) });
    expect(middleware?.settings).toContainEqual(expect.objectContaining({ name: 'pool_mode', value: 'transaction' }));
    expect(middleware?.settings).toContainEqual(expect.objectContaining({ name: 'default_pool_size', value: '7' }));
    await session.close();
  });

  test('is recognized by users without admin access', async () => {
    const session = await open();
    const { middleware } = await session.describe();
    expect(middleware).toMatchObject({
      product: 'PgBouncer',
      settings: [],
      note: expect.stringContaining('admin_users'),
    });
    expect((await session.settings()).length).toBeGreaterThan(250);
    expect((await session.sessions()).filter(({ own }) => own)).toHaveLength(1);
    await session.close();
  });

  test('clients waiting for the pool are counted, even while all of its connections are in use', async () => {
    const { user, password } = pooler.admin;
    const keeper = new Client({ ...server, host: server.address });
    await keeper.connect();
    await keeper.query(`GRANT pg_monitor TO ${user}`);
    const watching = await open({ user, secret: password });
    const [plain, { problems }] = await open().then(async (each) => [each, await each.sample()] as const);
    expect(problems?.join(' ')).toContain('stats_users');
    const before = (await watching.sample()).metrics;
    expect(before).toMatchObject({ 'pgbouncer.pools.cl_waiting': 0, 'pgbouncer.setting.default_pool_size': 7 });
    await keeper.query('SELECT pg_advisory_lock(1)');
    const clients = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const client = new Client({ ...server, host: '127.0.0.1', port: pooler.port });
        await client.connect();
        return client;
      }),
    );
    const asked = clients.map((client) => client.query('SELECT pg_advisory_xact_lock_shared(1)'));
    const waiting = async () => (await watching.sample()).metrics;
    await expect
      .poll(waiting)
      .toMatchObject({ 'pgbouncer.pools.cl_waiting': 3, 'waits.Lock': 7, 'wait_event.Lock.advisory': 7 });
    // An account without access to the pooler's console takes no connection of its pool: its samples are empty, without an error.
    expect((await plain.sample()).metrics).toEqual({});
    await keeper.end();
    await Promise.all(asked);
    expect((await plain.sample()).metrics).toEqual({});
    const after = (await watching.sample()).metrics;
    expect(after['pgbouncer.pools.cl_waiting']).toBe(0);
    const done = (metrics: Readonly<Record<string, number>>) => metrics['pgbouncer.stats.total_query_count'] ?? 0;
    await expect.poll(async () => done((await watching.sample()).metrics) - done(before)).toBeGreaterThanOrEqual(10);
    await Promise.all([...clients.map((client) => client.end()), watching.close(), plain.close()]);
  });

  test('TLS is reported for the connection to the pooler', async () => {
    const encrypted = await open({ tls: 'verify', caFile: pooler.tls?.caFile });
    expect((await encrypted.describe()).tls).toMatch(/^TLSv1\.[23], .*, certificate checked$/);
    await encrypted.close();
    const plain = await open({ tls: 'disabled' });
    expect((await plain.describe()).tls).toBe('none');
    await plain.close();
  });

  test('reports a failed login and a missing database', async () => {
    expect(await problemOf(open({ secret: 'wrong' }))).toMatchObject({ code: 'target-auth-failed' });
    expect(await problemOf(open({ database: 'nowhere' }))).toMatchObject({ code: 'database-missing' });
  });
});

test('PostgreSQL itself is not taken for a pooler', async () => {
  const server = await startPostgres();
  const session = await openServer(postgresTarget, server);
  expect((await session.describe()).middleware).toBeUndefined();
  await session.close();
  await server.stop();
});
