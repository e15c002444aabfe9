import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENDED_SESSION } from '../../src/shared/model/session.ts';
import type { TargetSpec } from '../../src/shared/model/target.ts';
import { type DatabaseServer, runSql, startMySql } from '../testbed/databases/index.ts';
import { lacks } from '../testbed/programs.ts';
import { startSshd, type TestSshd } from '../testbed/sshd/index.ts';
import { startEngine, type TestEngine } from './testing/engine.ts';

/** MySQL 8 without TLS, whose accounts are all of the kind caching_sha2_password. */
describe.skipIf(lacks('sshd') !== '')('the password of an account new to the server', () => {
  let engine: TestEngine;
  let sshd: TestSshd;
  let server: DatabaseServer;
  beforeAll(async () => {
    [engine, sshd, server] = await Promise.all([startEngine(), startSshd(), startMySql('8.0.33')]);
    const { address, port, user, keyFile } = sshd;
    await engine.client.app.unlockVault({ passphrase: 'a passphrase of the vault' });
    const spec = { kind: 'ssh', name: 'db1', address, port, user, auth: { method: 'key', keyFile } } as const;
    const { id } = await engine.client.hosts.save({ spec });
    const first = await engine.client.hosts.test({ id });
    if (first.result !== 'key-unknown') throw new Error(`First contact gave ${first.result}`);
    await engine.client.hosts.trustKey({ key: first.key });
  });
  afterAll(async () => {
    await engine?.close();
    await server?.stop();
    await sshd?.close();
  });

  async function tested(via: string | null, changes: Record<string, unknown> = {}) {
    const { address, port, user, database, password } = server;
    const spec: TargetSpec = {
      name: 'shop',
      kind: 'mysql',
      via,
      config: { address, port, user, database, ...changes },
    };
    await runSql(server, ['FLUSH PRIVILEGES']);
    return engine.client.targets.testSpec({ spec, secret: password });
  }

  test('is sent through SSH to the server’s host, by address and by socket', async () => {
    for (const changes of [{}, { address: 'localhost' }, { tls: 'disabled' }, { socket: server.socket }])
      expect(await tested('db1', changes)).toMatchObject({
        result: 'ok',
        description: { version: expect.stringMatching(/^8\.0\.33/) },
      });
  });

  test('is sent directly only with a pinned key or by socket', async () => {
    for (const changes of [{ serverKey: server.serverKey ?? '' }, { socket: server.socket }])
      expect(await tested(null, changes)).toMatchObject({ result: 'ok' });
    const refused = await tested(null);
    if (refused.result === 'ok') throw new Error('It was accepted.');
    expect(refused.problem.message).toBe(
      `The MySQL server at 127.0.0.1:${server.port}, connected directly, asked for the password of sbtest encrypted with a key that is not pinned in the target (caching_sha2_password), and offers no TLS. The password was not sent.`,
    );
    expect(refused.problem.next).toContain('connect via SSH to the server host');
  });

  test('is sent with queries of this computer through the app to the server’s host', async () => {
    const { address, port, user, database, password } = server;
    const config = { address, port, user, database, tls: 'disabled' };
    await engine.client.targets.save({ spec: { name: 'shop', kind: 'mysql', via: 'db1', config }, secret: password });
    await runSql(server, ['FLUSH PRIVILEGES']);
    const { id } = await engine.client.sessions.start({
      text: `kneepoint: 1
name: Queries
workload: { tool: queries, options: { queries: 'SELECT 7', executions: 2 } }
where: { target: shop }
factors: []
measure: { warmup: 0, duration: 20, repeats: 1 }
`,
    });
    for await (const event of engine.client.sessions.watch({ id }))
      if (event.kind === 'session' && ENDED_SESSION.includes(event.session.state)) {
        expect(event.session, event.session.message).toMatchObject({ state: 'done', trialsFailed: 0 });
        break;
      }
  });
});
