import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DatabaseServer, runSql, startMySql } from '../../../../../e2e/testbed/databases/index.ts';
import { hasCompiler, ycsbWith } from '../../../../../e2e/testbed/ycsb/index.ts';
import { ycsbBench } from './bench.ts';

// Where nothing may be left out, its absence is a failure.
describe.skipIf(!hasCompiler() && process.env.CI !== 'true')('MySQL 8 without TLS', () => {
  let folder: string;
  let directory: string;
  let server: DatabaseServer;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kneepoint-ycsb-login-'));
    [directory, server] = await Promise.all([ycsbWith('jdbc'), startMySql('8.0.33')]);
  });
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(['auto', 'mariadb'])(
    'takes the password of the driver %s that logs in for the first time',
    { timeout: 600_000 },
    async (driver) => {
      const { address: host, port, user, password, database } = server;
      const options = { directory, binding: 'jdbc', 'jdbc-driver': driver, recordcount: 10, 'load-threads': 1 };
      const { planned, done } = ycsbBench(folder, options, () => ({
        kind: 'mysql',
        host,
        port,
        user,
        password,
        database,
        tls: 'preferred',
      }));
      const { prepare, cleanup } = planned({});
      // The server forgets who has logged in already, and wants the whole password again.
      await runSql(server, ['FLUSH PRIVILEGES']);
      expect(await done(prepare, 'prepare')).toMatchObject({ ok: true, summary: { insert_return_ok_total: 10 } });
      await runSql(server, ['FLUSH PRIVILEGES']);
      expect(await done(cleanup, 'cleanup')).toMatchObject({ ok: true });
    },
  );
});
