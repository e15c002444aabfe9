import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type DatabaseOptions,
  type DatabaseServer,
  freePort,
  runSql,
  startMariaDb,
  startMariaDb11,
  startMySql,
  startMySql8,
  startPostgres,
} from '../../../../e2e/testbed/databases/index.ts';
import { KneepointError, type Problem } from '../../../shared/model/problem.ts';
import { TargetDescription } from '../../../shared/model/target.ts';
import { byDay } from '../../../shared/util/testing/depth.ts';
import { targetByKind } from './index.ts';
import type { TargetSession } from './target.ts';
import { openServer, problemOf } from './testing/servers.ts';

const open = (server: DatabaseServer, changes: Record<string, unknown> = {}) =>
  openServer(targetByKind(server.product === 'postgres' ? 'postgres' : 'mysql'), server, changes);
/** The problem that opening results in. */
const refused = (server: DatabaseServer, changes: Record<string, unknown>): Promise<Problem> =>
  problemOf(open(server, changes).then((session) => session.close()));

const SERVERS = [
  { product: 'MariaDB', version: '10.11.', start: startMariaDb },
  { product: 'MariaDB', version: '11.4.', start: startMariaDb11 },
  { product: 'MySQL', version: '5.6.24', start: (options = {}) => startMySql('5.6.24', options) },
  { product: 'MySQL', version: '5.7.22', start: (options = {}) => startMySql('5.7.22', options) },
  { product: 'MySQL', version: '8.0.12', start: startMySql8 },
  { product: 'MySQL', version: '8.0.33', start: (options = {}) => startMySql('8.0.33', options) },
  { product: 'PostgreSQL', version: '15.', start: startPostgres },
] as const satisfies { product: string; version: string; start(options?: DatabaseOptions): Promise<DatabaseServer> }[];
/** Differences between versions are tested in details.servers.test.ts. */
const servers = byDay<(typeof SERVERS)[number]>(SERVERS, ({ version }) => ['10.11.', '15.'].includes(version));
/** Their TLS versions are too old for any client: see `mysql/login.servers.test.ts`. */
const OLD_TLS: readonly string[] = ['5.6.24', '5.7.22'];

describe.each(servers)('$product $version', ({ product: name, version, start }) => {
  let server: DatabaseServer;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server.stop());

  test('is connected and described with its important settings', async () => {
    const session = await open(server);
    expect(await session.ping()).toBeGreaterThan(0);
    const description = TargetDescription.parse(await session.describe());
    expect(description.product).toBe(name);
    expect(description.version.startsWith(version)).toBe(true);
    expect(description.settings.length).toBeGreaterThanOrEqual(10);
    for (const setting of description.settings) expect(setting.why).toMatch(/\.$/);
    expect(description.settings.map((setting) => setting.name)).toContain('max_connections');
    expect(description.dataBytes).toBeGreaterThanOrEqual(0);
    expect(description.tls).toBe('none: the server offers no TLS');
    // MySQL 8 has its binary log on and sync_binlog = 1 by default; MariaDB's is off.
    expect(description.durability?.level).toBe('safe');
    const identity = await session.identity?.();
    const parts = { PostgreSQL: 'system identifier', MySQL: 'server uuid', MariaDB: 'data directory' };
    expect(identity).toMatchObject({ [parts[name]]: expect.stringMatching(/.{8}/) });
    const again = await open(server);
    expect(await again.identity?.()).toEqual(identity);
    await again.close();
    await session.close();
  });

  test('counts rows of a table with any name, and reports a missing table', async () => {
    const quote = name === 'PostgreSQL' ? '"' : '`';
    const odd = `odd ${quote}${quote} name; DROP TABLE plain`;
    await runSql(server, [
      'CREATE TABLE plain (id INT)',
      'INSERT INTO plain VALUES (1), (2), (3)',
      `CREATE TABLE ${quote}${odd}${quote} (id INT)`,
    ]);
    const session = await open(server);
    expect(await session.countRows('plain')).toBe(3);
    expect(await session.countRows(odd.replaceAll(quote + quote, quote))).toBe(0);
    expect(await session.countRows('missing')).toBeUndefined();
    expect(await session.countRows(`plain${quote} WHERE 1=0 -- `)).toBeUndefined();
    expect(await session.countRows('plain')).toBe(3);
    await session.close();
  });

  test('judges unlogged tables separately from the settings of the others', async () => {
    const isPostgres = name === 'PostgreSQL';
    await runSql(server, [
      'CREATE TABLE logged (id INT)',
      isPostgres ? 'CREATE UNLOGGED TABLE forgetful (id INT)' : 'CREATE TABLE forgetful (id INT) ENGINE=MyISAM',
    ]);
    const session = await open(server);
    const { storage = [], durability } = TargetDescription.parse(await session.describe());
    const holding = (table: string) => storage.find(({ tables }) => tables.includes(table));
    expect(holding('logged')).toMatchObject({
      ...{ name: isPostgres ? 'permanent' : 'InnoDB', durability: { level: 'safe' } },
    });
    expect(holding('forgetful')).toMatchObject({
      ...{ name: isPostgres ? 'unlogged' : 'MyISAM', durability: { level: 'unsafe' } },
    });
    expect(durability?.level).toBe('unsafe');
    if (!isPostgres) expect(storage.find(({ name: engine }) => engine === 'MEMORY')?.durability.level).toBe('unsafe');
    await runSql(server, ['DROP TABLE logged', 'DROP TABLE forgetful']);
    expect((await session.describe()).durability?.level).toBe('safe');
    await session.close();
  });

  test('has increasing numbers as counters', async () => {
    const session = await open(server);
    const counter = name === 'PostgreSQL' ? 'pg_stat_database.xact_commit' : 'Questions';
    const before = await session.counters();
    for (let query = 0; query < 5; query += 1) await session.ping();
    // PostgreSQL publishes a backend's counts at most once a second.
    await expect.poll(async () => (await session.counters())[counter]).toBeGreaterThan(before[counter] ?? Infinity);
    expect(Object.keys(before).length).toBeGreaterThan(20);
    for (const value of Object.values(before)) expect(Number.isFinite(value)).toBe(true);
    await session.close();
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
    const port = await freePort(server.address);
    expect(await refused(server, { port })).toMatchObject({
      code: 'target-unreachable',
      message: expect.stringContaining('refused'),
    });
    expect(await refused(server, { address: 'no-such-machine.invalid' })).toMatchObject({
      code: 'target-unreachable',
      message: expect.stringContaining('no-such-machine.invalid'),
    });
  });

  test('never falls back to an unencrypted connection unless TLS is "preferred"', async () => {
    for (const tls of ['required', 'verify']) {
      expect(await refused(server, { tls })).toMatchObject({
        code: 'target-unreachable',
        message: expect.stringContaining('offers no TLS'),
      });
    }
    const session = await open(server, { tls: 'disabled' });
    expect((await session.describe()).tls).toBe('none');
    await session.close();
  });

  test('is reachable by its socket, whatever the port', async () => {
    const session = await open(server, { socket: server.socket, port: 1, tls: 'preferred' });
    expect(await session.countRows('missing')).toBeUndefined();
    expect((await session.describe()).tls).toMatch(/^none: /);
    await session.close();
    expect(await refused(server, { socket: server.socket, secret: 'wrong' })).toMatchObject({
      code: 'target-auth-failed',
      message: expect.stringContaining(server.socket),
    });
  });

  test('that is killed is reported as lost', async () => {
    const session = await open(server);
    await server.kill('SIGKILL');
    const problem = await session.ping().then(
      () => undefined,
      (error: unknown) => (error instanceof KneepointError ? error.problem : undefined),
    );
    expect(problem).toMatchObject({ code: 'target-unreachable', message: expect.stringMatching(/was lost/) });
    await session.close();
    await server.restart();
    const again = await open(server);
    expect(await again.countRows('missing')).toBeUndefined();
    await again.close();
  });
});

describe.each(servers.filter(({ version }) => !OLD_TLS.includes(version)))(
  '$product $version with TLS and other settings',
  ({ product: name, start }) => {
    let server: DatabaseServer;
    let other: DatabaseServer;
    const unsafe =
      name === 'PostgreSQL'
        ? { synchronous_commit: 'off', max_connections: 5, superuser_reserved_connections: 0 }
        : { innodb_flush_log_at_trx_commit: 2, max_connections: 3 };
    beforeAll(async () => {
      [server, other] = await Promise.all([
        start({ tls: true, settings: unsafe }),
        start({
          tls: true,
          tlsNames: ['localhost'],
          settings: name === 'PostgreSQL' ? { fsync: 'off' } : { innodb_doublewrite: 'OFF' },
        }),
      ]);
    });
    afterAll(() => Promise.all([server.stop(), other.stop()]));

    test.each(['preferred', 'required'])(
      '%s encrypts without checking a self-signed certificate, and reports that',
      async (tls) => {
        const session = await open(server, { tls });
        expect((await session.describe()).tls).toMatch(/^TLSv1\.[23], .*, certificate not checked$/);
        if (name === 'PostgreSQL') {
          const [encrypted, plain] = [await open(server, { tls }), await open(server, { tls: 'disabled' })];
          const { metrics } = await session.sample();
          const encryption = Object.entries(metrics).filter(([each]) => each.startsWith('encryption.'));
          expect(encryption.toSorted()).toEqual([
            [expect.stringMatching(/^encryption\.TLSv1\.[23] \S+$/), 1],
            ['encryption.none', 1],
          ]);
          await Promise.all([encrypted.close(), plain.close()]);
        }
        await session.close();
      },
    );

    test('verify accepts the certificate of the named CA for this address', async () => {
      const session = await open(server, { tls: 'verify', caFile: server.tls?.caFile });
      expect((await session.describe()).tls).toMatch(/certificate checked$/);
      await session.close();
    });

    test('verify refuses an unknown CA, a certificate for another name, and a missing CA file', async () => {
      expect(await refused(server, { tls: 'verify' })).toMatchObject({
        code: 'target-unreachable',
        message: expect.stringMatching(/encrypted connection .* not accepted/),
      });
      expect(await refused(other, { tls: 'verify', caFile: other.tls?.caFile })).toMatchObject({
        code: 'target-unreachable',
        message: expect.stringContaining('127.0.0.1 is not in the cert'),
      });
      const named = await open(other, { tls: 'verify', caFile: other.tls?.caFile, address: 'localhost' });
      await named.close();
      expect(await refused(server, { tls: 'verify', caFile: '/no/such/ca.pem' })).toMatchObject({
        code: 'not-found',
        message: expect.stringContaining('/no/such/ca.pem'),
      });
    });

    test('judges durability by the settings', async () => {
      const [relaxed, damaging] = [await open(server), await open(other)];
      expect((await relaxed.describe()).durability).toMatchObject({
        level: 'relaxed',
        why: expect.stringContaining(
          name === 'PostgreSQL' ? 'synchronous_commit = off' : 'innodb_flush_log_at_trx_commit = 2',
        ),
      });
      expect((await damaging.describe()).durability).toMatchObject({
        level: 'unsafe',
        why: expect.stringContaining(name === 'PostgreSQL' ? 'fsync = off' : 'innodb_doublewrite = OFF'),
      });
      await Promise.all([relaxed.close(), damaging.close()]);
    });

    test('too many connections are reported as the cause', async () => {
      const sessions: TargetSession[] = [];
      const fill = async (): Promise<Problem> => {
        for (;;) sessions.push(await open(server));
      };
      const problem = await fill().catch((error: unknown) =>
        error instanceof KneepointError ? error.problem : undefined,
      );
      expect(problem).toMatchObject({
        code: 'target-unreachable',
        message: expect.stringContaining('no more connections'),
      });
      await Promise.all(sessions.map((session) => session.close()));
    });
  },
);
