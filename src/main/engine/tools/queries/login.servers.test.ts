import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DatabaseServer, runSql, startMySql } from '../../../../../e2e/testbed/databases/index.ts';
import type { ConnectionFacts } from '../../../../shared/model/target.ts';
import { perform } from '../testing/perform.ts';
import { outputReader } from '../testing/recordings.ts';
import { startRelay } from '../testing/relay.ts';
import { queriesTool } from './index.ts';
import { QueryOptions } from './options.ts';

const ROOT = join(import.meta.dirname, '../../../../..');
const readOutput = outputReader(queriesTool);

let folder: string;
let server: DatabaseServer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kneepoint-queries-login-'));
  server = await startMySql('8.0.33');
});
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function asked(changes: Partial<ConnectionFacts>) {
  const { address: host, port, user, password, database } = server;
  const connection: ConnectionFacts = { kind: 'mysql', host, port, user, password, database, tls: 'disabled' };
  const options = QueryOptions.parse({ queries: 'SELECT 7', executions: 2 });
  const place = { nodePath: process.execPath, assetsDir: ROOT };
  const plan = queriesTool.plan({
    options,
    connection: { ...connection, ...changes },
    warmup: 0,
    duration: 60,
    seed: 1,
    ...place,
  });
  // Without a cached login, the server requests the full password, and names the allowed method.
  await runSql(server, ['FLUSH PRIVILEGES']);
  const { stdout, stderr, exit } = await perform(plan.run, folder);
  return readOutput(stdout, stderr, { options, exit });
}

it('queries log in with caching_sha2_password by socket, on the server host, and with a pinned key', async () => {
  const way = join(folder, 'relay');
  const relay = await startRelay(way, server);
  const { serverKey = '' } = server;
  const away = { host: 'nowhere.invalid', relay: way };
  const ways: Partial<ConnectionFacts>[] = [
    { socket: server.socket },
    { serverKey },
    { allowCleartextPassword: true },
    { endsOnServerHost: true },
    { ...away, endsOnServerHost: true },
    { ...away, serverKey },
  ];
  for (const changes of ways)
    expect(await asked(changes), JSON.stringify(Object.keys(changes))).toMatchObject({
      ok: true,
      summary: { executions_total: 2, result_rows: 1 },
    });
  for (const changes of [{}, away])
    expect(await asked(changes)).toMatchObject({ ok: false, reason: { code: 'password-kept' } });
  expect(await asked({ relay: way, endsOnServerHost: true, password: 'wrong' })).toMatchObject({
    ok: false,
    reason: { code: 'access-denied' },
  });
  relay.close();
});
