import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DatabaseServer, runSql, startMySql } from '../../../../../e2e/testbed/databases/index.ts';
import { openServer, problemOf } from '../test-servers.ts';
import { mysqlTarget } from './index.ts';

const open = (server: DatabaseServer, changes: Record<string, unknown>) => openServer(mysqlTarget, server, changes);
const user = (name: string, plugin: string, secret: string): string[] => [
  `CREATE USER '${name}'@'%' IDENTIFIED WITH ${plugin} BY '${secret}'`,
  `GRANT ALL ON sbtest.* TO '${name}'@'%'`,
];

describe.each(['8.0.12', '8.0.33'] as const)('accounts of MySQL %s', (version) => {
  const secret = 'Other-pw2';
  let server: DatabaseServer;
  beforeAll(async () => {
    server = await startMySql(version, { tls: true });
    await runSql(server, [...user('sha2', 'caching_sha2_password', secret), ...user('sha', 'sha256_password', secret)]);
  });
  afterAll(() => server.stop());

  // The server remembers who has logged in, and then asks for less.
  test.each([
    ['without TLS', () => ({ tls: 'disabled' })],
    ['with TLS', () => ({ tls: 'required' })],
    ['by the socket', () => ({ tls: 'disabled', socket: server.socket })],
  ])('log in for the first time with caching_sha2_password %s', async (_way, changes) => {
    await runSql(server, ['FLUSH PRIVILEGES']);
    for (let time = 0; time < 2; time += 1) {
      const session = await open(server, { user: 'sha2', secret, ...changes() });
      expect(await session.ping()).toBeGreaterThan(0);
      await session.close();
    }
    await runSql(server, ['FLUSH PRIVILEGES']);
    expect(await problemOf(open(server, { user: 'sha2', secret: 'wrong', ...changes() }))).toMatchObject({
      code: 'target-auth-failed',
    });
  });

  test.each(['disabled', 'required'])('log in with sha256_password, TLS %s', async (tls) => {
    const session = await open(server, { user: 'sha', secret, tls });
    expect(await session.ping()).toBeGreaterThan(0);
    await session.close();
  });

  test('that may connect with TLS only are told so', async () => {
    await runSql(server, ['SET GLOBAL require_secure_transport = ON']);
    expect(await problemOf(open(server, { tls: 'disabled' }))).toMatchObject({
      code: 'target-unreachable',
      message: expect.stringContaining('takes encrypted connections only'),
      next: expect.stringContaining('TLS mode'),
    });
    const session = await open(server, { tls: 'preferred' });
    await session.close();
  });
});

test('a password from before MySQL 4.1 is told by its kind', async () => {
  const server = await startMySql('5.6.24', { settings: { secure_auth: 'OFF' } });
  await runSql(server, [
    'SET old_passwords = 1',
    "CREATE USER 'old'@'%' IDENTIFIED WITH mysql_old_password",
    "SET PASSWORD FOR 'old'@'%' = OLD_PASSWORD('ancient')",
  ]);
  expect(await problemOf(open(server, { user: 'old', secret: 'ancient' }))).toMatchObject({
    code: 'target-auth-failed',
    message: expect.stringContaining('wants old to log in with mysql_old_password'),
    next: expect.stringContaining('caching_sha2_password'),
  });
  await server.stop();
});
