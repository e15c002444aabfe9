import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type DatabaseServer,
  runSql,
  startMariaDb,
  startMariaDb11,
  startMySql,
  startMySql8,
  startPostgres,
  startPostgresVersion,
} from '../../../../e2e/testbed/databases/index.ts';
import { DataSizes, LiveSession, ServerSetting } from '../../../shared/model/target-details.ts';
import { byDay } from '../../../shared/util/testing/depth.ts';
import { targetByKind } from './index.ts';
import type { TargetSession } from './target.ts';
import { openServer } from './testing/servers.ts';

const LARGE = 'large_table';
const CAPACITY = { settings: { innodb_io_capacity: 321 } };
const COUNTERS = ['Questions', 'Innodb_data_fsyncs'] as const;
/** Without a source (5.6, 5.7), configured and built-in values are indistinguishable. */
const WITHOUT_SOURCE = [
  { name: 'innodb_io_capacity', value: '321', default: '200', change: 'dynamic' },
  { name: 'innodb_page_size', value: '16384', default: '16384', change: 'restart' },
  { name: 'query_cache_type', value: 'OFF', default: 'OFF' },
  { name: 'version_compile_os', change: 'fixed' },
] as const;
const WITH_SOURCE = [
  { name: 'innodb_io_capacity', value: '321', default: '200', source: 'command_line', change: 'dynamic' },
  { name: 'innodb_page_size', value: '16384', default: '16384', source: 'compiled', change: 'restart' },
  { name: 'version_compile_os', change: 'fixed' },
] as const;
const WITH_SOURCE_MARIADB = [
  { ...WITH_SOURCE[0], source: 'command-line' },
  { ...WITHOUT_SOURCE[1] },
  WITH_SOURCE[2],
  { name: 'innodb_flush_log_at_trx_commit', takes: { least: '0', most: '3' } },
  { name: 'binlog_format', takes: { list: ['MIXED', 'STATEMENT', 'ROW'] } },
] as const;

/** Expected facts of each real server; some `settings` were configured at its start. */
const SERVERS = {
  'MariaDB 10.11': {
    kind: 'mysql',
    start: () => startMariaDb(CAPACITY),
    version: /^10\.11\./,
    settings: WITH_SOURCE_MARIADB,
    counters: COUNTERS,
  },
  'MariaDB 11.4': {
    kind: 'mysql',
    start: () => startMariaDb11(CAPACITY),
    version: /^11\.4\.5-MariaDB/,
    settings: WITH_SOURCE_MARIADB,
    counters: COUNTERS,
  },
  'MySQL 5.6': {
    kind: 'mysql',
    start: () => startMySql('5.6.24', CAPACITY),
    version: /^5\.6\.24/,
    settings: [...WITHOUT_SOURCE, { name: 'innodb_buffer_pool_size', default: '134217728', change: 'restart' }],
    counters: [...COUNTERS, 'Qcache_hits'],
  },
  'MySQL 5.7': {
    kind: 'mysql',
    start: () => startMySql('5.7.22', CAPACITY),
    version: /^5\.7\.22/,
    settings: [...WITHOUT_SOURCE, { name: 'innodb_buffer_pool_size', default: '134217728', change: 'dynamic' }],
    counters: [...COUNTERS, 'Qcache_hits'],
  },
  'MySQL 8.0.12': {
    kind: 'mysql',
    start: () => startMySql8(CAPACITY),
    version: /^8\.0\.12/,
    settings: [
      ...WITH_SOURCE,
      { name: 'innodb_doublewrite', change: 'restart' },
      { name: 'innodb_flush_log_at_trx_commit', takes: { least: '0', most: '2' } },
    ],
    counters: COUNTERS,
  },
  'MySQL 8.0.33': {
    kind: 'mysql',
    start: () => startMySql('8.0.33', CAPACITY),
    version: /^8\.0\.33/,
    settings: [...WITH_SOURCE, { name: 'innodb_doublewrite', change: 'dynamic' }],
    counters: [...COUNTERS, 'Innodb_redo_log_capacity_resized'],
  },
  'PostgreSQL 11': {
    kind: 'postgres',
    start: () => startPostgresVersion('11', { settings: { bgwriter_delay: 321 } }),
    version: /^11\./,
    settings: [
      { name: 'bgwriter_delay', value: '321', unit: 'ms', default: '200', source: 'command line', change: 'reload' },
      { name: 'shared_buffers', value: '33554432', unit: 'bytes', default: '8388608', change: 'restart' },
      { name: 'autovacuum_work_mem', value: '-1', default: '-1', change: 'reload' },
      { name: 'block_size', value: '8192', change: 'fixed' },
      { name: 'work_mem', source: 'default', change: 'dynamic' },
    ],
    counters: ['pg_stat_database.xact_commit', 'pg_stat_bgwriter.buffers_checkpoint'],
  },
  'PostgreSQL 15': {
    kind: 'postgres',
    start: () =>
      startPostgres({
        settings: { bgwriter_delay: 321, restore_command: 'push --password=hunter22 ftp://me:hunter22@far/ %p' },
      }),
    version: /^15\./,
    settings: [
      { name: 'bgwriter_delay', value: '321', unit: 'ms', default: '200', source: 'command line', change: 'reload' },
      { name: 'ignore_system_indexes', value: 'off', change: 'connection' },
      { name: 'work_mem', takes: { least: '65536', most: '2199023254528' } },
      { name: 'synchronous_commit', takes: { list: ['local', 'remote_write', 'remote_apply', 'on', 'off'] } },
      { name: 'restore_command', value: 'push --password=[hidden] ftp://me:[hidden]@far/ %p' },
    ],
    counters: ['pg_stat_database.xact_commit', 'pg_stat_bgwriter.buffers_checkpoint', 'pg_stat_wal.wal_bytes'],
  },
  'PostgreSQL 18': {
    kind: 'postgres',
    start: () => startPostgresVersion('18', { settings: { bgwriter_delay: 321 } }),
    version: /^18/,
    settings: [{ name: 'bgwriter_delay', value: '321', default: '200', source: 'command line', change: 'reload' }],
    counters: [
      'pg_stat_database.xact_commit',
      'pg_stat_wal.wal_bytes',
      'pg_stat_checkpointer.num_timed',
      'pg_stat_io.client backend.relation.normal.reads',
    ],
  },
} as const;

/** In daily runs, those of each family with the fewest and the most facts. */
const DAILY = ['MariaDB 10.11', 'MySQL 5.6', 'MySQL 8.0.33', 'PostgreSQL 15'];
const servers = byDay(Object.entries(SERVERS), ([name]) => DAILY.includes(name));

describe.each(servers)('%s', (_name, { kind, start, version, settings, counters }) => {
  let server: DatabaseServer;
  let session: Required<TargetSession>;
  beforeAll(async () => {
    server = await start();
    await runSql(server, [
      `CREATE TABLE ${LARGE} (id INT PRIMARY KEY, filler CHAR(200))`,
      kind === 'postgres'
        ? `INSERT INTO ${LARGE} SELECT n, 'x' FROM generate_series(1, 2000) AS n`
        : `INSERT INTO ${LARGE} VALUES ${Array.from({ length: 2000 }, (_, n) => `(${n}, REPEAT('x', 200))`).join()}`,
      'CREATE TABLE small_table (id INT)',
      `ANALYZE ${kind === 'postgres' ? '' : 'TABLE '}${LARGE}`,
    ]);
    session = await openServer(targetByKind(kind), server);
  });
  afterAll(async () => {
    await session.close();
    await server.stop();
  });

  test('reports its version and its durability by server settings', async () => {
    const description = await session.describe();
    expect(description.version).toMatch(version);
    expect(description.durability?.level).toBe('safe');
    const names = new Set((await session.settings()).map(({ name }) => name));
    const judged = description.durability?.settings ?? [];
    expect(judged.length).toBeGreaterThanOrEqual(3);
    for (const { name, level } of judged) {
      expect(names).toContain(name);
      expect(level).toBe('safe');
    }
    expect(description.middleware).toBeUndefined();
  });

  test('lists all settings with default, source and effect of changes', async () => {
    const found = (await session.settings()).map((setting) => ServerSetting.parse(setting));
    expect(found.length).toBeGreaterThan(250);
    for (const wanted of settings) expect(found).toContainEqual(expect.objectContaining(wanted));
    const names = found.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)].sort((a, b) => a.localeCompare(b, 'en')));
    const known = found.filter(({ change }) => change !== undefined);
    expect(known.length).toBe(found.length);
  });

  test('has the counters of its version', async () => {
    const found = await session.counters();
    for (const name of counters) expect(found[name]).toBeGreaterThanOrEqual(0);
  });

  test('reports sizes of databases and tables', async () => {
    const sizes = DataSizes.parse(await session.sizes());
    expect(sizes.tables.map(({ name }) => name)).toEqual([LARGE, 'small_table']);
    const [large, small] = sizes.tables;
    expect(large?.bytes).toBeGreaterThan(2000 * 200);
    expect(large?.bytes).toBeGreaterThan(small?.bytes ?? Infinity);
    expect(large?.rows).toBeGreaterThan(1000);
    expect(sizes.tablesLeftOut).toBe(0);
    const rows = await session.firstRows?.(LARGE, 3);
    expect(rows).toHaveLength(3);
    expect(rows?.[0]).toMatch(/^\d+\t/);
    const own = sizes.databases.find(({ name }) => name === server.database);
    expect(own?.bytes).toBeGreaterThanOrEqual(large?.bytes ?? Infinity);
    expect((await session.describe()).dataBytes).toBeGreaterThanOrEqual(large?.bytes ?? Infinity);
  });

  test('reports bytes of data and log, rows, and the location of its files', async () => {
    const { sizes, places } = await session.stored();
    const found = new Map<string, number | undefined>(sizes.map(({ what, value }) => [what, value]));
    const rows = found.get('rows') ?? found.get('rows, estimated');
    const bytes = (await session.describe()).dataBytes ?? 0;
    // Files are larger than the used pages, and grow by a MiB or more at a time.
    expect(found.get('data')).toBeGreaterThanOrEqual(bytes / 2);
    expect(found.get('data')).toBeLessThan(bytes + 32 * 1024 ** 2);
    expect(rows).toBeGreaterThan(1500);
    expect(rows).toBeLessThan(2500);
    expect(found.get('log')).toBeGreaterThanOrEqual(1024 ** 2);
    expect(sizes.filter(({ value }) => value === undefined)).toEqual([]);
    expect(new Set(places.map(({ what }) => what))).toContain('data');
    for (const { folder } of places) expect(folder).toMatch(/^\//);
  });

  test('lists connections and their activity', async () => {
    const sleep = kind === 'postgres' ? "SELECT pg_sleep(600), 'marked'" : "SELECT SLEEP(600), 'marked'";
    const sleeping = runSql(server, [sleep]).catch(() => undefined);
    const look = async () =>
      (await session.sessions()).find(({ own, statement }) => !own && statement?.includes("'marked'"));
    const wait = kind === 'postgres' ? 'Timeout: PgSleep' : 'User sleep';
    // The statement is visible before it sleeps.
    await expect.poll(async () => (await look())?.wait).toBe(wait);
    const sessions = (await session.sessions()).map((each) => LiveSession.parse(each));
    expect(sessions.filter(({ own }) => own)).toHaveLength(1);
    expect(await look()).toMatchObject({
      user: server.user,
      database: server.database,
      state: kind === 'postgres' ? 'active' : 'Query',
      wait,
    });
    const { id = '' } = (await look()) ?? {};
    await runSql(server, [kind === 'postgres' ? `SELECT pg_terminate_backend(${id})` : `KILL ${id}`]);
    await sleeping;
  });
});

describe('an account with privileges on its own database only', () => {
  const secret = 'Poor-pw1';

  test('of MySQL sees settings, and only its own connections and databases', async () => {
    const server = await startMySql8();
    await runSql(server, [
      `CREATE USER 'poor'@'%' IDENTIFIED WITH mysql_native_password BY '${secret}'`,
      `GRANT ALL ON ${server.database}.* TO 'poor'@'%'`,
    ]);
    const session = await openServer(targetByKind('mysql'), server, { user: 'poor', secret });
    expect((await session.describe()).durability?.level).toBe('safe');
    const settings = await session.settings();
    expect(settings.length).toBeGreaterThan(250);
    expect((await session.sessions()).map(({ user }) => user)).toEqual(['poor']);
    expect((await session.sizes()).databases.map(({ name }) => name)).not.toContain('mysql');
    await session.close();
    await server.stop();
  });

  test('of PostgreSQL sees other connections, but not their activity', async () => {
    const server = await startPostgres();
    await runSql(server, [
      `CREATE ROLE poor LOGIN PASSWORD '${secret}'`,
      'CREATE DATABASE closed',
      'REVOKE CONNECT ON DATABASE closed FROM PUBLIC',
    ]);
    const rich = await openServer(targetByKind('postgres'), server);
    const session = await openServer(targetByKind('postgres'), server, { user: 'poor', secret });
    expect((await session.describe()).durability?.level).toBe('safe');
    const names = (await session.settings()).map(({ name }) => name);
    expect(names).toContain('fsync');
    expect(names).not.toContain('hba_file');
    expect((await session.sizes()).databases.map(({ name }) => name)).not.toContain('closed');
    const others = (await session.sessions()).filter(({ own }) => !own);
    expect(others).toContainEqual(expect.objectContaining({ user: server.user, state: 'not reported' }));
    await Promise.all([session.close(), rich.close()]);
    await server.stop();
  });
});
