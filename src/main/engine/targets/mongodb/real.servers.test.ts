import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Server as NetServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { freePort, lacksGo, startFerretDb } from '../../../../../e2e/testbed/databases/index.ts';
import { TargetDescription } from '../../../../shared/model/target.ts';
import { DataSizes, ServerSetting } from '../../../../shared/model/target-details.ts';
import type { Reach, TargetSession } from '../target.ts';
import { lastOf, meaning } from '../testing/samples.ts';
import { directly, problemOf } from '../testing/servers.ts';
import { mongoTarget } from './index.ts';
import { startMember } from './testing/member.ts';

type Server = Awaited<ReturnType<typeof startFerretDb>>;

/** The first test on a machine builds its program. */
const BUILD_LIMIT = 900_000;

async function open(server: Server, changes: Record<string, unknown> = {}, reach: Reach = directly) {
  const { secret = server.password, ...rest } = changes;
  const url = `mongodb://${server.address}:${server.port}/`;
  const config = mongoTarget.config.parse({ url, user: server.user, database: server.database, ...rest });
  const session = await mongoTarget.open?.(config, String(secret), reach);
  return session as Required<TargetSession>;
}
const refused = (server: Server, changes: Record<string, unknown>) =>
  problemOf(open(server, changes).then((session) => session.close()));

describe.skipIf(lacksGo())('FerretDB', () => {
  let server: Server;
  beforeAll(async () => {
    server = await startFerretDb();
    const client = new MongoClient(server.uri);
    const rows = Array.from({ length: 500 }, (_, n) => ({ n, filler: 'x'.repeat(200) }));
    await client.db(server.database).collection('orders').insertMany(rows);
    await client.db(server.database).collection('odd-name.with_dots').insertOne({ n: 1 });
    await client.close();
  }, BUILD_LIMIT);
  afterAll(() => server?.stop());
  afterEach(() => vi.unstubAllEnvs());

  test('is connected and described', async () => {
    const session = await open(server);
    expect(await session.ping()).toBeGreaterThan(0);
    const description = TargetDescription.parse(await session.describe());
    expect(await session.identity?.()).toEqual({ 'server host': expect.stringMatching(/./) });
    expect(description).toMatchObject({
      product: 'FerretDB',
      version: 'v1.24.0',
      flavour: expect.stringMatching(/^reports MongoDB 7\..*single server$/),
      tls: 'none',
      // It reports nothing about the SQLite below it.
      durability: { level: 'unknown' },
    });
    expect(description.settings).toContainEqual(
      expect.objectContaining({ name: 'featureCompatibilityVersion', value: '7.0' }),
    );
    expect(description.dataBytes).toBeGreaterThan(500 * 200);
    await session.close();
  });

  test('counts commands from the first sample', async () => {
    const session = await open(server);
    const rules = mongoTarget.monitoring?.rules ?? [];
    const client = new MongoClient(server.uri);
    const orders = client.db(server.database).collection('orders');
    await orders.findOne();
    const before = await session.sample();
    for (let n = 0; n < 40; n += 1) await orders.findOne({ n });
    for (let n = 0; n < 10; n += 1) await orders.updateOne({ n: 1000 }, { $set: { n } });
    const samples = [before, await session.sample()];
    const { metrics } = samples[1] ?? before;
    expect(lastOf(rules, samples, meaning(rules, metrics, 'statements'))).toBe(50);
    expect(lastOf(rules, samples, 'metrics.commands.find.total')).toBe(40);
    await client.close();
    await session.close();
  });

  test('reports parameters, counters and sizes', async () => {
    const session = await open(server);
    const settings = (await session.settings()).map((setting) => ServerSetting.parse(setting));
    expect(settings).toContainEqual({ name: 'quiet', value: 'false', change: 'dynamic', source: 'parameter' });
    expect(settings).toContainEqual(
      expect.objectContaining({
        name: 'authenticationMechanisms',
        value: expect.stringContaining('"SCRAM-SHA-256"'),
        change: 'restart',
      }),
    );
    const before = await session.counters();
    await session.ping();
    const after = await session.counters();
    const name = 'metrics.commands.ping.total';
    expect(after[name]).toBe((before[name] ?? 0) + 1);
    const sizes = DataSizes.parse(await session.sizes());
    expect(sizes.tables.map((table) => table.name)).toEqual(['orders', 'odd-name.with_dots']);
    expect(sizes.tables[0]).toMatchObject({ rows: 500 });
    expect(sizes.tables[0]?.bytes).toBeGreaterThan(500 * 200);
    expect(sizes.databases).toContainEqual({ name: server.database, bytes: expect.any(Number) });
    const stored = new Map((await session.stored()).sizes.map(({ what, value }) => [what, value]));
    expect(stored.get('rows')).toBeGreaterThanOrEqual(500);
    expect(stored.get('data')).toBeGreaterThan(500 * 200);
    // FerretDB itself stores nothing on disk.
    expect(await session.room()).toBeUndefined();
    expect(await session.sessions()).toEqual([]);
    await session.close();
  });

  test('counts documents of any collection, and reports a missing one', async () => {
    const session = await open(server);
    expect(await session.countRows('orders')).toBe(500);
    expect(await session.countRows('odd-name.with_dots')).toBe(1);
    for (const name of ['missing', '', '$cmd', 'a\0b']) expect(await session.countRows(name)).toBeUndefined();
    await session.close();
  });

  test('uses the next member if one does not respond, and reports the first failure if none does', async () => {
    const [dead, other] = [await freePort(server.address), await freePort(server.address)];
    const session = await open(server, { url: `mongodb://127.0.0.1:${dead},127.0.0.1:${server.port}/` });
    expect(await session.countRows('orders')).toBe(500);
    await session.close();
    expect(await refused(server, { url: `mongodb://127.0.0.1:${dead},127.0.0.1:${other}/` })).toMatchObject({
      code: 'target-unreachable',
      message: expect.stringMatching(new RegExp(`${dead}.*refused`)),
    });
  });

  test('uses the primary of a replica set, wherever the URL starts', async () => {
    const primary = await startMember(server, { setName: 'rs0', hosts: ['a:1', 'b:2'], isWritablePrimary: true });
    const secondary = await startMember(server, {
      setName: 'rs0',
      hosts: ['a:1', 'b:2'],
      isWritablePrimary: false,
      ismaster: false,
      secondary: true,
      primary: primary.place,
    });
    const url = `mongodb://${secondary.place}/?replicaSet=rs0`;
    const session = await open(server, { url });
    const before = [primary.asked(), secondary.asked()];
    expect(before[0]).toBeGreaterThan(0);
    expect((await session.describe()).flavour).toMatch(/primary of the replica set rs0 \(2 members\)$/);
    expect(await session.countRows('orders')).toBe(500);
    expect(secondary.asked()).toBe(before[1]);
    await session.close();
    expect(await refused(server, { url: url.replace('rs0', 'other') })).toMatchObject({
      code: 'target-unreachable',
      message: expect.stringMatching(/belongs to the replica set rs0, but the URL names other/),
    });
    await primary.stop();
    const alone = await open(server, { url });
    expect((await alone.describe()).flavour).toMatch(/secondary of the replica set rs0/);
    expect(await alone.countRows('orders')).toBe(500);
    await alone.close();
    await secondary.stop();
  });

  test('recognizes a router of a sharded cluster', async () => {
    const router = await startMember(server, { msg: 'isdbgrid' });
    const session = await open(server, { url: `mongodb://${router.place}/?w=majority` });
    const description = await session.describe();
    expect(description.flavour).toMatch(/mongos, router of a sharded cluster$/);
    expect(description.durability?.settings).toContainEqual({
      name: 'write concern of the URL',
      value: 'w: majority',
      level: 'safe',
    });
    await session.close();
    await router.stop();
  });

  test('reports a failed login without the password in any message', async () => {
    const secret = 'not-the-password';
    const problem = await refused(server, { secret });
    expect(problem).toMatchObject({ code: 'target-auth-failed', message: expect.stringContaining(server.user) });
    expect(JSON.stringify(problem)).not.toContain(secret);
    expect(await refused(server, { user: 'nobody' })).toMatchObject({ code: 'target-auth-failed' });
    const session = await open(server, { user: '' });
    expect(await problemOf(session.describe())).toMatchObject({
      code: 'target-auth-failed',
      message: expect.stringContaining('without a login'),
    });
    await session.close();
  });

  test('opens no port, keeps its socket private and leaves nothing behind', async () => {
    // A separate folder, as other tests open such sockets at the same time.
    const own = mkdtempSync(join(tmpdir(), 'kneepoint-own-'));
    vi.stubEnv('TMPDIR', own);
    const dialled: string[] = [];
    const reach: Reach = {
      ...directly,
      dial: (address, port) => {
        dialled.push(`${address}:${port}`);
        return directly.dial(address, port);
      },
    };
    const session = await open(server, {}, reach);
    await session.ping();
    expect(readdirSync(own)).toEqual([expect.stringMatching(/^kneepoint-mongodb-/)]);
    expect(new Set(dialled)).toEqual(new Set([`${server.address}:${server.port}`]));
    await session.close();
    expect(readdirSync(own)).toEqual([]);
    rmSync(own, { recursive: true });
  });

  test('reports a killed server as lost', async () => {
    const session = await open(server);
    await server.kill('SIGKILL');
    expect(await problemOf(session.ping())).toMatchObject({ code: 'target-unreachable' });
    await session.close();
    await server.restart();
    const again = await open(server);
    expect(await again.countRows('orders')).toBe(500);
    await again.close();
  });
});

describe.skipIf(lacksGo())('FerretDB with TLS', () => {
  let server: Server;
  beforeAll(async () => {
    server = await startFerretDb({ tls: true });
  }, BUILD_LIMIT);
  afterAll(() => server?.stop());

  test('is encrypted with and without certificate checks, and reports which', async () => {
    const session = await open(server, { tls: 'required' });
    expect((await session.describe()).tls).toBe('encrypted, certificate not checked');
    await session.close();
    const checked = await open(server, { tls: 'verify', caFile: server.tls?.caFile });
    expect((await checked.describe()).tls).toBe('encrypted, certificate checked');
    await checked.close();
  });

  test('refuses an unknown CA, a certificate for another name, and an unencrypted connection', async () => {
    expect(await refused(server, { tls: 'verify' })).toMatchObject({
      code: 'target-unreachable',
      message: expect.stringMatching(/encrypted connection .* not accepted/),
    });
    const url = `mongodb://localhost:${server.port}/`;
    expect(await refused(server, { url, tls: 'verify', caFile: server.tls?.caFile })).toMatchObject({
      code: 'target-unreachable',
      message: expect.stringContaining('localhost'),
    });
    expect(await refused(server, { tls: 'disabled' })).toMatchObject({ code: 'target-unreachable' });
  });
});

test('a server of another kind and cancelling both end the connection at once', async () => {
  const opened = async (listening: NetServer, signal?: AbortSignal) => {
    listening.listen(0, '127.0.0.1');
    await once(listening, 'listening');
    const { port } = listening.address() as AddressInfo;
    const config = mongoTarget.config.parse({ url: `mongodb://127.0.0.1:${port}/`, database: 'd' });
    return problemOf(Promise.resolve(mongoTarget.open?.(config, undefined, directly, signal)));
  };
  const web = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  expect(await opened(web)).toMatchObject({ code: 'target-unreachable' });
  web.close();
  const stop = new AbortController();
  const silent = createServer(() => stop.abort());
  expect(await opened(silent, stop.signal)).toMatchObject({
    code: expect.stringMatching(/cancelled|target-unreachable/),
  });
  silent.close();
});
