import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DatabaseServer, freePort, type HaProxy, startHaProxy, startMariaDb } from '../testbed/databases/index.ts';
import { lacks } from '../testbed/programs.ts';
import { canMakeNetworks } from '../testbed/sshd/index.ts';
import { type HostsBed, runSession, startHostsBed } from './testing/hosts-bed.ts';

describe.skipIf(!canMakeNetworks() || lacks('sysbench') !== '')('a MariaDB behind HAProxy', () => {
  let bed: HostsBed;
  let server: DatabaseServer;
  /** On one host, with one port each. */
  let proxies: HaProxy[] = [];
  beforeAll(async () => {
    bed = await startHostsBed(['load', 'middle', 'db']);
    const { address, namespace = '' } = bed.host('db');
    const inNetworkOf = (name: string): string[] => ['ip', 'netns', 'exec', name];
    const port = await freePort('127.0.0.1');
    server = await startMariaDb({ address, port, prefix: inNetworkOf(namespace) });
    const middle = bed.host('middle');
    const there = { address: middle.address, prefix: inNetworkOf(middle.namespace ?? '') };
    for (const _ of [1, 2]) proxies.push(await startHaProxy([server], there));
    const { user, database, password } = server;
    const account = { user, database, allowCleartextPassword: true };
    const place = (host: string) => ({ host, control: { kind: 'none' } }) as const;
    await bed.addTarget(
      { name: 'maria', kind: 'mysql', via: 'db', config: { ...account, address, port }, server: place('db') },
      password,
    );
    await bed.addTarget(
      {
        ...{ name: 'proxied', kind: 'mysql', via: 'load', server: place('middle'), behind: 'maria' },
        config: { ...account, address: middle.address, port: portOf(0), addresses: `${middle.address}:${portOf(1)}` },
      },
      password,
    );
  });
  afterAll(async () => {
    for (const proxy of proxies) await proxy.stop();
    proxies = [];
    await server?.stop();
    await bed?.close();
  });

  const portOf = (index: number): number => proxies[index]?.port ?? 0;
  /** Client connections to each proxy, as counted by their host. */
  function connections(): number[] {
    const argv = ['netns', 'exec', bed.host('middle').namespace ?? '', 'cat', '/proc/net/tcp'];
    const established = execFileSync('ip', argv, { encoding: 'utf8' })
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state]) => state === '01');
    return proxies.map(
      ({ port }) =>
        established.filter(([, local = '']) => Number.parseInt(local.split(':')[1] ?? '', 16) === port).length,
    );
  }

  it('is measured through one and two proxies, and prepared, described and watched as the server behind them', async () => {
    const text = `kneepoint: 1
name: Through a proxy
workload: { tool: sysbench, options: { script: oltp_point_select, tables: 1, table-size: 1000, threads: 2, rate: 500 } }
where: { generators: [load], target: proxied }
factors: [{ name: nodes, kind: nodes, levels: [1, 2] }]
measure: { duration: 4 }
`;
    const seen: [nodes: unknown, counts: number[]][] = [];
    const { session, runs } = await runSession(bed.client, text, async ({ levels }) => {
      seen.push([levels.nodes, connections()]);
    });
    expect(session, session.message).toMatchObject({ state: 'done', trialsEnded: 2, trialsFailed: 0 });
    expect(seen).toEqual([
      [1, [2, 0]],
      [2, [1, 1]],
    ]);
    const ports = runs.map(({ command }) => /--mysql-port=(\S+)/.exec(command ?? '')?.[1]);
    expect(ports).toEqual([`${portOf(0)}`, `${portOf(0)},${portOf(1)}`]);
    const { targets = [], target = targets[0] } = await bed.client.sessions.get({ id: session.id });
    expect(target).toMatchObject({
      ...{ name: 'proxied', behind: 'maria', server: { host: 'db' }, proxy: { host: 'middle' } },
      description: { product: 'MariaDB', middleware: { product: 'a proxy' }, durability: { level: 'safe' } },
    });
    const sources = await bed.client.monitors.sources({ sessionId: session.id });
    expect(sources.map(({ kind, name, roles }) => [kind, name, roles])).toEqual([
      ['host', 'load', ['generator']],
      ['host', 'db', ['server']],
      ['host', 'middle', ['proxy']],
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
});
