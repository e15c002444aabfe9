import { appendFileSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type DatabaseServer,
  runSql,
  startPgBouncer,
  startPostgres,
} from '../../../../../e2e/testbed/databases/index.ts';
import { expectSame } from '../../../../../scripts/test/recorded.ts';
import { targetByKind } from '../../targets/index.ts';
import { problemOf } from '../../targets/testing/servers.ts';
import { settingChanger } from './changer.ts';
import { type SettingBed, settingBed } from './testing/bed.ts';

async function asked(
  database: Pick<DatabaseServer, 'address' | 'port' | 'user' | 'password' | 'database'>,
  question: string,
): Promise<unknown> {
  const client = new Client({ ...database, host: database.address });
  await client.connect();
  try {
    const { rows } = await client.query<unknown[]>({ text: question, rowMode: 'array' });
    return rows[0]?.[0];
  } finally {
    await client.end();
  }
}

const postgresEffect = (name: string) => targetByKind('postgres').settings?.effectOf(name);

const findings = async (bed: SettingBed, what: string, value: string) =>
  (await settingChanger.examine(bed.at, [bed.setting(what, value)]))[0]?.findings;

describe('settings of PostgreSQL 15', () => {
  let database: DatabaseServer;
  let bed: SettingBed;
  const autoFile = (): string => readFileSync(join(dirname(database.socket), 'data', 'postgresql.auto.conf'), 'utf8');
  const pid = (): string => readFileSync(bed.pidFile, 'utf8').split('\n')[0] ?? '';
  beforeAll(async () => {
    database = await startPostgres();
    await runSql(database, ["ALTER SYSTEM SET random_page_cost = '1.1'", 'ALTER SYSTEM SET checkpoint_timeout = 600']);
    bed = await settingBed(database, { without: ['shared_buffers', 'max_connections'] });
  });
  afterAll(() => bed.close());

  test('are read back from tables, which keep the values of their creation', async () => {
    const long = "(SELECT string_agg(md5(i::text), 'the same words between') FROM generate_series(1, 300) i)";
    const toast = bed.setting('default_toast_compression', 'lz4');
    const tableValues = async (...tables: string[]) =>
      Object.fromEntries(
        (await settingChanger.ofTables?.(
          bed.at,
          [toast, bed.setting('default_table_access_method', 'heap')],
          tables,
        )) ?? [],
      );
    await runSql(database, [
      'CREATE TABLE pglz_kept (id INT, words TEXT)',
      `INSERT INTO pglz_kept SELECT 1, ${long}`,
      'CREATE TABLE short_ones (id INT, words TEXT)',
      "INSERT INTO short_ones VALUES (1, 'short')",
    ]);
    const changes = await bed.reach(settingChanger, [toast]);
    await runSql(database, [
      'CREATE TABLE lz4_kept (id INT, "Its words" TEXT)',
      `INSERT INTO lz4_kept SELECT 1, ${long}`,
    ]);
    expect(await tableValues('lz4_kept')).toEqual({
      default_toast_compression: ['lz4'],
      default_table_access_method: ['heap'],
    });
    // Tables created before the setting have the previous one.
    expect(await tableValues('pglz_kept')).toMatchObject({ default_toast_compression: ['pglz'] });
    expect((await tableValues('pglz_kept', 'lz4_kept')).default_toast_compression?.toSorted()).toEqual(['lz4', 'pglz']);
    // Values too short to be compressed show nothing.
    expect(await tableValues('short_ones')).toMatchObject({ default_toast_compression: [] });
    await bed.restore(settingChanger, changes);
  });

  test('are set with a reload and restored to the original file', async () => {
    const [file, first] = [autoFile(), pid()];
    const desired = [
      bed.setting('work_mem', '64M'),
      bed.setting('checkpoint_timeout', '15min'),
      bed.setting('wal_compression', 'on'),
      bed.setting('synchronous_commit', 'off'),
    ];
    const examined = await settingChanger.examine(bed.at, desired);
    expect(examined.map(({ cost, findings: found }) => [cost, found])).toEqual(desired.map(() => ['reload', []]));
    // The server's file was edited, and the server reads it now.
    const edited = join(dirname(database.socket), 'data', 'postgresql.conf');
    appendFileSync(edited, "\ndeadlock_timeout = '7s'\n");
    const affected = (await settingChanger.affected?.(bed.at, desired)) ?? [];
    const changes = await bed.reach(settingChanger, desired);
    const now = new Map((await settingChanger.affected?.(bed.at, desired))?.map(({ what, value }) => [what, value]));
    expect(affected.filter(({ what, value }) => now.get(what) !== value)).toMatchObject([
      { what: 'deadlock_timeout', value: '1s', stuck: expect.stringContaining('edited in a settings file') },
    ]);
    expect(await bed.read(settingChanger, desired)).toEqual(['64MB', '15min', 'pglz', 'off']);
    expect(await asked(database, 'SHOW work_mem')).toBe('64MB');
    expect(autoFile()).not.toBe(file);
    await bed.restore(settingChanger, changes);
    expectSame('work_mem', await asked(database, 'SHOW work_mem'), '4MB');
    expectSame('checkpoint_timeout', await asked(database, 'SHOW checkpoint_timeout'), '10min');
    expectSame('lines of its file', autoFile().split('\n').sort(), file.split('\n').sort());
    expect(pid()).toBe(first);
  });

  test('that apply at start are set with one restart', async () => {
    const [file, first] = [autoFile(), pid()];
    const desired = [
      bed.setting('shared_buffers', '48MB'),
      bed.setting('max_connections', '33'),
      bed.setting('random_page_cost', '2'),
    ];
    const before = await bed.read(settingChanger, desired);
    const changes = await bed.reach(settingChanger, desired);
    expect(await asked(database, 'SHOW shared_buffers')).toBe('48MB');
    expect(await bed.read(settingChanger, desired)).toEqual(['48MB', '33', '2']);
    const second = pid();
    expect(second).not.toBe(first);
    await bed.restore(settingChanger, changes);
    expectSame('settings of the server', await bed.read(settingChanger, desired), before);
    expectSame('lines of its file', autoFile().split('\n').sort(), file.split('\n').sort());
    expect(pid()).not.toBe(second);
  });

  test('that prevent it from starting are removed from its file, and it runs', async () => {
    const file = autoFile();
    // Within PostgreSQL's limits, but more than any machine has.
    const desired = [bed.setting('shared_buffers', '4TB'), bed.setting('huge_pages', 'on')];
    const problem = await problemOf(bed.reach(settingChanger, desired));
    expect(problem).toMatchObject({ code: 'change-refused', target: 'db' });
    expect(problem.message).toMatch(/did not start with .*“shared_buffers” = 4TB.*Last log lines: .*FATAL/);
    expect(await asked(database, 'SHOW shared_buffers')).not.toBe('4TB');
    expectSame('its file', autoFile(), file);
  });

  test('interrupted before the restart are detected and restored', async () => {
    const file = autoFile();
    const desired = bed.setting('shared_buffers', '48MB');
    const [first] = await settingChanger.read(bed.at, [desired]);
    if (!first) throw new Error('Nothing was read.');
    await runSql(database, ["ALTER SYSTEM SET shared_buffers = '48MB'"]);
    expect(await bed.read(settingChanger, [desired])).toEqual([`${first.value} (48MB after a restart)`]);
    await bed.restore(settingChanger, [{ setting: desired, first }]);
    expectSame('settings of the server', await bed.read(settingChanger, [desired]), [first.value]);
    expectSame('its file', autoFile(), file);
  });

  test('have the effect that is known without asking the server, or a lesser one', async () => {
    const { settings = [] } = await bed.at.connected(async (session) => ({ settings: await session.settings?.() }));
    const inServer = { dynamic: 'reload', connection: 'reload', reload: 'reload', restart: 'restart', fixed: 'fixed' };
    const known = settings.map(({ name, change = 'fixed' }) => {
      const effect = postgresEffect(name);
      return { name, agrees: effect === inServer[change] || (effect === 'restart' && change !== 'fixed') };
    });
    expect(known.length).toBeGreaterThan(300);
    expect(known.filter(({ agrees }) => !agrees)).toEqual([]);
  });

  test('that do not fit are reported before any change', async () => {
    const code = async (what: string, value: string) => (await findings(bed, what, value))?.map((each) => each.code);
    expect(await findings(bed, 'work_mem', '4096')).toMatchObject([
      {
        code: 'setting-value',
        message: expect.stringContaining('is measured in kB'),
        next: expect.stringContaining('64MB'),
      },
    ]);
    expect(await findings(bed, 'work_men', '64MB')).toMatchObject([{ next: 'Did you mean “work_mem”?' }]);
    expect(await code('wal_compression', 'gzip')).toEqual(['setting-value']);
    expect(await code('work_mem', '1kB')).toEqual(['setting-value']);
    expect(await code('checkpoint_timeout', '2d')).toEqual(['setting-value']);
    expect(await code('checkpoint_timeout', '1d')).toEqual([]);
    expect(await code('jit', 'nonsense')).toEqual(['setting-value']);
    expect(await code('block_size', '8192')).toEqual(['setting-fixed']);
    expect(await code('port', '1')).toEqual(['setting-not-changeable']);
    expect(await findings(bed, 'logging_collector', 'on')).toMatchObject([
      { code: 'setting-not-changeable', message: expect.stringContaining('on the server’s command line') },
    ]);
    expect(await problemOf(bed.reach(settingChanger, [bed.setting('default_tablespace', 'nowhere')]))).toMatchObject({
      code: 'change-refused',
      message: expect.stringContaining('nowhere'),
    });
  });
});

describe('settings of a server and of its pooler', () => {
  let database: DatabaseServer;
  let pooler: Awaited<ReturnType<typeof startPgBouncer>>;
  beforeAll(async () => {
    database = await startPostgres();
    pooler = await startPgBouncer(database);
  });
  afterAll(async () => {
    await pooler.stop();
    await database.stop();
  });

  test('are each changed where they belong', async () => {
    const { user, password } = pooler.admin;
    await runSql(database, [`ALTER ROLE ${user} SUPERUSER`]);
    const bed = await settingBed(database, { control: 'none', config: { port: pooler.port, user }, password });
    const console = { address: '127.0.0.1', port: pooler.port, user, password, database: 'pgbouncer' };
    for (const [mode, size] of [
      ['session', '3'],
      ['transaction', '11'],
      ['statement', '3'],
    ]) {
      const desired = [
        bed.setting('pool_mode', mode ?? ''),
        bed.setting('default_pool_size', size ?? ''),
        bed.setting('work_mem', '9MB'),
      ];
      const examined = await settingChanger.examine(bed.at, desired);
      expect(examined.map(({ cost }) => cost)).toEqual(['live', 'live', 'reload']);
      const changes = await bed.reach(settingChanger, desired);
      expect(await bed.read(settingChanger, desired)).toEqual([mode, size, '9MB']);
      expect(await asked(database, 'SHOW work_mem')).toBe('9MB');
      await bed.restore(settingChanger, changes);
      expectSame('settings of both', await bed.read(settingChanger, desired), ['transaction', '7', '4MB']);
    }
    expect(await asked(console, 'SHOW VERSION')).toContain('PgBouncer');
    expect(await findings(bed, 'pool_mode', 'nonsense')).toMatchObject([{ code: 'setting-value' }]);
    expect(await findings(bed, 'listen_port', '1')).toMatchObject([{ code: 'setting-not-changeable' }]);
  });

  test('cannot be changed without the privilege, and the missing grant is named', async () => {
    const secret = 'Poor-pw1';
    await runSql(database, [`CREATE ROLE poor LOGIN PASSWORD '${secret}'`]);
    const bed = await settingBed(database, { control: 'none', config: { user: 'poor' }, password: secret });
    const other = new Client({ ...database, host: database.address });
    await other.connect();
    expect(await findings(bed, 'work_mem', '9MB')).toMatchObject([
      { code: 'setting-not-changeable', next: expect.stringContaining('ALTER SYSTEM ON PARAMETER work_mem') },
      { code: 'server-shared', message: expect.stringContaining(database.user) },
    ]);
    await other.end();
    expect(await problemOf(bed.reach(settingChanger, [bed.setting('work_mem', '9MB')]))).toMatchObject({
      code: 'change-not-possible',
    });
    await runSql(database, [
      'GRANT ALTER SYSTEM ON PARAMETER work_mem TO poor',
      'GRANT SELECT ON pg_file_settings TO poor',
      'GRANT EXECUTE ON FUNCTION pg_show_all_file_settings(), pg_reload_conf() TO poor',
    ]);
    const changes = await bed.reach(settingChanger, [bed.setting('work_mem', '9MB')]);
    expect(await asked(database, 'SHOW work_mem')).toBe('9MB');
    await bed.restore(settingChanger, changes);
    expect(await asked(database, 'SHOW work_mem')).toBe('4MB');
  });
});
