import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DatabaseServer, runSql, startMySql } from '../../../../../e2e/testbed/databases/index.ts';
import { ROGUE_MYSQL, startRogueMySql } from '../../../../../e2e/testbed/rogues/index.ts';
import { hasCompiler, ycsbWith } from '../../../../../e2e/testbed/ycsb/index.ts';
import { byDay } from '../../../../shared/util/testing/depth.ts';
import { ycsbBench } from './testing/bench.ts';

// With CI=true nothing may be skipped: a missing compiler fails the tests.
describe.skipIf(!hasCompiler() && process.env.CI !== 'true')('MySQL 8 without TLS', () => {
  let folder: string;
  let directory: string;
  let server: DatabaseServer;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kneepoint-ycsb-login-'));
    // On a busy machine, a newly loaded driver takes longer to respond than the server's default of ten seconds.
    const patient = { settings: { connect_timeout: 300 } };
    [directory, server] = await Promise.all([ycsbWith('jdbc'), startMySql('8.0.33', patient)]);
  });
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const logins = [
    ['auto', 'with a pinned key', () => ({ serverKey: server.serverKey ?? '' }), true],
    ['auto', 'on its own host', () => ({ endsOnServerHost: true as const }), true],
    ['auto', 'with any key', () => ({}), false],
    ['mariadb', 'with a pinned key', () => ({ serverKey: server.serverKey ?? '' }), true],
    ['mariadb', 'with any key', () => ({}), false],
  ] as const;
  // In daily runs, one accepted login and one refused login.
  it.each(
    byDay<(typeof logins)[number]>(
      logins,
      ([driver, way]) => (driver === 'auto') === (way === 'with any key') && way !== 'on its own host',
    ),
  )(
    'logs in with the driver %s, for the first time %s',
    { timeout: 600_000 },
    async (driver, _way, changes, accepted) => {
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
        ...changes(),
      }));
      const { prepare, cleanup } = planned({});
      // The server forgets previous logins, and requests the full password again.
      await runSql(server, ['FLUSH PRIVILEGES']);
      const made = await done(prepare, 'prepare');
      if (!accepted) {
        expect(made).toMatchObject({ ok: false, reason: { code: 'key-retrieval' } });
        return;
      }
      expect(made).toMatchObject({ ok: true, summary: { insert_return_ok_total: 10 } });
      await runSql(server, ['FLUSH PRIVILEGES']);
      expect(await done(cleanup, 'cleanup')).toMatchObject({ ok: true });
    },
  );

  it.each(['auto', 'mariadb'])(
    'keeps the password from an impersonating server with the driver %s',
    { timeout: 600_000 },
    async (driver) => {
      const account = { user: 'bench', password: 'Rather-long-secret-1', database: 'sbtest' };
      const options = { directory, binding: 'jdbc', 'jdbc-driver': driver, recordcount: 10, 'load-threads': 1 };
      for (const plugin of byDay<(typeof ROGUE_MYSQL)[number]>(
        ROGUE_MYSQL,
        (each) => each === 'mysql_clear_password',
      )) {
        const rogue = await startRogueMySql(plugin, 'mysql_native_password');
        const { address: host, port } = rogue;
        const { planned, done } = ycsbBench(folder, options, () => ({
          kind: 'mysql',
          host,
          port,
          ...account,
          tls: 'preferred',
        }));
        expect(await done(planned({}).cleanup, 'cleanup'), plugin).toMatchObject({ ok: false });
        expect(rogue.passwords(), plugin).toEqual([]);
        expect(rogue.received().toString('latin1'), plugin).toContain(account.user);
        expect(rogue.received().toString('latin1'), plugin).not.toContain(account.password);
        await rogue.stop();
      }
    },
  );
});
