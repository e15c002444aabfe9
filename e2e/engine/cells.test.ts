import { afterAll, beforeAll, expect, it } from 'vitest';
import { ENDED_SESSION } from '../../src/shared/model/session.ts';
import { targetsOf } from '../../src/shared/model/session-snapshot.ts';
import { type DatabaseServer, startMariaDb, startMySql, startPostgres } from '../testbed/databases/index.ts';
import { lacks } from '../testbed/programs.ts';
import { startEngine, type TestEngine } from './testing/engine.ts';

const STARTS = {
  mariadb: () => startMariaDb(),
  mysql: () => startMySql('8.0.12', { tls: true }),
  postgres: () => startPostgres(),
};
const NAMES = Object.keys(STARTS);

let engine: TestEngine;
const servers: DatabaseServer[] = [];
beforeAll(async () => {
  engine = await startEngine();
  await engine.client.app.unlockVault({ passphrase: 'a passphrase of the vault' });
  for (const [name, start] of Object.entries(STARTS)) {
    const server = await start();
    servers.push(server);
    const { address, port, user, database, product, serverKey } = server;
    const kind = product === 'postgres' ? 'postgres' : 'mysql';
    const config = { address, port, user, database, ...(serverKey !== undefined && { serverKey }) };
    await engine.client.targets.save({ spec: { name, kind, via: null, config }, secret: server.password });
  }
}, 180_000);
afterAll(async () => {
  await engine?.close();
  for (const server of servers) await server.stop();
});

const TEXT = `kneepoint: 1
name: Three servers
workload: { tool: sysbench, options: { script: oltp_read_only, tables: 1, table-size: 500, rate: 20 } }
where: {}
factors:
  - { name: server, kind: target, levels: [${NAMES.join(', ')}] }
  - { name: load, kind: workload, levels: [{ name: alone, options: { threads: 1 } }, { name: together, options: { threads: 3 } }] }
measure: { warmup: 0, duration: 2, repeats: 1 }
monitors: { generators: false, place: false }
`;

it.skipIf(lacks('sysbench') !== '')('measures servers of two kinds in one session, each on separate data', async () => {
  const { client } = engine;
  const checked = await client.experiments.check({ text: TEXT });
  expect(checked.problems).toEqual([]);
  const { id } = await client.sessions.start({ text: TEXT });
  for await (const event of client.sessions.watch({ id }))
    if (event.kind === 'session' && ENDED_SESSION.includes(event.session.state)) break;

  const detail = await client.sessions.get({ id });
  expect(detail.session).toMatchObject({ state: 'done', trialsFailed: 0, trialsEnded: 6, targets: NAMES });
  expect(detail.target).toBeUndefined();
  expect(targetsOf(detail).map(({ name, description }) => [name, description?.product])).toEqual([
    ['mariadb', expect.stringContaining('MariaDB')],
    ['mysql', expect.stringContaining('MySQL')],
    ['postgres', expect.stringContaining('PostgreSQL')],
  ]);

  const sets = await client.dataSets.list({ kind: 'tables' });
  expect(new Set(sets.map((set) => set.kind === 'tables' && set.target))).toEqual(new Set(NAMES));
  const runs = await client.sessions.runs({ id });
  for (const { levels, command = '', seconds } of runs) {
    const server = servers[NAMES.indexOf(String(levels.server))];
    expect(command).toContain(String(server?.port));
    expect(command).toContain(levels.load === 'together' ? '--threads=3' : '--threads=1');
    expect(seconds).toBeGreaterThan(0);
  }
  const result = await client.results.session({ sessionId: id });
  expect(result.cells.map(({ levels }) => levels)).toEqual(
    NAMES.flatMap((server) => ['alone', 'together'].map((load) => ({ server, load }))),
  );
  for (const { value } of result.cells) expect(value).toBeGreaterThan(0);

  const compared = await client.results.compareLevels({ sessionId: id, factor: 'load', level: 'alone' });
  expect(compared.cells).toHaveLength(3);
  expect(compared.settings).toEqual([]);
});
