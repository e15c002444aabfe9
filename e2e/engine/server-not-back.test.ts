import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectSame } from '../../scripts/test/recorded.ts';
import type { Run } from '../../src/shared/model/session.ts';
import { atNight, NIGHT } from '../../src/shared/util/testing/depth.ts';
import {
  type CommandedServer,
  commanded,
  type DatabaseServer,
  startMariaDb,
  startPostgres,
} from '../testbed/databases/index.ts';
import { newLibraryFolder } from '../testbed/library-folder.ts';
import { addCommanded, stopServers } from './testing/commanded-target.ts';
import { startEngine, type TestEngine } from './testing/engine.ts';
import { asked } from './testing/outside.ts';
import { ended, measuring, until } from './testing/session.ts';

const CLI = path.resolve(import.meta.dirname, '../../src/main/cli.ts');
const PASSPHRASE = 'a passphrase of the vault';

let engine: TestEngine;
let postgres: DatabaseServer;
let mariadb: DatabaseServer;
const commands: Record<string, CommandedServer> = {};
beforeAll(async () => {
  engine = await startEngine();
  await engine.client.app.unlockVault({ passphrase: PASSPHRASE });
  postgres = await startPostgres();
  if (NIGHT) mariadb = await startMariaDb();
  for (const [name, server] of Object.entries({ postgres, ...(NIGHT && { mariadb }) })) {
    const own = commanded(server, ['shared_buffers']);
    commands[name] = own;
    await server.kill(name === 'postgres' ? 'SIGINT' : 'SIGTERM');
    await addCommanded(engine.client, name, server, own);
  }
}, 120_000);
afterAll(async () => {
  if (engine) await stopServers(engine.client);
  await engine?.close();
  for (const server of [postgres, mariadb]) await server?.stop();
  for (const own of Object.values(commands)) own.remove();
}, 60_000);

const buffers = (): Promise<string[]> => asked(postgres, 'SHOW shared_buffers');
const autoFile = (): string =>
  readFileSync(path.join(path.dirname(postgres.socket), 'data/postgresql.auto.conf'), 'utf8');
async function expectAsBefore(first: readonly string[], file: string): Promise<void> {
  expectSame('shared_buffers and its file', [await buffers(), autoFile()], [first, file]);
  expectSame('changes that are not put back', await engine.client.changes.list({}), []);
}
const starts = (name: string): number => commands[name]?.starts().length ?? 0;
const documentOf = (levels: readonly string[], measure = '{ duration: 2 }'): string => `kneepoint: 1
name: Shared buffers
workload: { tool: pgbench, options: { scale: 1, client: 1, rate: 20 } }
where: { target: postgres }
factors: [{ name: buffers, kind: server-setting, setting: shared_buffers, levels: [${levels.join(', ')}] }]
measure: ${measure}
monitors: { generators: false, place: false }
`;

/** All results of a session; `outside` is called once in each trial. */
async function execute(text: string, outside: (run: Run) => Promise<string[]>) {
  const { client } = engine;
  const { plan, problems } = await client.experiments.check({ text });
  expect(problems).toEqual([]);
  const { id } = await client.sessions.start({ text });
  const seen = new Map<number, string[]>();
  for await (const event of client.sessions.watch({ id })) {
    if (event.kind === 'session' && ended(event.session)) break;
    if (event.kind !== 'run' || event.run.state !== 'running' || seen.has(event.run.id)) continue;
    seen.set(event.run.id, await outside(event.run));
  }
  const { session } = await client.sessions.get({ id });
  const runs = await client.sessions.runs({ id });
  const log = (await client.sessions.events({ id, kinds: ['log', 'alert'] })).map(({ message }) => message);
  return { plan, session, runs, log, seen: runs.map((run) => seen.get(run.id)?.[0]) };
}

it('measures shared_buffers of PostgreSQL 15 at each size after one restart; an impossible size fails only its cell, with the words of the log', async () => {
  const [first, file, before] = [await buffers(), autoFile(), starts('postgres')];
  // The last level is the original value: its line must not remain in the file either.
  const levels = ['16MB', '48MB', '4000GB', String(first[0])];
  const { plan, session, runs, log, seen } = await execute(documentOf(levels), buffers);
  expect(session.state, session.message).toBe('done');
  expect(runs.map(({ state }) => state)).toEqual(['done', 'done', 'failed', 'done']);
  expect(seen).toEqual(['16MB', '48MB', undefined, first[0]]);
  expect(runs.slice(0, 2).map(({ facts }) => facts?.map(({ found, first: was }) => [found, was]))).toEqual([
    [['16MB', first[0]]],
    [['48MB', first[0]]],
  ]);
  expect(runs.map(({ seconds }) => seconds > 0)).toEqual([true, true, false, true]);
  expect(runs[2]?.message).toMatch(/did not start with “shared_buffers” = 4000GB.*FATAL.*could not map.*is up again/);
  expect(log).toContainEqual(expect.stringMatching(/^Trial 3 \(buffers 4000GB\) failed: .*FATAL/));
  expect(plan?.estimate?.changes).toEqual({ reloads: 0, restarts: 5 });
  // One for each size, and one without the failing size; the last level is then already in effect.
  expect(starts('postgres') - before).toBe(4);
  await expectAsBefore(first, file);
});

atNight(it)('removes the settings file if MariaDB does not start with it, and continues', async () => {
  const text = `kneepoint: 1
name: Page size
workload: { tool: sysbench, options: { script: oltp_point_select, tables: 1, table-size: 200, threads: 1, rate: 20 } }
where: { target: mariadb }
factors: [{ name: page, kind: server-setting, setting: innodb_page_size, levels: [8192, 16384] }]
measure: { duration: 2, repeats: 2 }
monitors: { generators: false, place: false }
`;
  const size = () => asked(mariadb, 'SELECT @@innodb_page_size');
  const before = starts('mariadb');
  const { session, runs, seen } = await execute(text, size);
  expect(session.state, session.message).toBe('done');
  expect(runs.map(({ state }) => state)).toEqual(['failed', 'failed', 'done', 'done']);
  expect(seen).toEqual([undefined, undefined, '16384', '16384']);
  for (const { message } of runs.slice(0, 2))
    expect(message).toMatch(/did not start with “innodb_page_size” = 8192.*Data file .*ibdata1.* uses page size 16384/);
  // One that failed, and one without the file: the second repeat does not try again.
  expect(starts('mariadb') - before).toBe(2);
  expectSame('whether there is a settings file', existsSync(commands.mariadb?.settingsFile ?? ''), false);
  expect(await size()).toEqual(['16384']);
});

it('refuses a server that another library is varying, names that library, and starts once it has ended', async () => {
  const { client } = engine;
  const other = await startEngine(newLibraryFolder('stranger'));
  const elsewhere = newLibraryFolder('elsewhere');
  try {
    await other.client.app.unlockVault({ passphrase: PASSPHRASE });
    await addCommanded(other.client, 'the same', postgres, commands.postgres as CommandedServer);
    const first = await buffers();
    const { id } = await client.sessions.start({ text: documentOf(['16MB'], '{ duration: 60 }') });
    await measuring(client, id);
    const text = documentOf(['48MB']).replace('target: postgres', 'target: the same');
    const { id: second } = await other.client.sessions.start({ text });
    const refused = await until(other.client, second, ended);
    expect(refused.message).toContain(
      `The settings of server “the same” are being varied by session ${id} of ${userInfo().username}@${hostname()}, ${engine.dataDir}, since `,
    );
    const restore = spawnSync(process.execPath, [CLI, 'restore', String(id), '--data', elsewhere], {
      encoding: 'utf8',
    });
    expect(restore.status).not.toBe(0);
    expect(restore.stderr).toContain(`The library ${elsewhere} contains neither session ${id} nor changes made by it.`);
    expect(await buffers()).toEqual(['16MB']);
    await client.sessions.stop({ id });
    await until(client, id, ended);
    expectSame('shared_buffers', await buffers(), first);

    const { id: third } = await other.client.sessions.start({ text });
    const { state, message } = await until(other.client, third, ended);
    expect(state, message).toBe('done');
    expect((await other.client.sessions.runs({ id: third }))[0]?.facts?.[0]).toMatchObject({ found: '48MB' });
    expectSame('shared_buffers', await buffers(), first);
  } finally {
    await other.close();
    rmSync(elsewhere, { recursive: true, force: true });
  }
});
