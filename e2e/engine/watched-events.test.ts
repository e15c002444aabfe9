import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../testbed/databases/index.ts';
import { lacks } from '../testbed/programs.ts';
import { type HostsBed, runSession, startHostsBed } from './testing/hosts-bed.ts';

const ACCOUNT = { user: 'bench', password: 'bench-password', database: 'bench' };
const KILLED = 12;
const STARTED = 16;
const CHANGED = 26;
const SECONDS = 36;

describe.skipIf(lacks('mariadbd') !== '')('events in a session that only watches', () => {
  let bed: HostsBed;
  let port: number;
  let id: number;
  beforeAll(async () => {
    bed = await startHostsBed(['db']);
    const { address, home } = bed.host('db');
    port = await freePort('127.0.0.1');
    const { user, password, database } = ACCOUNT;
    const control = {
      kind: 'managed',
      program: '/usr/sbin/mariadbd',
      folder: path.join(home, 'managed'),
      settings: { innodb_buffer_pool_size: '64M', innodb_log_file_size: '16M', performance_schema: 'OFF' },
    } as const;
    const config = { address, port, user, database, allowCleartextPassword: true };
    const spec = { name: 'shop', kind: 'mysql', via: 'db', config, server: { host: 'db', control } };
    id = await bed.addTarget(spec, password);
    await bed.client.targets.startServer({ id });
  });
  afterAll(async () => {
    if (bed) await bed.client.targets.stopServer({ id });
    await bed?.close();
  });

  const connect = (): Promise<Connection> => createConnection({ host: bed.host('db').address, port, ...ACCOUNT });
  const setting = async (): Promise<number> => {
    const client = await connect();
    const [[row]] = await client.query<RowDataPacket[]>('SELECT @@global.max_connections AS value');
    await client.end();
    return Number(row?.value);
  };
  /** What asks the server beside Kneepoint: some hundred statements a second, and again as soon as it is back. */
  async function load(over: AbortSignal): Promise<void> {
    let client: Connection | undefined;
    while (!over.aborted) {
      try {
        client ??= await connect();
        await client.query('DO 0');
        await delay(2);
      } catch {
        client?.destroy();
        client = undefined;
        await delay(100);
      }
    }
    client?.destroy();
  }

  it('kills and starts a server, changes a setting for the time of the trial, and tells what that did to its statements', {
    timeout: 240_000,
  }, async () => {
    const over = new AbortController();
    const first = await setting();
    const loading = load(over.signal);
    const text = `kneepoint: 1
name: Watched events
workload: { tool: observation }
where: { generators: [db], target: shop }
measure:
  duration: ${SECONDS}
  events:
    - { at: ${KILLED}, do: kill }
    - { at: ${STARTED}, do: start }
    - { at: ${CHANGED}, do: server-setting, setting: max_connections, value: ${first + 1} }
`;
    let changed: Promise<void> | undefined;
    const isChanged = async (): Promise<void> => {
      while (!over.signal.aborted && (await setting().catch(() => first)) === first) await delay(500);
    };
    const { session, runs } = await runSession(bed.client, text, async () => {
      changed = isChanged();
      await Promise.resolve();
    });
    expect(over.signal.aborted).toBe(false);
    await changed;
    over.abort();
    await loading;
    expect(session, session.message).toMatchObject({ state: 'done', trialsFailed: 0 });
    expect(runs).toHaveLength(1);
    const told = async (): Promise<string[]> => {
      const [run] = await bed.client.sessions.runs({ id: session.id });
      return (run?.findings ?? []).flatMap(({ code, message }) => (code.startsWith('scenario') ? [message] : []));
    };
    // What was watched comes to its end a moment after the session.
    await expect.poll(told, { timeout: 60_000 }).toHaveLength(3);
    const [killed = '', , changing] = await told();
    expect(killed).toMatch(
      /^Second \S+: The server of “shop” is killed\. Statements of “shop” .* fell (at once|after \S+ s) from .* to 0, by 100 %, and had not recovered by the end or the next event\./,
    );
    // When it was done, which is never before it is due.
    const done = Number(/^Second (\S+):/.exec(killed)?.[1]);
    const [window] = await bed.client.monitors.windows({ sessionId: session.id });
    const events = await bed.client.sessions.events({ id: session.id, kinds: ['scenario'] });
    const at = events.find(({ message }) => message === 'The server of “shop” is killed.')?.at;
    expect(done).toBeGreaterThanOrEqual(KILLED);
    const second = ((at ?? Number.NaN) - (window?.zero ?? Number.NaN)) / 1000;
    expect(Math.abs(done - second), `told as ${done}, done at ${second}`).toBeLessThan(0.5);
    // The server answers on; how evenly is a matter of what else the machine does.
    expect(changing).toContain(`is set to ${first + 1}. Statements of “shop” (/s)`);
    expect(changing).not.toContain('by 100 %');
    expect(await setting()).toBe(first);
    expect(await bed.client.changes.list({})).toEqual([]);
    const moments = await bed.client.monitors.moments({ sessionId: session.id });
    expect(moments.map(({ message }) => message)).toEqual([
      'The server of “shop” is killed.',
      'The server of “shop” is started.',
      `The setting max_connections of “shop” is set to ${first + 1}.`,
    ]);
  });
});
