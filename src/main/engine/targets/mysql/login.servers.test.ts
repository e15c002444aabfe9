import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DatabaseServer, runSql, startMySql } from '../../../../../e2e/testbed/databases/index.ts';
import type { Reach } from '../target.ts';
import { directly, openServer, problemOf } from '../testing/servers.ts';
import { mysqlTarget } from './index.ts';

const open = (server: DatabaseServer, changes: Record<string, unknown>, reach?: Reach) =>
  openServer(mysqlTarget, server, changes, reach);
/** Like an SSH connection to a host. */
const through = (host: string): Reach => ({ ...directly, through: host });
const OTHER_KEY = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ type: 'spki', format: 'pem' });
const user = (name: string, plugin: string, secret: string): string[] => [
  `CREATE USER '${name}'@'%' IDENTIFIED WITH ${plugin} BY '${secret}'`,
  `GRANT ALL ON sbtest.* TO '${name}'@'%'`,
];

/** MySQL's client escapes line ends like this in output for programs. */
const printed = (key = ''): string => key.trim().replaceAll('\n', '\\n');

describe.each(['8.0.12', '8.0.33'] as const)('accounts of MySQL %s', (version) => {
  const secret = 'Other-pw2';
  let server: DatabaseServer;
  beforeAll(async () => {
    server = await startMySql(version, { tls: true });
    await runSql(server, [...user('sha2', 'caching_sha2_password', secret), ...user('sha', 'sha256_password', secret)]);
  });
  afterAll(() => server.stop());

  // The server remembers recent logins with caching_sha2_password, and then requests less.
  test.each([
    ['with the server’s key pinned', () => ({ tls: 'disabled' }), directly],
    [
      'with its key as the client prints it',
      () => ({ tls: 'disabled', serverKey: printed(server.serverKey) }),
      directly,
    ],
    ['with TLS', () => ({ tls: 'required', serverKey: '' }), directly],
    ['with TLS where the server has it', () => ({ tls: 'preferred', serverKey: '' }), directly],
    ['by the socket', () => ({ tls: 'disabled', serverKey: '', socket: server.socket }), directly],
    ['through SSH to its own host', () => ({ tls: 'disabled', serverKey: '' }), through('db1')],
    ['where a person allows it', () => ({ tls: 'disabled', serverKey: '', allowCleartextPassword: true }), directly],
  ])('log in for the first time %s', async (_way, changes, reach) => {
    for (const user of ['sha2', 'sha']) {
      await runSql(server, ['FLUSH PRIVILEGES']);
      for (let time = 0; time < 2; time += 1) {
        const session = await open(server, { user, secret, ...changes() }, reach);
        expect(await session.ping()).toBeGreaterThan(0);
        await session.close();
      }
      await runSql(server, ['FLUSH PRIVILEGES']);
      expect(await problemOf(open(server, { user, secret: 'wrong', ...changes() }, reach))).toMatchObject({
        code: 'target-auth-failed',
        message: expect.stringContaining('refused the login'),
      });
    }
  });

  test.each([
    ['without a pinned key', { serverKey: '' }, directly, /a key that is not pinned/],
    ['with another key pinned', { serverKey: OTHER_KEY }, directly, /a key other than the one pinned/],
    ['with another key pinned, through its own host', { serverKey: OTHER_KEY }, through('db1'), /via db1/],
  ])('are refused the password %s, with a remedy', async (_way, changes, reach, words) => {
    for (const user of ['sha2', 'sha']) {
      await runSql(server, ['FLUSH PRIVILEGES']);
      const problem = await problemOf(open(server, { user, secret, tls: 'disabled', ...changes }, reach));
      expect(problem).toMatchObject({ code: 'target-auth-failed', message: expect.stringMatching(words) });
      expect(problem.message).toContain('The password was not sent.');
      expect(JSON.stringify(problem)).not.toContain(secret);
    }
  });

  test('log in with the hash once the server has cached them', async () => {
    await runSql(server, ['FLUSH PRIVILEGES']);
    await (await open(server, { user: 'sha2', secret, tls: 'required' })).close();
    await (await open(server, { user: 'sha2', secret, tls: 'disabled', serverKey: '' })).close();
  });

  test('are described with their permissions', async () => {
    const session = await open(server, { user: 'sha2', secret, allowCleartextPassword: true });
    expect((await session.describe()).settings).toContainEqual(
      expect.objectContaining({ name: 'password', value: 'readable: allowed' }),
    );
    await session.close();
  });

  test('that require TLS are reported', async () => {
    await runSql(server, ['SET GLOBAL require_secure_transport = ON']);
    expect(await problemOf(open(server, { tls: 'disabled' }))).toMatchObject({
      code: 'target-unreachable',
      message: expect.stringContaining('accepts encrypted connections only'),
      next: expect.stringContaining('TLS mode'),
    });
    const session = await open(server, { tls: 'preferred' });
    await session.close();
  });
});

test('a password from before MySQL 4.1 is reported with its plugin', async () => {
  const server = await startMySql('5.6.24', { settings: { secure_auth: 'OFF' } });
  await runSql(server, [
    'SET old_passwords = 1',
    "CREATE USER 'old'@'%' IDENTIFIED WITH mysql_old_password",
    "SET PASSWORD FOR 'old'@'%' = OLD_PASSWORD('ancient')",
  ]);
  expect(await problemOf(open(server, { user: 'old', secret: 'ancient' }))).toMatchObject({
    code: 'target-auth-failed',
    message: expect.stringContaining('requires old to log in with mysql_old_password'),
    next: expect.stringContaining('caching_sha2_password'),
  });
  await server.stop();
});

// Both have a TLS library of their time, which supports 1.0 and 1.1.
describe.each(['5.6.24', '5.7.22'] as const)('MySQL %s with TLS and other settings', (version) => {
  let server: DatabaseServer;
  beforeAll(async () => {
    const settings = { innodb_flush_log_at_trx_commit: 0, log_bin: 'binlog', server_id: 1, sync_binlog: 0 };
    server = await startMySql(version, { tls: true, settings });
  });
  afterAll(() => server.stop());
  const open = (changes: Record<string, unknown>) => openServer(mysqlTarget, server, changes);

  test('"preferred" continues without encryption and reports that', async () => {
    for (const way of [{}, { socket: server.socket }]) {
      const session = await open({ tls: 'preferred', ...way });
      expect((await session.describe()).tls).toBe('none: the server offers no TLS 1.2 or later');
      await session.close();
    }
  });

  test.each(['required', 'verify'])('"%s" is refused with the reason and a remedy', async (tls) => {
    for (const way of [{}, { socket: server.socket }])
      expect(await problemOf(open({ tls, caFile: server.tls?.caFile, ...way }))).toMatchObject({
        code: 'target-unreachable',
        message: expect.stringContaining('offers no TLS 1.2 or later'),
        next: expect.stringContaining('“preferred” or “disabled”'),
      });
  });

  test('a wrong password is still reported as such', async () => {
    expect(await problemOf(open({ tls: 'preferred', secret: 'wrong' }))).toMatchObject({ code: 'target-auth-failed' });
  });

  test('judges durability by the settings', async () => {
    const session = await open({ tls: 'disabled' });
    expect((await session.describe()).durability).toMatchObject({
      level: 'relaxed',
      why: expect.stringContaining('innodb_flush_log_at_trx_commit = 0, sync_binlog = 0'),
    });
    await session.close();
  });
});
