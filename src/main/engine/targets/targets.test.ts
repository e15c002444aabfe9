import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ObjectName } from '../../../shared/model/host.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import { TargetKind, TargetKindInfo } from '../../../shared/model/target.ts';
import { exampleFacts, GENERATOR_KIND, pathOf, TARGETS, targetByKind, targetKindInfo } from './index.ts';
import type { Reach, TargetSession } from './target.ts';

const nothing = () => Promise.reject(new Error('Nothing may be reached.'));
const nowhere: Reach = { dial: nothing, dialSocket: nothing, exec: nothing };

test('kinds have unique names, and one of them is the generator itself', () => {
  expect(new Set(TARGETS.map(({ kind }) => kind)).size).toBe(TARGETS.length);
  for (const target of TARGETS) expect(targetByKind(TargetKind.parse(target.kind))).toBe(target);
  expect(targetByKind(GENERATOR_KIND).withoutTarget).toBe('generator');
});

test('product-specific settings belong to one kind only', () => {
  const kindsOf = (name: string) =>
    TARGETS.filter(({ ownSettings }) => ownSettings?.test(name)).map(({ kind }) => kind);
  expect(kindsOf('innodb_flush_log_at_trx_commit')).toEqual(['mysql']);
  expect(kindsOf('shared_buffers')).toEqual(['postgres']);
  expect(kindsOf('max_connections')).toEqual([]);
});

test('an unknown kind is refused with the known ones', () => {
  expect(() => targetByKind('oracle')).toThrow(KneepointError);
  expect(() => targetByKind('oracle')).toThrow(/"oracle"/);
});

describe.each(TARGETS.map((target) => [target.kind, target] as const))('%s', (_kind, target) => {
  test('has a form in which every field has a title and description, and a default or is required', () => {
    const info = TargetKindInfo.parse(targetKindInfo(target));
    const schema = info.schema as {
      properties: Record<string, object>;
      required?: string[];
      additionalProperties: boolean;
    };
    expect(schema.additionalProperties).toBe(false);
    for (const [name, property] of Object.entries(schema.properties)) {
      expect(property).toMatchObject({
        title: expect.any(String),
        description: expect.any(String),
        group: expect.any(String),
      });
      expect('default' in property).toBe(!(schema.required ?? []).includes(name));
    }
  });

  test('has an example with a valid name and configuration', () => {
    const { example, config, facts } = target;
    expect(ObjectName.parse(example.name)).toBe(example.name);
    expect(facts(config.parse(example.config), undefined).kind).toBe(target.kind);
    expect(target.family).toMatch(/^\S+$/);
  });

  test('refuses unknown fields', () => {
    expect(target.config.safeParse({ path: '/x', user: 'u', database: 'd', password: 'p' }).success).toBe(false);
  });
});

test('the cache size of a server is read from its settings in any notation', () => {
  const cache = (kind: string, name: string, value: string, storage?: string) =>
    targetByKind(kind).cacheBytes?.((asked) => (asked === name ? value : undefined), storage);
  const MIB128 = 134_217_728;
  expect(cache('mysql', 'innodb_buffer_pool_size', '134217728')).toBe(MIB128);
  expect(cache('mysql', 'innodb_buffer_pool_size', '128M', 'innodb')).toBe(MIB128);
  expect(cache('mysql', 'innodb_buffer_pool_size', '128M', 'MyISAM')).toBeUndefined();
  expect(cache('postgres', 'shared_buffers', '128MB')).toBe(MIB128);
  expect(cache('postgres', 'shared_buffers', '16384')).toBe(MIB128);
  expect(cache('postgres', 'other', '128MB')).toBeUndefined();
  expect(cache('mongodb', 'cacheBytes', '134217728')).toBe(MIB128);
});

describe('placeholders of a target that is not chosen', () => {
  test('have the default port, and words for user input', () => {
    expect(exampleFacts('mysql', undefined)).toMatchObject({ host: 'TARGET', port: 3306, user: 'USER' });
    expect(exampleFacts('postgres', 'my db')).toMatchObject({ host: 'my db', port: 5432, database: 'DATABASE' });
  });

  test('are left out if the workload needs no target', () => {
    expect(exampleFacts('host', undefined)).toEqual({ kind: 'host' });
    expect(exampleFacts('sqlite', 'x')).toEqual({ kind: 'sqlite' });
  });
});

test.each([
  ['storage', { path: '/srv' }, '/srv'],
  ['host', { directory: '/srv' }, '/srv'],
  ['host', {}, undefined],
  ['mysql', { user: 'u', database: 'd' }, undefined],
  ['storage', { path: 'not absolute' }, undefined],
])('the path of a target of the kind %s with %o is %s', (kind, config, path) => {
  expect(pathOf({ kind, config })).toBe(path);
});

describe('connection facts', () => {
  test('contain several addresses, each with its port', () => {
    const { config, facts } = targetByKind('mysql');
    const of = (addresses: string, more = {}) =>
      facts(config.parse({ address: 'db1', user: 'u', database: 'd', addresses, ...more }), undefined).addresses;
    expect(of('')).toBeUndefined();
    expect(of('db2, 10.0.0.9:3307,[fe80::1]:3308, fe80::2')).toEqual([
      { host: 'db1', port: 3306 },
      { host: 'db2', port: 3306 },
      { host: '10.0.0.9', port: 3307 },
      { host: 'fe80::1', port: 3308 },
      { host: 'fe80::2', port: 3306 },
    ]);
    expect(of('db2', { socket: '/run/my.sock' })).toBeUndefined();
    for (const wrong of ['db 2', 'db2:0', 'db2:99999', 'db2;rm', '[db2]:1', '--help'])
      expect(() => of(wrong), wrong).toThrow(/Host names or IP addresses/);
  });

  const factsOf = (kind: string, changes: Record<string, unknown>) => {
    const target = targetByKind(kind);
    return target.facts(target.config.parse({ user: 'u', database: 'd', ...changes }), 'pw');
  };

  test('of a server include TLS and password', () => {
    const target = targetByKind('mysql');
    const config = target.config.parse({
      address: 'db1',
      user: 'sb',
      database: 'test',
      tls: 'verify',
      caFile: '/etc/ca.pem',
    });
    expect(target.facts(config, 'pw')).toEqual({
      kind: 'mysql',
      host: 'db1',
      port: 3306,
      user: 'sb',
      password: 'pw',
      database: 'test',
      tls: 'verify',
      caFile: '/etc/ca.pem',
    });
  });

  test('without a secret contain no password, and contain the socket', () => {
    const target = targetByKind('postgres');
    const facts = target.facts(
      target.config.parse({ user: 'u', database: 'd', socket: '/run/pg/.s.PGSQL.5432' }),
      undefined,
    );
    expect(facts).toEqual({
      kind: 'postgres',
      host: '127.0.0.1',
      port: 5432,
      socket: '/run/pg/.s.PGSQL.5432',
      user: 'u',
      database: 'd',
      tls: 'preferred',
    });
  });

  test('contain a pinned key and the permission to send the password in cleartext', () => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const serverKey = publicKey.export({ type: 'spki', format: 'pem' }).toString().trim();
    for (const kind of ['mysql', 'clickhouse']) expect(factsOf(kind, { serverKey })).toMatchObject({ serverKey });
    for (const kind of ['mysql', 'clickhouse', 'postgres']) {
      expect(factsOf(kind, {})).not.toHaveProperty('serverKey');
      expect(factsOf(kind, { allowCleartextPassword: false })).not.toHaveProperty('allowCleartextPassword');
      expect(factsOf(kind, { allowCleartextPassword: true })).toMatchObject({ allowCleartextPassword: true });
    }
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ type: 'spki', format: 'pem' });
    for (const wrong of ['SHA256:abc', other, `${serverKey}\n${serverKey}`])
      expect(targetByKind('mysql').config.safeParse({ user: 'u', database: 'd', serverKey: wrong }).success).toBe(
        false,
      );
  });

  test('of a host contain only its kind', () => {
    const target = targetByKind('host');
    expect(target.facts(target.config.parse({}), undefined)).toEqual({ kind: 'host' });
    expect(target.facts(target.config.parse({ directory: '/srv' }), undefined)).toEqual({ kind: 'host', path: '/srv' });
  });

  test.each([
    { address: '-oProxyCommand=x' },
    { address: 'a b' },
    { address: '' },
    { user: 'a\nb' },
    { database: 'a\0b' },
    { port: 0 },
    { port: 65_536 },
    { socket: 'relative' },
    { tls: 'maybe' },
  ])('a server is refused with %o', (change) => {
    expect(targetByKind('mysql').config.safeParse({ user: 'u', database: 'd', ...change }).success).toBe(false);
  });

  test.each(['db-1.example.org', '10.0.0.5', '::1', 'fe80::1%eth0', 'my_db'])('%s is an address', (address) => {
    expect(targetByKind('mysql').config.safeParse({ user: 'u', database: 'd', address }).success).toBe(true);
  });
});

describe('an SQLite file', () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'kneepoint-sqlite-target-'));
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  const open = async (path: string): Promise<TargetSession> => {
    const target = targetByKind('sqlite');
    const session = await target.open?.(target.config.parse({ path }), undefined, nowhere);
    if (!session) throw new Error('It did not open.');
    return session;
  };

  test('is described and counted without being modified', async () => {
    const path = join(directory, 'data.db');
    const database = new Database(path);
    database.pragma('journal_mode = WAL');
    database.exec('CREATE TABLE "a ""b" (x); INSERT INTO "a ""b" VALUES (1), (2)');
    database.close();
    const session = await open(path);
    const description = await session.describe();
    expect(description).toMatchObject({ product: 'SQLite', version: expect.stringMatching(/^3\./) });
    expect(description.settings).toContainEqual(expect.objectContaining({ name: 'journal_mode', value: 'wal' }));
    expect(description.dataBytes).toBeGreaterThan(0);
    expect(await session.countRows('a "b')).toBe(2);
    expect(await session.countRows('missing')).toBeUndefined();
    expect((await session.counters()).page_count).toBeGreaterThan(0);
    const settings = await session.settings?.();
    expect(settings).toContainEqual({ name: 'journal_mode', value: 'wal', change: 'dynamic', source: 'file' });
    expect(settings?.find(({ name }) => name === 'THREADSAFE')).toMatchObject({ change: 'fixed' });
    expect(await session.ping()).toBeGreaterThanOrEqual(0);
    const value = statSync(path).size;
    expect((await session.stored?.())?.sizes).toContainEqual({
      ...{ what: 'data files, length', value, source: 'data.db on this computer, length' },
    });
    await session.close();
  });

  test('may be missing, as the first run creates it', async () => {
    const session = await open(join(directory, 'new.db'));
    expect((await session.describe()).settings).toContainEqual(
      expect.objectContaining({ name: 'file', value: 'does not exist yet' }),
    );
    expect(await session.countRows('usertable')).toBeUndefined();
    expect(await session.stored?.()).toEqual({ sizes: [], places: [] });
    await session.close();
  });

  test('in a missing folder or with other contents is a problem', async () => {
    await expect(open(join(directory, 'none', 'x.db'))).rejects.toMatchObject({
      problem: { code: 'target-unreachable' },
    });
    const path = join(directory, 'text.db');
    writeFileSync(path, 'just text, long enough to be looked at as a header\n'.repeat(50));
    await expect(open(path)).rejects.toMatchObject({
      problem: { code: 'target-unreachable', message: expect.stringContaining('not a database') },
    });
  });
});
