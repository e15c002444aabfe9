import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lacksGo, startFerretDb } from '../../../../../e2e/testbed/databases/index.ts';
import type { ConnectionFacts } from '../../../../shared/model/target.ts';
import { perform } from '../testing/perform.ts';
import { outputReader } from '../testing/recordings.ts';
import { startRelay } from '../testing/relay.ts';
import { queriesTool } from './index.ts';
import { QueryOptions } from './options.ts';

/** The first test on a machine builds its program. */
const BUILD_LIMIT = 900_000;
const ROOT = join(import.meta.dirname, '../../../../..');
const readOutput = outputReader(queriesTool);

describe.skipIf(lacksGo())('commands to FerretDB', () => {
  let server: Awaited<ReturnType<typeof startFerretDb>>;
  let folder = '';
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kneepoint-queries-'));
    server = await startFerretDb();
    const client = new MongoClient(server.uri);
    const orders = Array.from({ length: 200 }, (_, n) => ({ _id: n, customer: n % 10, amount: n }));
    await client.db(server.database).collection<{ _id: number }>('orders').insertMany(orders);
    await client.close();
  }, BUILD_LIMIT);
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function measured(options: Record<string, unknown>, changes: Partial<ConnectionFacts> = {}) {
    const connection: ConnectionFacts = {
      kind: 'mongodb',
      url: `mongodb://${server.address}:${server.port}/`,
      host: server.address,
      port: server.port,
      user: server.user,
      authSource: 'admin',
      password: server.password,
      database: server.database,
      tls: 'disabled',
      ...changes,
    };
    const place = { nodePath: process.execPath, assetsDir: ROOT };
    const input = { options: QueryOptions.parse(options), connection, warmup: 0, duration: 600, seed: 1, ...place };
    const { stdout, stderr, exit } = await perform(queriesTool.plan(input).run, folder);
    expect(stdout).not.toContain(server.password);
    return readOutput(stdout, stderr, { options, exit });
  }

  const queries = `-- Ways to the orders of one customer.
-- @set-up
{ "create": "extra" }
-- @tear-down
{ "drop": "extra" }
-- @variant find
{ "find": "orders", "filter": { "customer": {{customer}} } }
-- @variant pipeline
-- a comment within
{ "aggregate": "orders", "pipeline": [{ "$match": { "customer": {{customer}} } }, { "$sort": { "amount": -1 } }] }
-- @variant other
{ "aggregate": "orders", "pipeline": [{ "$match": { "customer": {{customer}} } }, { "$limit": 5 }] }
-- @facts number
{ "count": "orders" }
`;

  it('are timed, compared and explained', async () => {
    const read = await measured({ queries, variant: 'pipeline', values: 'customer=3', executions: 4 });
    expect(read).toMatchObject({ ok: true, unparsed: [], summary: { executions_total: 4, result_rows: 20 } });
    expect(read.samples).toHaveLength(4);
    expect(read.findings.map(({ code }) => code)).toEqual(['query-plan', 'query-facts']);
    expect(read.findings[0]?.evidence).toContain('orders');
    expect(read.findings[1]?.evidence).toMatch(/"n": 200/);
    expect(await measured({ queries, variant: 'other', values: 'customer=3', executions: 1 })).toMatchObject({
      ok: false,
      reason: { code: 'results-differ' },
    });
    const client = new MongoClient(server.uri);
    const left = await client.db(server.database).listCollections().toArray();
    await client.close();
    expect(left.map(({ name }) => name)).toEqual(['orders']);
  });

  it('use the connection of the app to the server', async () => {
    const way = join(folder, 'way.sock');
    const relay = await startRelay(way, server);
    const options = { queries: '{ "ping": 1 }', executions: 2, 'server-plan': 'none' };
    const away = { url: 'mongodb://nowhere.invalid:9/?replicaSet=rs0&w=1', relay: way };
    expect(await measured(options, away)).toMatchObject({ ok: true, summary: { executions_total: 2 } });
    relay.close();
  });

  it('report errors', async () => {
    const code = async (text: string, changes: Partial<ConnectionFacts> = {}) =>
      (await measured({ queries: text, executions: 1 }, changes)).reason?.code;
    expect(await code('{ "ping": 1 }', { password: 'wrong-password' })).toBe('access-denied');
    expect(await code('{ "noSuchCommand": 1 }')).toBe('syntax-error');
    expect(await code('{ "find": ')).toBe('statement-failed');
  });
});
