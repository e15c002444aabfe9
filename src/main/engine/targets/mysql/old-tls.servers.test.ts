import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DatabaseServer, startMySql } from '../../../../../e2e/testbed/databases/index.ts';
import { openServer, problemOf } from '../testing/servers.ts';
import { mysqlTarget } from './index.ts';

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
        next: expect.stringContaining('"preferred" or "disabled"'),
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
