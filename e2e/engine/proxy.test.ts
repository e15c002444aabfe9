import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PreflightLine } from '../../src/shared/contract/experiments.ts';
import type { Run } from '../../src/shared/model/session.ts';
import { type DatabaseServer, freePort, type HaProxy, startHaProxy, startMariaDb } from '../testbed/databases/index.ts';
import { lacks } from '../testbed/programs.ts';
import { canMakeNetworks } from '../testbed/sshd/index.ts';
import { type HostsBed, runSession, startHostsBed } from './testing/hosts-bed.ts';

describe.skipIf(!canMakeNetworks() || lacks('sysbench') !== '')('a MariaDB behind HAProxy', () => {
  let bed: HostsBed;
  let server: DatabaseServer;
  /** Each on a host of its own, with the same port. */
  let proxies: HaProxy[] = [];
  beforeAll(async () => {
    bed = await startHostsBed(['load', 'middle', 'edge', 'db']);
    const { address, namespace = '' } = bed.host('db');
    const inNetworkOf = (name: string): string[] => ['ip', 'netns', 'exec', name];
    const port = await freePort('127.0.0.1');
    server = await startMariaDb({ address, port, prefix: inNetworkOf(namespace) });
    for (const name of ['middle', 'edge']) {
      const host = bed.host(name);
      const there = { address: host.address, prefix: inNetworkOf(host.namespace ?? '') };
      const [first] = proxies;
      proxies.push(await startHaProxy([server], { ...there, ...(first && { port: first.port }) }));
    }
    const { user, database, password } = server;
    const account = { user, database, allowCleartextPassword: true };
    const place = (host: string) => ({ host, control: { kind: 'none' } }) as const;
    await bed.addTarget(
      { name: 'maria', kind: 'mysql', via: 'db', config: { ...account, address, port }, server: place('db') },
      password,
    );
    const [middle, edge] = proxies.map((proxy) => ({ address: proxy.address, port: proxy.port }));
    const through = { kind: 'mysql', via: 'load', behind: 'maria' } as const;
    await bed.addTarget(
      {
        ...through,
        name: 'proxied',
        server: place('middle'),
        config: { ...account, ...middle, addresses: edge?.address },
      },
      password,
    );
    await bed.addTarget(
      { ...through, name: 'the other proxy', server: place('edge'), config: { ...account, ...edge } },
      password,
    );
  });
  afterAll(async () => {
    for (const proxy of proxies) await proxy.stop();
    proxies = [];
    await server?.stop();
    await bed?.close();
  });

  /** Client connections to each proxy, as counted by its host. */
  function connections(): number[] {
    return proxies.map(({ port }, index) => {
      const namespace = bed.host(index === 0 ? 'middle' : 'edge').namespace ?? '';
      const argv = ['netns', 'exec', namespace, 'cat', '/proc/net/tcp'];
      const lines = execFileSync('ip', argv, { encoding: 'utf8' }).split('\n');
      const established = lines.map((line) => line.trim().split(/\s+/)).filter(([, , , state]) => state === '01');
      return established.filter(([, local = '']) => Number.parseInt(local.split(':')[1] ?? '', 16) === port).length;
    });
  }

  const text = (threads: number) => `kneepoint: 1
name: Through a proxy
workload: { tool: sysbench, options: { script: oltp_point_select, tables: 1, table-size: 1000, threads: ${threads}, rate: 500 } }
where: { generators: [load], target: proxied }
factors: [{ name: nodes, kind: nodes, levels: [1, 2] }]
measure: { duration: 4 }
`;

  it('is measured through proxies on two hosts, and prepared, described and watched as the server behind them', async () => {
    const seen: [nodes: unknown, counts: number[]][] = [];
    const count = async ({ levels }: Run) => {
      seen.push([levels.nodes, connections()]);
    };
    const { session, runs } = await runSession(bed.client, text(2), count, { seconds: 1 });
    expect(session, session.message).toMatchObject({ state: 'done', trialsEnded: 2, trialsFailed: 0 });
    expect(seen).toEqual([
      [1, [2, 0]],
      [2, [1, 1]],
    ]);
    const hosts = runs.map(({ command }) => /--mysql-host=(\S+)/.exec(command ?? '')?.[1]);
    const [middle, edge] = proxies.map(({ address }) => address);
    expect(hosts).toEqual([middle, `${middle},${edge}`]);
    const { targets = [], target = targets[0] } = await bed.client.sessions.get({ id: session.id });
    expect(target).toMatchObject({
      ...{ name: 'proxied', behind: 'maria', server: { host: 'db' }, proxy: { host: 'middle' } },
      description: {
        ...{ product: 'MariaDB', durability: { level: 'safe' } },
        middleware: { product: 'HAProxy', settings: [{ name: 'maxconn', value: '60' }] },
      },
      nodes: [{ name: 'the other proxy', behind: 'maria', proxy: { host: 'edge' } }],
    });
    const sources = await bed.client.monitors.sources({ sessionId: session.id });
    expect(sources.map(({ kind, name, roles }) => [kind, name, roles])).toEqual([
      ['host', 'load', ['generator']],
      ['host', 'db', ['server']],
      ['host', 'middle', ['proxy']],
      ['host', 'edge', ['proxy']],
      ['server', 'maria', []],
    ]);
    const [data] = await bed.client.dataSets.list({});
    const direct = (await bed.client.targets.list({})).find(({ spec }) => spec.name === 'maria');
    expect(data).toMatchObject({ target: 'maria', state: 'ready' });
    // The target cannot be removed while the proxy refers to it.
    await expect(bed.client.targets.remove({ id: direct?.id ?? 0 })).rejects.toMatchObject({
      problem: { message: 'The target “proxied” is a proxy that leads to the server of this target.' },
    });
  });

  it('is not measured with more clients than the proxies accept', async () => {
    let lines: readonly PreflightLine[] = [];
    for await (lines of bed.client.experiments.preflight({ text: text(100) }));
    expect(lines.flatMap(({ finding }) => (finding?.code === 'pooler-clients' ? [finding] : []))).toMatchObject([
      { severity: 'warn', evidence: 'maxconn = 60', message: expect.stringContaining('100, where 60 are allowed') },
    ]);
  });
});
