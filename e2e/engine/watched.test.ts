import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DatabaseServer, freePort, startMariaDb } from '../testbed/databases/index.ts';
import { lacks } from '../testbed/programs.ts';
import { canMakeNetworks } from '../testbed/sshd/index.ts';
import { type HostsBed, runSession, startHostsBed } from './testing/hosts-bed.ts';

const SECONDS = 8;

describe.skipIf(!canMakeNetworks() || lacks('sysbench') !== '')('a session on watched hosts', () => {
  let bed: HostsBed;
  let server: DatabaseServer;
  beforeAll(async () => {
    bed = await startHostsBed(['load', 'db']);
    const { address, namespace = '' } = bed.host('db');
    const port = await freePort('127.0.0.1');
    server = await startMariaDb({ address, port, prefix: ['ip', 'netns', 'exec', namespace] });
    const { user, database, password } = server;
    const config = { address, port, user, database, allowCleartextPassword: true };
    const place = { host: 'db', control: { kind: 'none' } } as const;
    await bed.addTarget({ name: 'mariadb', kind: 'mysql', via: 'db', config, server: place }, password);
  });
  afterAll(async () => {
    await server?.stop();
    await bed?.close();
  });

  it('stores the seconds of generator, server host and server next to those of the tool, on one clock', async () => {
    const text = `kneepoint: 1
name: Watched
workload: { tool: sysbench, options: { script: oltp_point_select, tables: 1, table-size: 1000, threads: 4, rate: 1000 } }
where: { generators: [load], target: mariadb }
measure: { duration: ${SECONDS}, repeats: 3, pause: 6 }
`;
    const { session, runs } = await runSession(bed.client, text);
    expect(session, session.message).toMatchObject({ state: 'done', trialsFailed: 0 });
    const sessionId = session.id;
    const sources = await bed.client.monitors.sources({ sessionId });
    expect(sources.map(({ kind, name, roles, problem }) => [kind, name, roles, problem])).toEqual([
      ['host', 'load', ['generator'], undefined],
      ['host', 'db', ['server'], undefined],
      ['server', 'mariadb', [], expect.stringMatching(/^performance_schema is off/)],
    ]);
    const windows = await bed.client.monitors.windows({ sessionId });
    expect(windows.map(({ runId }) => runId)).toEqual(runs.map(({ id }) => id));
    for (const source of sources) {
      // From before the first trial to after the second, including the pause between them; on an overloaded machine with reported gaps. The session
      // ends after the last trial, so a late sample may be missed.
      expect(source.from).toBeLessThan(windows[0]?.zero ?? 0);
      expect(source.to).toBeGreaterThan(windows[1]?.to ?? Number.POSITIVE_INFINITY);
      const reported = source.gaps.reduce((sum, { from, to }) => sum + to - from, 0);
      const seconds = ((source.to ?? 0) - (source.from ?? 0) - reported) / 1000;
      expect(source.samples).toBeGreaterThan(seconds / 2);
      expect(source.samples).toBeLessThan(seconds + 3 + source.gaps.length);
    }
    const [, , mariadb] = sources;
    const statements = mariadb?.series.find(({ means }) => means === 'statements');
    const wanted = [{ sourceId: mariadb?.id ?? 0, ids: [statements?.id ?? ''] }];
    for (const { runId, from, to, errorMs } of windows.slice(0, 2)) {
      expect(errorMs).toBeLessThan(1000);
      // All of the run, with its edges: the server's count equals the tool's, except for our own query each second.
      const [series] = await bed.client.monitors.series({ sessionId, wanted, from: from - 2500, to: to + 2500 });
      const [t = [], v = []] = [series?.t, series?.v].map((column) => Array.from(column ?? []));
      const counted = v.reduce(
        (sum, rate, index) => sum + (index > 0 ? (rate * ((t[index] ?? 0) - (t[index - 1] ?? 0))) / 1000 : 0),
        0,
      );
      const reported = runs.find(({ id }) => id === runId)?.summary.queries_total ?? Number.NaN;
      expect(counted / reported).toBeGreaterThan(0.95);
      expect(counted / reported).toBeLessThan(1.05);
    }
  });
});
