import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DatabaseServer, freePort, type HaProxy, startHaProxy, startMariaDb } from '../testbed/databases/index.ts';
import { lacks } from '../testbed/programs.ts';
import { canMakeNetworks } from '../testbed/sshd/index.ts';
import { type HostsBed, runSession, startHostsBed } from './testing/hosts-bed.ts';

describe.skipIf(!canMakeNetworks() || lacks('sysbench') !== '')('a MariaDB behind HAProxy', () => {
  let bed: HostsBed;
  let server: DatabaseServer;
  let proxy: HaProxy;
  beforeAll(async () => {
    bed = await startHostsBed(['load', 'middle', 'db']);
    const { address, namespace = '' } = bed.host('db');
    const inNetworkOf = (name: string): string[] => ['ip', 'netns', 'exec', name];
    const port = await freePort('127.0.0.1');
    server = await startMariaDb({ address, port, prefix: inNetworkOf(namespace) });
    const middle = bed.host('middle');
    proxy = await startHaProxy([server], { address: middle.address, prefix: inNetworkOf(middle.namespace ?? '') });
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
        config: { ...account, address: proxy.address, port: proxy.port },
      },
      password,
    );
  });
  afterAll(async () => {
    await proxy?.stop();
    await server?.stop();
    await bed?.close();
  });

  it('is measured through the proxy, and prepared, described and watched as itself', async () => {
    const text = `kneepoint: 1
name: Through a proxy
workload: { tool: sysbench, options: { script: oltp_point_select, tables: 1, table-size: 1000, threads: 2, rate: 500 } }
where: { generators: [load], target: proxied }
measure: { duration: 4 }
`;
    const { session, runs } = await runSession(bed.client, text);
    expect(session, session.message).toMatchObject({ state: 'done', trialsEnded: 1, trialsFailed: 0 });
    expect(runs[0]?.command).toContain(`--mysql-host=${proxy.address} --mysql-port=${proxy.port}`);
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
    // It leads to the server as long as it is there.
    await expect(bed.client.targets.remove({ id: direct?.id ?? 0 })).rejects.toMatchObject({
      problem: { message: 'The target “proxied” is a proxy that leads to the server of this target.' },
    });
  });
});
