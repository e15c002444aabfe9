import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectSame } from '../../scripts/test/recorded.ts';
import type { Run } from '../../src/shared/model/session.ts';
import { byDay } from '../../src/shared/util/testing/depth.ts';
import {
  ACCOUNT,
  type CommandedServer,
  commanded,
  type DatabaseServer,
  fetchMySql,
  freePort,
  startMariaDb,
} from '../testbed/databases/index.ts';
import { addCommanded, stopServers } from './testing/commanded-target.ts';
import { startEngine, type TestEngine } from './testing/engine.ts';
import { asked } from './testing/outside.ts';
import { ended } from './testing/session.ts';

const MYSQLD = path.resolve(import.meta.dirname, '../../.cache/testbed/mysql-8.0.12-programs/bin/mysqld');

let engine: TestEngine;
let mariadb: DatabaseServer;
let commands: CommandedServer;
let folder: string;
let mysql: Parameters<typeof asked>[0];

beforeAll(async () => {
  await fetchMySql();
  engine = await startEngine();
  const { client } = engine;
  await client.app.unlockVault({ passphrase: 'a passphrase of the vault' });
  mariadb = await startMariaDb();
  commands = commanded(mariadb);
  await mariadb.kill('SIGTERM');
  folder = mkdtempSync(path.join(tmpdir(), 'kneepoint-durability-'));
  chmodSync(folder, 0o755);
  mysql = { ...ACCOUNT, product: 'mysql', address: '127.0.0.1', port: await freePort() };
  await addCommanded(client, 'mariadb', mariadb, commands);
  const { user, password, database, address, port } = mysql;
  const settings = {
    innodb_buffer_pool_size: '64M',
    innodb_log_file_size: '16M',
    performance_schema: 'OFF',
    mysqlx: 'OFF',
    default_authentication_plugin: 'mysql_native_password',
  };
  const saved = await client.targets.save({
    spec: {
      name: 'mysql',
      kind: 'mysql',
      via: null,
      config: { address, port, user, database, allowCleartextPassword: true },
      server: {
        host: 'this computer',
        control: { kind: 'managed', program: MYSQLD, folder: `${folder}/data`, settings },
        limitSeconds: 60,
      },
    },
    secret: password,
  });
  await client.targets.startServer({ id: saved.id });
}, 300_000);
afterAll(async () => {
  if (engine) await stopServers(engine.client);
  await engine?.close();
  await mariadb?.stop();
  commands?.remove();
  if (folder) rmSync(folder, { recursive: true, force: true });
}, 120_000);

/** The five of “MySQL 8 is not always faster than MySQL 5.7”. */
const LEVELS = {
  'trx 0, no binlog': { innodb_flush_log_at_trx_commit: '0', log_bin: 'OFF', sync_binlog: null },
  'trx 1, no binlog': { innodb_flush_log_at_trx_commit: '1', log_bin: 'OFF', sync_binlog: null },
  'trx 0, sync 1000': { innodb_flush_log_at_trx_commit: '0', log_bin: 'ON', sync_binlog: '1000' },
  'trx 0, sync 1': { innodb_flush_log_at_trx_commit: '0', log_bin: 'ON', sync_binlog: '1' },
  'trx 1, sync 1': { innodb_flush_log_at_trx_commit: '1', log_bin: 'ON', sync_binlog: '1' },
};
/** By day the log off and on, and two values for each setting. */
const DAILY = ['trx 1, no binlog', 'trx 0, sync 1000'];
const levels = byDay(Object.entries(LEVELS), ([name]) => DAILY.includes(name));
const TEXT = `kneepoint: 1
name: Durability
workload: { tool: sysbench, options: { script: oltp_read_write, tables: 1, table-size: 500, threads: 2, rate: 20 } }
where: {}
factors:
  - name: durability
    kind: server-setting
    levels: ${JSON.stringify(levels.map(([name, set]) => ({ name, set })))}
  - { name: server, kind: target, levels: [mysql, mariadb] }
measure: { duration: 2 }
monitors: { generators: false, place: false }
`;

const STATE = 'SELECT @@innodb_flush_log_at_trx_commit, @@log_bin, @@sync_binlog';
const asReported = (value: string): string => ({ OFF: '0', ON: '1' })[value] ?? value;

it('measures durability levels on two servers, each under its settings, and restores both', async () => {
  const { client } = engine;
  const servers = { mysql, mariadb };
  const serverOf = ({ levels }: Run): keyof typeof servers => (levels.server === 'mysql' ? 'mysql' : 'mariadb');
  const settingsOf = ({ levels }: Run) => LEVELS[levels.durability as keyof typeof LEVELS];
  const first = { mysql: await asked(mysql, STATE), mariadb: await asked(mariadb, STATE) };
  const starts = () => ({
    mysql: Number(readFileSync(path.join(folder, 'data', 'generation'), 'utf8')),
    mariadb: commands.starts().length,
  });
  const before = starts();

  const { plan, problems } = await client.experiments.check({ text: TEXT });
  expect(problems).toEqual([]);
  // The log off, on, and back, on two servers: at most, as one of them starts that way.
  expect(plan?.estimate?.changes).toEqual({ reloads: 0, restarts: 6 });
  const { id } = await client.sessions.start({ text: TEXT });
  const seen = new Map<number, string[]>();
  for await (const event of client.sessions.watch({ id })) {
    if (event.kind === 'session' && ended(event.session)) break;
    if (event.kind !== 'run' || event.run.state !== 'running' || seen.has(event.run.id)) continue;
    seen.set(event.run.id, await asked(servers[serverOf(event.run)], STATE));
  }

  const { session } = await client.sessions.get({ id });
  expect(session.state, session.message).toBe('done');
  const runs = await client.sessions.runs({ id });
  expect(runs.map((run) => [run.levels.durability, serverOf(run)])).toEqual(
    levels.flatMap(([name]) => [
      [name, 'mysql'],
      [name, 'mariadb'],
    ]),
  );
  for (const run of runs) {
    expect(run.state, run.message).toBe('done');
    expect(run.seconds).toBeGreaterThan(0);
    const { innodb_flush_log_at_trx_commit: flush, log_bin: log, sync_binlog: sync } = settingsOf(run);
    const wanted = [flush, asReported(log), sync ?? first[serverOf(run)][2]];
    expect(seen.get(run.id)).toEqual(wanted);
    const named = Object.entries(settingsOf(run)).filter(([, value]) => value !== null);
    expect(run.facts).toMatchObject(
      named.map(([what, value]) => ({ what, wanted: value, place: { kind: 'server', name: serverOf(run) } })),
    );
    expectSame(
      'settings that are not as wanted',
      run.facts?.filter(({ matches }) => matches === false),
      [],
    );
  }
  const cells = (await client.results.session({ sessionId: id })).cells;
  expect(cells.map(({ value = 0 }) => value > 0)).toEqual(runs.map(() => true));

  // MySQL: the log off, on. MariaDB: on, back off.
  expect(starts()).toEqual({ mysql: before.mysql + 2, mariadb: before.mariadb + 2 });
  const last = { mysql: await asked(mysql, STATE), mariadb: await asked(mariadb, STATE) };
  expectSame('settings of the servers', last, first);
  const files = [commands.settingsFile, path.join(folder, 'data', 'settings.conf')];
  expectSame('settings files that are left', files.filter(existsSync), []);
  expectSame('changes that are not put back', await client.changes.list({}), []);
  expect(first).toEqual({ mysql: ['1', '1', '1'], mariadb: ['1', '0', '0'] });
});
