import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import path from 'node:path';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { targetsOf } from '../../src/shared/model/session-snapshot.ts';
import { shellWords } from '../../src/shared/util/shell-quote.ts';
import { type DatabaseServer, freePort, startMariaDb } from '../testbed/databases/index.ts';
import { type HostsBed, runSession, startHostsBed } from './testing/hosts-bed.ts';

const PROGRAM = '/usr/sbin/mariadbd';

let bed: HostsBed;
let server: DatabaseServer;
/** Ports by target. */
const ports: Record<string, number> = {};
const ids: number[] = [];
beforeAll(async () => {
  bed = await startHostsBed(['db']);
  const { address, home, namespace } = bed.host('db');
  const prefix = namespace === undefined ? [] : ['ip', 'netns', 'exec', namespace];
  server = await startMariaDb({ address, port: await freePort('127.0.0.1'), prefix });
  const argv = readFileSync(`/proc/${server.pid()}/cmdline`, 'utf8').split('\0').filter(Boolean);
  const pidFile = path.join(server.socket, '..', 'server.pid');
  await server.kill('SIGTERM');
  ports['by commands'] = server.port;
  ports.managed = await freePort('127.0.0.1');
  const controls = {
    'by commands': {
      kind: 'commands',
      start: `${shellWords(argv)} >/dev/null 2>&1 &`,
      stop: `pid=$(cat ${pidFile}) && kill $pid && while [ -d /proc/$pid ]; do sleep 0.1; done`,
    },
    managed: {
      kind: 'managed',
      program: PROGRAM,
      folder: path.join(home, 'managed'),
      settings: { innodb_buffer_pool_size: '64M', innodb_log_file_size: '16M', performance_schema: 'OFF' },
    },
  } as const;
  for (const [name, control] of Object.entries(controls)) {
    const { user, database, password } = server;
    const config = { address, port: ports[name], user, database, allowCleartextPassword: true };
    const place = { host: 'db', control };
    const id = await bed.addTarget({ name, kind: 'mysql', via: 'db', config, server: place }, password);
    ids.push(id);
    expect(await bed.client.targets.startServer({ id })).toEqual({ state: 'running' });
  }
});
afterAll(async () => {
  for (const id of ids) await bed.client.targets.stopServer({ id });
  await server?.stop();
  await bed?.close();
});

/** The process of the server at this port, as it reports itself. */
async function processAt(port = 0): Promise<string> {
  const { user, password } = server;
  const client = await createConnection({ host: bed.host('db').address, port, user, password });
  const [[row]] = await client.query<RowDataPacket[]>('SELECT @@datadir AS folder, @@pid_file AS file');
  await client.end();
  return readFileSync(path.resolve(row?.folder, row?.file), 'utf8').trim();
}

it('compares a server started with custom commands to one started by Kneepoint', async () => {
  const text = `kneepoint: 1
name: Start methods
workload: { tool: sysbench, options: { script: oltp_point_select, tables: 1, table-size: 200, rate: 20 } }
where: { generators: [db] }
factors: [{ name: start, kind: target, levels: [by commands, managed] }]
measure: { duration: 2, before: { restart: true } }
`;
  const { plan, problems } = await bed.client.experiments.check({ text });
  expect(problems).toEqual([]);
  expect(plan?.estimate?.changes).toEqual({ reloads: 0, restarts: 2 });
  const pids = [await processAt(ports['by commands']), await processAt(ports.managed)];
  const { session, runs } = await runSession(bed.client, text, async ({ levels }) => {
    pids.push(await processAt(ports[String(levels.start)]));
  });
  expect(session, session.message).toMatchObject({ state: 'done', trialsEnded: 2, trialsFailed: 0 });
  // Each before the session, and each restarted for its trial.
  expect(new Set(pids).size).toBe(4);
  const detail = await bed.client.sessions.get({ id: session.id });
  const targets = targetsOf(detail);
  expect(targets.map(({ hostFacts }) => hostFacts?.cpuCount)).toEqual([cpus().length, cpus().length]);
  expect(targets.map(({ name, server }) => [name, server])).toEqual([
    ['by commands', { host: 'db', started: 'by own commands' }],
    ['managed', { host: 'db', started: `by Kneepoint itself (${PROGRAM})` }],
  ]);

  // Each process as seen by its own host: of two servers with the same name, the one that listens on the port.
  for (const { process, tables } of targets) {
    expect(process).toMatchObject({
      'started by': expect.any(String),
      'limit of open files': expect.stringMatching(/^\d+$/),
    });
    expect(tables?.every(({ bytes }) => bytes > 0)).toBe(true);
  }
  expect(detail.findings.map(({ code }) => code)).toContain('started-otherwise');
  expect(
    runs.map(({ levels, command = '', findings }) => [
      levels.start,
      command.includes(`-port=${ports[String(levels.start)]} `),
      findings[0]?.message,
    ]),
  ).toEqual([
    ['by commands', true, expect.stringContaining('was restarted before the trial by own commands')],
    ['managed', true, expect.stringContaining(`was restarted before the trial by Kneepoint itself (${PROGRAM})`)],
  ]);
});
