import { existsSync, readFileSync } from 'node:fs';
import { createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type DatabaseServer,
  startMariaDb,
  startMySql,
  startMySql8,
} from '../../../../../e2e/testbed/databases/index.ts';
import { expectSame } from '../../../../../scripts/test/recorded.ts';
import { byDay } from '../../../../shared/util/testing/depth.ts';
import { problemOf } from '../../targets/testing/servers.ts';
import type { Found } from '../change.ts';
import { settingChanger } from './changer.ts';
import { type SettingBed, settingBed } from './testing/bed.ts';

/** Asks the server through a client that is not Kneepoint's. */
async function asked({ socket, user, password }: DatabaseServer, statement: string): Promise<string[]> {
  const client = await createConnection({ socketPath: socket, user, password });
  try {
    const [rows] = await client.query({ sql: statement, rowsAsArray: true });
    return Array.isArray(rows) ? rows.map((row) => String(Array.isArray(row) ? row[0] : row)) : [];
  } finally {
    await client.end();
  }
}

const STATE = `SELECT CONCAT_WS(' ', @@innodb_flush_log_at_trx_commit, @@innodb_io_capacity, @@innodb_buffer_pool_size,
  IF(@@innodb_adaptive_hash_index, 1, 0))`;

/** With a larger I/O capacity, MariaDB raises its maximum as well; MySQL limits it to that maximum. */
const SERVERS = [
  ['MariaDB 10.11', startMariaDb, [/^innodb_io_capacity_max \d/, /^innodb_max_dirty_pages_pct_lwm 20\./]],
  ['MySQL 8.0.12', startMySql8, [/^innodb_max_dirty_pages_pct_lwm 20\./]],
] as const;

describe.each(byDay<(typeof SERVERS)[number]>(SERVERS, (_, at) => at === 0))(
  'settings of %s',
  (_name, start, moves) => {
    let database: DatabaseServer;
    let bed: SettingBed;
    beforeAll(async () => {
      database = await start({ settings: { innodb_io_capacity: 321 } });
      bed = await settingBed(database);
    });
    afterAll(() => bed.close());

    test('that are dynamic are set without a restart and restored', async () => {
      const pid = readFileSync(bed.pidFile, 'utf8');
      const desired = [
        bed.setting('innodb_flush_log_at_trx_commit', '2'),
        // Above the present maximum, which is raised after it.
        bed.setting('innodb_io_capacity', '9000'),
        bed.setting('innodb_io_capacity_max', '20000'),
        bed.setting('innodb_buffer_pool_size', '128M'),
        bed.setting('innodb_adaptive_hash_index', 'off'),
        bed.setting('binlog_format', 'statement'),
      ];
      const before = await asked(database, STATE);
      const costs = (await settingChanger.examine(bed.at, desired)).map(({ cost, findings }) => ({ cost, findings }));
      expect(costs).toEqual(desired.map(() => ({ cost: 'live', findings: [] })));
      const changes = await bed.reach(settingChanger, desired);
      const read = await bed.read(settingChanger, desired);
      expect(desired.map((each, index) => settingChanger.matches(each, read[index] ?? null))).toEqual(
        desired.map(() => true),
      );
      expect(await asked(database, STATE)).toEqual(['2 9000 134217728 0']);
      await bed.restore(settingChanger, changes);
      expectSame('settings of the server', await asked(database, STATE), before);
      expect(readFileSync(bed.pidFile, 'utf8')).toBe(pid);
    });

    test('are restored together with those the server changed along with them, right after the change', async () => {
      const state = `SELECT CONCAT_WS(' ', @@innodb_io_capacity, @@innodb_io_capacity_max,
      @@innodb_max_dirty_pages_pct, @@innodb_max_dirty_pages_pct_lwm)`;
      await asked(database, 'SET GLOBAL innodb_max_dirty_pages_pct_lwm = 50');
      const before = await asked(database, state);
      const desired = [bed.setting('innodb_io_capacity', '5000'), bed.setting('innodb_max_dirty_pages_pct', '20')];
      const affected = async () => (await settingChanger.affected?.(bed.at, desired)) ?? [];
      const first = await affected();
      expect(
        (await affected()).filter(
          ({ what, value }, index) => first[index]?.what !== what || first[index]?.value !== value,
        ),
      ).toEqual([]);
      const changes = await bed.reach(settingChanger, desired);
      const now = new Map((await affected()).map(({ what, value }) => [what, value]));
      const moved = first.filter(({ what, value }) => now.get(what) !== value);
      expect(moved.map(({ what }) => `${what} ${now.get(what)}`).sort()).toEqual(
        expect.arrayContaining(moves.map((move) => expect.stringMatching(move))),
      );
      await settingChanger.restore(bed.at, [
        ...moved.map(({ what, value, undo }) => ({ what, first: { value, ...(undo && { how: undo }) } })),
        ...changes.map(({ setting, first: was }) => ({ what: setting.what, first: was })),
      ]);
      expectSame('settings of the server', await asked(database, state), before);
      expect(
        (
          await settingChanger.read(
            bed.at,
            moved.map(({ what, value }) => bed.setting(what, value)),
          )
        ).map(({ value }) => value),
      ).toEqual(moved.map(({ value }) => value));
    });

    test('that are read only at start change by file and one restart, which keeps values set by hand', async () => {
      await asked(database, 'SET GLOBAL long_query_time = 7');
      const pid = readFileSync(bed.pidFile, 'utf8');
      const desired = [
        bed.setting('BACK_LOG', '77'),
        bed.setting('table_open_cache_instances', '3'),
        bed.setting('sync_binlog', '7'),
      ];
      const examined = await settingChanger.examine(bed.at, desired);
      expect(examined.map(({ cost }) => cost)).toEqual(['restart', 'restart', 'live']);
      const changes = await bed.reach(settingChanger, desired);
      expect(await bed.read(settingChanger, desired)).toEqual(['77', '3', '7']);
      expect(readFileSync(bed.pidFile, 'utf8')).not.toBe(pid);
      expect(readFileSync(bed.settingsFile, 'utf8')).toMatch(/back_log = 77/);
      const state = 'SELECT CONCAT_WS(" ", ROUND(@@GLOBAL.long_query_time), @@GLOBAL.sync_binlog, @@GLOBAL.back_log)';
      expect(await asked(database, state)).toEqual(['7 7 77']);
      await bed.restore(settingChanger, changes);
      expect(existsSync(bed.settingsFile)).toBe(false);
      const first = changes.map(({ first: { value } }) => value);
      expectSame('settings of the server', await bed.read(settingChanger, desired), first);
      const byHand = await asked(database, 'SELECT ROUND(@@GLOBAL.long_query_time)');
      expectSame('a setting by hand', byHand, ['7']);
    });

    test('that prevent the server from starting are reverted, and the server runs', async () => {
      const desired = [bed.setting('innodb_data_file_path', 'nonsense'), bed.setting('back_log', '88')];
      const problem = await problemOf(bed.reach(settingChanger, desired));
      expect(problem).toMatchObject({ code: 'change-refused', target: 'db', host: expect.any(String) });
      expect(problem.message).toMatch(/did not start with .*innodb_data_file_path.* = nonsense.*Last log lines: /);
      expect(problem.safe).toContain('is up again');
      expect(existsSync(bed.settingsFile)).toBe(false);
      expect(await asked(database, 'SELECT @@innodb_data_file_path')).toEqual(['ibdata1:12M:autoextend']);
      expect(await asked(database, 'SELECT @@back_log')).not.toEqual(['88']);
    });

    test('turn the binary log on and off, although its option takes a file name', async () => {
      const [was] = await asked(database, 'SELECT @@log_bin');
      const desired = bed.setting('log_bin', was === '1' ? 'off' : 'on');
      const changes = await bed.reach(settingChanger, [desired]);
      expect(await asked(database, 'SELECT @@log_bin')).toEqual([was === '1' ? '0' : '1']);
      expect(settingChanger.matches(desired, (await bed.read(settingChanger, [desired]))[0] ?? null)).toBe(true);
      await bed.restore(settingChanger, changes);
      expectSame('settings of the server', await asked(database, 'SELECT @@log_bin'), [was]);
      expect(existsSync(bed.settingsFile)).toBe(false);
    });

    test('interrupted before the restart are detected and restored', async () => {
      const desired = [bed.setting('back_log', '66')];
      const [first] = await settingChanger.read(bed.at, desired);
      if (!first || !desired[0]) throw new Error('Nothing was read.');
      await bed.at.server().settingsFile?.write({ back_log: '66' });
      const cutOff = await bed.read(settingChanger, desired);
      expect(cutOff).toEqual([`${first.value} (66 after a restart)`]);
      expect(settingChanger.matches(desired[0], cutOff[0] ?? null)).toBe(false);
      const pid = readFileSync(bed.pidFile, 'utf8');
      await bed.restore(settingChanger, [{ setting: desired[0], first }]);
      expect(existsSync(bed.settingsFile)).toBe(false);
      expect(readFileSync(bed.pidFile, 'utf8')).toBe(pid);
      expectSame('settings of the server', await bed.read(settingChanger, desired), [first.value]);
    });

    test('interrupted between stop and start with an invalid file are restored, and the server is started', async () => {
      const desired = bed.setting('innodb_data_file_path', 'nonsense');
      const [first] = await settingChanger.read(bed.at, [desired]);
      if (!first) throw new Error('Nothing was read.');
      await bed.at.server().stop(bed.at.signal);
      await bed.at.server().settingsFile?.write({ innodb_data_file_path: 'nonsense' });
      expect(await problemOf(settingChanger.read(bed.at, [desired]))).toMatchObject({ code: 'server-not-back' });
      await bed.restore(settingChanger, [{ setting: desired, first }]);
      expectSame('settings of the server', await bed.read(settingChanger, [desired]), [first.value]);
      expect(existsSync(bed.settingsFile)).toBe(false);
    });

    test('that cannot be varied are reported before any change', async () => {
      const findings = async (what: string, value: string) =>
        (await settingChanger.examine(bed.at, [bed.setting(what, value)]))[0]?.findings;
      expect(await findings('innodb_bufer_pool_size', '1G')).toMatchObject([
        { code: 'setting-unknown', severity: 'block', next: 'Did you mean “innodb_buffer_pool_size”?' },
      ]);
      expect(await findings('version_compile_os', 'x')).toMatchObject([{ code: 'setting-fixed' }]);
      expect(await findings('port', '3306')).toMatchObject([{ code: 'setting-not-changeable' }]);
      expect(await findings('performance_schema', 'on')).toMatchObject([
        { code: 'setting-not-changeable', message: expect.stringContaining('on the server’s command line') },
      ]);
      expect(await problemOf(bed.reach(settingChanger, [bed.setting('binlog_format', 'nonsense')]))).toMatchObject({
        code: 'change-refused',
        message: expect.stringMatching(/“binlog_format”: .*nonsense/),
      });
    });
  },
);

describe('settings of MySQL 5.7, which needs a server id for a binary log', () => {
  let database: DatabaseServer;
  let bed: SettingBed;
  beforeAll(async () => {
    database = await startMySql('5.7.22');
    bed = await settingBed(database, { without: ['server-id', 'server_id', 'log-bin', 'log_bin', 'skip-log-bin'] });
  });
  afterAll(() => bed.close());

  const STATE = 'SELECT CONCAT_WS(" ", @@log_bin, @@server_id, @@sync_binlog, @@back_log)';

  test('both are in effect after the restart, in either order', async () => {
    const [before = ''] = await asked(database, STATE);
    expect(before).toMatch(/^0 0 /);
    const set = [bed.setting('log_bin', 'on'), bed.setting('server_id', '7'), bed.setting('sync_binlog', '3')];
    const changes = await bed.reach(settingChanger, set);
    const [now = ''] = await asked(database, STATE);
    expect(now).toMatch(/^1 7 3 /);
    // Another level of a setting that needs no restart also survives one.
    const [live] = await bed.reach(settingChanger, [bed.setting('sync_binlog', '5')]);
    expect(readFileSync(bed.settingsFile, 'utf8')).toMatch(/sync_binlog = 5/);
    expect(live).toBeDefined();
    await settingChanger.apply(
      bed.at,
      [
        {
          setting: bed.setting('back_log', '77'),
          first: (await settingChanger.read(bed.at, [bed.setting('back_log', '77')]))[0] as Found,
        },
      ],
      changes.map((change) =>
        change.setting.what === 'sync_binlog' ? { ...change, setting: bed.setting('sync_binlog', '5') } : change,
      ),
    );
    expect(await asked(database, STATE)).toEqual(['1 7 5 77']);
    await bed.restore(settingChanger, [
      ...changes,
      {
        setting: bed.setting('back_log', '77'),
        first: { value: before.split(' ')[3] ?? '', how: { keptIn: 'file', effect: 'restart' } },
      },
    ]);
    expectSame('settings of the server', await asked(database, STATE), [before]);
    expect(existsSync(bed.settingsFile)).toBe(false);
  });
});

describe('settings of a shared server', () => {
  let database: DatabaseServer;
  const secret = 'Poor-pw1';
  beforeAll(async () => {
    database = await startMariaDb();
    await asked(database, `CREATE USER poor@'%' IDENTIFIED BY '${secret}'`);
    await asked(database, `GRANT ALL ON ${database.database}.* TO poor@'%'`);
  });
  afterAll(() => database.stop());

  test('cannot be changed without the privilege or without control of the server', async () => {
    const bed = await settingBed(database, { control: 'none', config: { user: 'poor' }, password: secret });
    const desired = [bed.setting('sync_binlog', '7'), bed.setting('back_log', '77')];
    const examined = await settingChanger.examine(bed.at, desired);
    expect(examined.map(({ findings }) => findings[0])).toMatchObject([
      { code: 'setting-not-changeable', next: expect.stringContaining('SUPER') },
      { code: 'server-not-controlled', message: expect.stringContaining('cannot restart') },
    ]);
    expect(await problemOf(bed.reach(settingChanger, desired))).toMatchObject({ code: 'change-not-possible' });
  });

  test('are changed after a confirmation, if others are connected', async () => {
    const bed = await settingBed(database, { control: 'none' });
    const other = await createConnection({ socketPath: database.socket, user: 'poor', password: secret });
    const [first, second] = await settingChanger.examine(bed.at, [
      bed.setting('sync_binlog', '7'),
      bed.setting('innodb_io_capacity', '7'),
    ]);
    await other.end();
    expect(first?.findings).toMatchObject([
      { code: 'server-shared', severity: 'block', message: expect.stringContaining('poor from localhost') },
    ]);
    expect(second?.findings.map(({ code }) => code)).toEqual(['setting-value']);
  });

  test('are changed and restored even if the server host is unknown', async () => {
    const bed = await settingBed(database, { control: 'unknown' });
    const desired = [bed.setting('sync_binlog', '7'), bed.setting('innodb_io_capacity', '777')];
    const state = 'SELECT CONCAT_WS(" ", @@sync_binlog, @@innodb_io_capacity)';
    const before = await asked(database, state);
    const changes = await bed.reach(settingChanger, desired);
    expect(await asked(database, state)).toEqual(['7 777']);
    await bed.restore(settingChanger, changes);
    expectSame('settings of the server', await asked(database, state), before);
    expect(await problemOf(bed.reach(settingChanger, [bed.setting('back_log', '77')]))).toMatchObject({
      message: expect.stringContaining('has no server host'),
    });
  });
});
