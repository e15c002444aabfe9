import { afterAll, beforeAll, expect, it } from 'vitest';
import { ENDED_SESSION } from '../../src/shared/model/session.ts';
import { byDay } from '../../src/shared/util/testing/depth.ts';
import { type DatabaseServer, startMariaDb, startPostgres } from '../testbed/databases/index.ts';
import { createHosts, type TestHost } from '../testbed/sshd/index.ts';
import { startEngine, type TestEngine } from './testing/engine.ts';
import { expectSameResult } from './testing/queries-bed.ts';
import { toolFindings } from './testing/session.ts';

/** By day, queries-on-host.test.ts runs the same template on MariaDB. */
const KINDS = byDay(['mysql', 'postgres'] as const, (kind) => kind === 'postgres');
const STARTS = { mysql: startMariaDb, postgres: startPostgres };

let engine: TestEngine;
const servers: DatabaseServer[] = [];
beforeAll(async () => {
  engine = await startEngine();
  await engine.client.app.unlockVault({ passphrase: 'a passphrase of the vault' });
  for (const kind of KINDS) {
    const server = await STARTS[kind]();
    servers.push(server);
    const { address, port, user, database } = server;
    const spec = { name: kind, kind, via: null, config: { address, port, user, database } } as const;
    await engine.client.targets.save({ spec, secret: server.password });
  }
}, 120_000);
afterAll(async () => {
  await engine?.close();
  for (const server of servers) await server.stop();
});

const ended = async (id: number): Promise<void> => {
  for await (const event of engine.client.sessions.watch({ id }))
    if (event.kind === 'session' && ENDED_SESSION.includes(event.session.state)) return;
};

it.each(KINDS)('times the variants of a template on %s, each with its plan', async (target) => {
  const { client } = engine;
  const template = (await client.experiments.list({})).find(({ id }) => id === 'queries-semi-joins');
  const { experiment } = await client.experiments.check({ text: template?.text ?? '' });
  if (!experiment) throw new Error('The template cannot be read.');
  experiment.where.target = target;
  experiment.measure.repeats = 1;
  experiment.workload.options.executions = 5;
  const { text } = await client.experiments.format({ experiment });
  const { id } = await client.sessions.start({ text });
  for await (const event of client.sessions.watch({ id }))
    if (event.kind === 'session' && ENDED_SESSION.includes(event.session.state)) break;

  const { session } = await client.sessions.get({ id });
  expect(session).toMatchObject({ state: 'done', trialsFailed: 0, trialsEnded: 3 });
  const result = await client.results.session({ sessionId: id });
  expect(result.metric).toBe('latency_avg_ms');
  // Every execution is a value: minimum, mean and maximum of a cell are those of its executions.
  for (const cell of result.cells) expect(cell.spread).toMatchObject({ n: 5, min: expect.any(Number) });
  const runs = await client.sessions.runs({ id });
  expectSameResult(runs);
  expect(runs[0]?.summary.result_rows).toBeGreaterThan(10);
  for (const run of runs) {
    expect(toolFindings(run.findings).map(({ code }) => code)).toEqual(['query-plan', 'query-facts']);
    expect(run.findings[1]?.evidence).toMatch(/customers +10000\norders +100000/);
    expect(run.command).not.toContain(servers[0]?.password);
  }
});

it('connects through a host to a server that only this host reaches', async () => {
  const { client } = engine;
  const network = await createHosts(1);
  const host = network.hosts[0] as TestHost;
  const prefix = host.namespace === undefined ? [] : ['ip', 'netns', 'exec', host.namespace];
  const server = await startMariaDb({ prefix });
  try {
    const { address, port, user, keyFile } = host;
    const saved = await client.hosts.save({
      spec: { kind: 'ssh', name: 'inside', address, port, user, auth: { method: 'key', keyFile } },
    });
    const first = await client.hosts.test({ id: saved.id });
    if (first.result === 'key-unknown') await client.hosts.trustKey({ key: first.key });
    const config = { address: '127.0.0.1', port: server.port, user: server.user, database: server.database };
    const spec = { name: 'hidden', kind: 'mysql', via: 'inside', config } as const;
    await client.targets.save({ spec, secret: server.password });
    const text = `kneepoint: 1
name: Through a host
workload: { tool: queries, options: { queries: SELECT @@port AS port, executions: 3 } }
where: { target: hidden }
measure: { duration: 10 }
`;
    const { id } = await client.sessions.start({ text });
    await ended(id);
    const [run] = await client.sessions.runs({ id });
    expect(run).toMatchObject({ state: 'done', summary: { executions_total: 3, result_rows: 1 } });
  } finally {
    await server.stop();
    await network.close();
  }
});
