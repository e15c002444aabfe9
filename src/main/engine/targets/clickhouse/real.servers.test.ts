import { createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  freePort,
  lacksClickHouse,
  runClickHouse,
  startClickHouse,
  startMariaDb,
} from '../../../../../e2e/testbed/databases/index.ts';
import { TargetDescription } from '../../../../shared/model/target.ts';
import { DataSizes, LiveSession, ServerSetting } from '../../../../shared/model/target-details.ts';
import { mysqlTarget } from '../mysql/index.ts';
import type { ServerSample, TargetSession, TargetType } from '../target.ts';
import { lastOf, meaning } from '../testing/samples.ts';
import { openServer, problemOf } from '../testing/servers.ts';
import { clickhouseTarget } from './index.ts';

type Server = Awaited<ReturnType<typeof startClickHouse>>;

/** The first start on a machine downloads the engine. */
const FETCH_LIMIT = 600_000;
const ODD = 'odd `name\\; DROP TABLE small';

const open = (server: Pick<Server, 'address' | 'port' | 'user' | 'password' | 'database'>, changes = {}) =>
  openServer(clickhouseTarget, server, changes);
const refused = (server: Server, changes: Record<string, unknown>, target: TargetType = clickhouseTarget) =>
  problemOf(openServer(target, server, changes).then((session) => session.describe()));

describe.skipIf(lacksClickHouse())('ClickHouse', () => {
  let server: Server;
  let session: Required<TargetSession>;
  beforeAll(async () => {
    server = await startClickHouse({ settings: { max_threads: 3 }, mergeTree: { min_bytes_for_wide_part: 1234 } });
    await runClickHouse(server, [
      'CREATE TABLE large (id UInt32, words String) ENGINE = MergeTree ORDER BY id',
      "INSERT INTO large SELECT number, repeat('x', number % 100) FROM numbers(50000)",
      'CREATE TABLE small (id UInt8) ENGINE = MergeTree ORDER BY id',
      'INSERT INTO small VALUES (1), (2), (3)',
      'CREATE TABLE `odd \\`name\\\\; DROP TABLE small` (id UInt8) ENGINE = MergeTree ORDER BY id',
      'CREATE VIEW seen AS SELECT id FROM small',
    ]);
    session = await open(server);
  }, FETCH_LIMIT);
  afterAll(async () => {
    await session?.close();
    await server?.stop();
  });

  test('is connected and described with its important settings', async () => {
    expect(await session.ping()).toBeGreaterThan(0);
    const description = TargetDescription.parse(await session.describe());
    expect(await session.identity?.()).toEqual({ 'server uuid': expect.stringMatching(/.{8}/) });
    expect(description).toMatchObject({
      product: 'ClickHouse',
      version: expect.stringMatching(/^\d+\.\d+\.\d+\.\d+$/),
      flavour: expect.stringMatching(/^v\d+\.\d+\.\d+\.\d+-/),
      tls: 'none: the server offers no TLS',
    });
    expect(description.settings.length).toBeGreaterThanOrEqual(15);
    for (const setting of description.settings) expect(setting.why).toMatch(/\.$/);
    expect(description.settings).toContainEqual(expect.objectContaining({ name: 'max_threads', value: '3' }));
  });

  test('counts 20 selects, an insert and its rows in samples', async () => {
    const rules = clickhouseTarget.monitoring?.rules ?? [];
    const value = (samples: ServerSample[], means: string): number =>
      lastOf(rules, samples, meaning(rules, samples.at(-1)?.metrics ?? {}, means)) ?? Number.NaN;
    const before = await session.sample();
    expect(before).not.toHaveProperty('problems');
    await runClickHouse(server, [
      'CREATE TABLE sampled (id UInt8) ENGINE = MergeTree ORDER BY id',
      ...Array.from({ length: 20 }, () => 'SELECT sum(id) FROM large'),
      'INSERT INTO sampled SELECT number FROM numbers(70)',
    ]);
    const samples = [before, await session.sample()];
    // Each statement also reads at most one row of column names.
    expect(value(samples, 'rows-read')).toBeGreaterThanOrEqual(20 * 50_000);
    expect(value(samples, 'rows-read')).toBeLessThan(20 * 50_000 + 5000);
    expect(value(samples, 'rows-written')).toBe(70);
    expect(lastOf(rules, samples, 'statements.insert')).toBe(1);
    const selects = lastOf(rules, samples, 'statements.select') ?? 0;
    expect(selects).toBeGreaterThanOrEqual(20);
    expect(selects).toBeLessThan(30);
    const parts = (samples: ServerSample[]): number => lastOf(rules, samples, 'parts.active') ?? Number.NaN;
    expect(parts(samples) - parts([before])).toBe(1);
    expect(await session.sampleStatement('SELECT count() AS rows, max(id) AS last FROM sampled')).toEqual({
      rows: 70,
      last: 69,
    });
    await runClickHouse(server, ['DROP TABLE sampled SYNC']);
  });

  test('gives its client on the host the same samples, over the native port', async () => {
    const program = await session.samplesOnHost();
    const login = program?.files.find(({ name }) => name === 'client.xml')?.content ?? '';
    expect(login).toContain(`<port>${(await runClickHouse(server, ['SELECT tcpPort()']))[0]?.[0]}</port>`);
    const question = program?.files.find(({ name }) => name === 'question')?.content ?? '';
    const line = await session.run(question.replace(/\s*FORMAT TSVRaw;\s*$/, ''));
    const metrics = clickhouseTarget.monitoring?.hostLines?.()(String(line)) ?? {};
    const direct = Object.keys((await session.sample()).metrics);
    expect(direct.length).toBeGreaterThan(100);
    expect(Object.keys(metrics)).toEqual(expect.arrayContaining(direct.filter((name) => !name.startsWith('metrics.'))));
    expect(metrics['events.Query']).toBeGreaterThan(0);
  });

  test('lists all settings with default, source and effect of changes', async () => {
    const found = (await session.settings()).map((setting) => ServerSetting.parse(setting));
    const names = found.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)].sort((a, b) => a.localeCompare(b, 'en')));
    for (const wanted of [
      { name: 'max_threads', value: '3', source: 'changed', change: 'dynamic' },
      { name: 'max_block_size', value: '65409', default: '65409', source: 'default', change: 'dynamic' },
      { name: 'merge_tree_settings.min_bytes_for_wide_part', value: '1234', source: 'changed', change: 'dynamic' },
      { name: 'merge_tree_settings.index_granularity', value: '8192', default: '8192', change: 'fixed' },
      { name: 'server_settings.max_concurrent_queries', value: '0', change: 'reload' },
      { name: 'server_settings.display_secrets_in_show_and_select', change: 'restart' },
    ])
      expect(found.find(({ name }) => name === wanted.name)).toMatchObject(wanted);
    expect(names).not.toContain('merge_tree_settings.in_memory_parts_enable_wal');
    expect(found.filter(({ change }) => change === undefined)).toEqual([]);
  });

  test('judges durability by server settings', async () => {
    const { durability } = await session.describe();
    expect(durability).toMatchObject({
      level: 'relaxed',
      why: expect.stringContaining('merge_tree_settings.fsync_after_insert = 0'),
    });
    const values = new Map((await session.settings()).map(({ name, value }) => [name, value]));
    const judged = durability?.settings ?? [];
    expect(judged.length).toBeGreaterThanOrEqual(4);
    for (const { name, value } of judged) expect(values.get(name)).toBe(value);
  });

  test('counts rows of a table with any name, and reports a missing table', async () => {
    expect(await session.countRows('small')).toBe(3);
    expect(await session.countRows(ODD)).toBe(0);
    expect(await session.countRows('seen')).toBe(3);
    expect(await session.countRows('missing')).toBeUndefined();
    expect(await session.countRows('small` WHERE 1 = 0 -- ')).toBeUndefined();
    expect(await session.countRows('small')).toBe(3);
  });

  test('reports sizes of databases and tables', async () => {
    const sizes = DataSizes.parse(await session.sizes());
    expect(sizes.tables.map(({ name }) => name)).toEqual(['large', 'small', ODD]);
    expect(sizes.tables.map(({ rows }) => rows)).toEqual([50_000, 3, 0]);
    const [large, small] = sizes.tables;
    expect(large?.indexBytes).toBeGreaterThan(0);
    expect(large?.indexBytes).toBeLessThan(large?.bytes ?? 0);
    expect(large?.bytes).toBeGreaterThan(small?.bytes ?? Infinity);
    expect(sizes.tablesLeftOut).toBe(0);
    const own = sizes.databases.find(({ name }) => name === server.database);
    const all = sizes.tables.reduce((sum, { bytes }) => sum + bytes, 0);
    expect(own?.bytes).toBe(all);
    expect((await session.describe()).dataBytes).toBe(all);
    const stored = new Map((await session.stored()).sizes.map(({ what, value }) => [what, value]));
    expect(stored.get('rows')).toBe(50_003);
    expect(stored.get('data')).toBe(all);
    expect((stored.get('uncompressed') ?? 0) / (stored.get('compressed') ?? 1)).toBeGreaterThan(1);
    const room = await session.room();
    expect(room).toEqual({ folder: expect.stringMatching(/^\//), free: expect.any(Number) });
    expect(room?.free).toBeGreaterThan(0);
  });

  test('separates counters from gauges, all of them numbers', async () => {
    const before = await session.counters();
    for (let query = 0; query < 5; query += 1) await session.ping();
    const after = await session.counters();
    expect(after['events.Query']).toBeGreaterThanOrEqual((before['events.Query'] ?? Infinity) + 5);
    expect(after['metrics.Query']).toBeGreaterThanOrEqual(1);
    for (const value of Object.values(after)) expect(Number.isFinite(value)).toBe(true);
  });

  test('lists running queries', async () => {
    const endless =
      "SELECT sleepEachRow(1), 'marked' FROM numbers(3000) SETTINGS max_block_size = 1, function_sleep_max_microseconds_per_block = 0";
    const sleeping = runClickHouse(server, [endless]).catch((error: unknown) => error);
    const look = async () =>
      (await session.sessions()).find(({ own, statement }) => !own && statement?.includes("'marked'"));
    await expect.poll(look).toBeDefined();
    const sessions = (await session.sessions()).map((each) => LiveSession.parse(each));
    expect(sessions.filter(({ own }) => own)).toHaveLength(1);
    const found = await look();
    expect(found).toMatchObject({ database: server.database, state: 'Select', client: '127.0.0.1' });
    expect(found?.seconds).toBeGreaterThan(0);
    await runClickHouse(server, [`KILL QUERY WHERE query_id = '${found?.id}'`]);
    expect(String(await sleeping)).toContain('QUERY_WAS_CANCELLED');
  });

  test('reports a failed login, a missing database, and a closed port', async () => {
    const secret = 'not the password';
    const login = await refused(server, { secret });
    expect(login).toMatchObject({ code: 'target-auth-failed', message: expect.stringContaining('sbtest') });
    expect(JSON.stringify(login)).not.toContain(secret);
    expect(await refused(server, { user: 'nobody' })).toMatchObject({ code: 'target-auth-failed' });
    expect(await refused(server, { database: 'nowhere' })).toMatchObject({
      code: 'database-missing',
      message: expect.stringContaining('nowhere'),
    });
    expect(await refused(server, { port: await freePort(server.address) })).toMatchObject({
      code: 'target-unreachable',
      message: expect.stringContaining('refused'),
    });
    expect(await refused(server, { tls: 'required' })).toMatchObject({
      code: 'target-unreachable',
      message: expect.stringContaining('offers no TLS'),
    });
  });

  test('used as MySQL is recognized, and MySQL used as ClickHouse as well', async () => {
    expect(await refused(server, {}, mysqlTarget)).toMatchObject({
      code: 'target-unreachable',
      message: expect.stringContaining('is ClickHouse'),
      next: expect.stringContaining('ClickHouse'),
    });
    const other = await startMariaDb();
    const session = open(other).then((opened) => opened.describe());
    expect(await problemOf(session)).toMatchObject({
      code: 'target-unreachable',
      message: expect.stringContaining('is not ClickHouse'),
    });
    await other.stop();
  });

  test('reports no effect of changes to a read-only account', async () => {
    const reader = await open(server, { user: server.reader });
    expect((await reader.describe()).durability?.level).toBe('relaxed');
    const threads = (await reader.settings()).find(({ name }) => name === 'max_threads');
    expect(threads?.value).toBe('3');
    // It cannot change anything, so the effect of a change is not reported.
    expect(threads?.change).toBeUndefined();
    await reader.close();
  });

  test('accepts an account with a SHA-256 password', async () => {
    // Without TLS, it encrypts with a key sent by the server.
    expect((await refused(server, { user: server.hashed })).message).toContain('The password was not sent.');
    const hashed = await open(server, { user: server.hashed, allowCleartextPassword: true });
    expect(await hashed.countRows('small')).toBe(3);
    await hashed.close();
    const wrong = await refused(server, { user: server.hashed, secret: 'wrong', allowCleartextPassword: true });
    expect(wrong).toMatchObject({ code: 'target-auth-failed', message: expect.stringContaining('hashed') });
  });

  test('rejects a client that sends connection attributes', async () => {
    const { address: host, port, user, password, database } = server;
    const login = createConnection({ host, port, user, password, database });
    await expect(login).rejects.toMatchObject({ code: 'PROTOCOL_CONNECTION_LOST' });
  });

  test('that is killed is reported as lost', async () => {
    const again = await open(server);
    await server.kill('SIGKILL');
    expect(await problemOf(again.ping())).toMatchObject({
      code: 'target-unreachable',
      message: expect.stringMatching(/was lost/),
    });
    await again.close();
    await server.restart();
    const after = await open(server);
    expect(await after.countRows('small')).toBe(3);
    await after.close();
  });
});

describe.skipIf(lacksClickHouse())('ClickHouse with TLS and other settings', () => {
  let server: Server;
  beforeAll(async () => {
    server = await startClickHouse({ tls: true, mergeTree: { old_parts_lifetime: 0, fsync_after_insert: 1 } });
  }, FETCH_LIMIT);
  afterAll(() => server?.stop());

  test.each([
    ['preferred', /^TLSv1\.[23], \w+, certificate not checked$/],
    ['required', /^TLSv1\.[23], \w+, certificate not checked$/],
    ['verify', /^TLSv1\.[23], \w+, certificate checked$/],
    ['disabled', /^none$/],
  ])('%s', async (tls, words) => {
    for (const user of tls === 'disabled' ? [server.user] : [server.user, server.hashed]) {
      const session = await open(server, { user, tls, ...(tls === 'verify' && { caFile: server.tls?.caFile }) });
      expect((await session.describe()).tls).toMatch(words);
      // Its own protocol has no TLS port here, and the CA is on this computer.
      expect((await session.samplesOnHost()) !== undefined).toBe(tls === 'disabled' || tls === 'preferred');
      await session.close();
    }
  });

  test('verify refuses an unknown CA', async () => {
    expect(await refused(server, { tls: 'verify' })).toMatchObject({
      code: 'target-unreachable',
      message: expect.stringMatching(/encrypted connection .* not accepted/),
    });
  });

  test('is unsafe if merged parts are not synced and replace their sources at once', async () => {
    const session = await open(server, { tls: 'disabled' });
    expect((await session.describe()).durability).toMatchObject({
      level: 'unsafe',
      why: expect.stringContaining('merge_tree_settings.old_parts_lifetime = 0'),
    });
    const apart = async () =>
      (await session.describe()).settings.find(({ name }) => name.startsWith('tables with'))?.value;
    await runClickHouse(server, ['CREATE TABLE common (id UInt8) ENGINE = MergeTree ORDER BY id']);
    expect(await apart()).toBeUndefined();
    await runClickHouse(server, [
      'CREATE TABLE special (id UInt8) ENGINE = MergeTree ORDER BY id SETTINGS old_parts_lifetime = 480',
    ]);
    expect(await apart()).toBe('1 of 2');
    await session.close();
  });
});
