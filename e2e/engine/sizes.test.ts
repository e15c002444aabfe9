import { lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SIZES } from '../../src/shared/model/capture.ts';
import { byDay } from '../../src/shared/util/testing/depth.ts';
import { type DatabaseServer, startMariaDb, startMySql, startPostgres } from '../testbed/databases/index.ts';
import { startEngine, type TestEngine } from './testing/engine.ts';
import { asked } from './testing/outside.ts';
import { ended, until } from './testing/session.ts';

const MIB = 1024 ** 2;

interface Kind {
  readonly kind: 'mysql' | 'postgres';
  readonly start: () => Promise<DatabaseServer>;
  /** Statements that return the data folder, and the name of the database's folder in it. */
  readonly folder: string;
  readonly database: string;
  readonly logs: RegExp;
  /** The server counts rows instead of estimating them. */
  readonly countsRows: boolean;
}
const MYSQL = {
  kind: 'mysql',
  ...{ folder: 'SELECT @@datadir', database: 'SELECT DATABASE()', countsRows: false },
  logs: /^(ib_logfile\d+|#innodb_redo\/.*)$/,
} as const;
const BINARY_LOG = { settings: { log_bin: 'bin', server_id: 1 } };
const ALL: Readonly<Record<string, Kind>> = {
  'MariaDB 10.11': { ...MYSQL, start: () => startMariaDb(BINARY_LOG) },
  'MySQL 8.0': { ...MYSQL, start: () => startMySql('8.0.33', BINARY_LOG) },
  'PostgreSQL 15': {
    kind: 'postgres',
    ...{ start: () => startPostgres(), countsRows: true, logs: /^pg_wal\// },
    folder: "SELECT current_setting('data_directory')",
    database: "SELECT 'base/' || oid FROM pg_database WHERE datname = current_database()",
  },
};
const KINDS = byDay(Object.keys(ALL), (name) => name === 'MariaDB 10.11');

let engine: TestEngine;
let server: DatabaseServer | undefined;
beforeEach(async () => {
  engine = await startEngine();
  await engine.client.app.unlockVault({ passphrase: 'a passphrase of the vault' });
});
afterEach(async () => {
  await engine.close();
  await server?.stop();
  server = undefined;
});

/** Bytes allocated by the file system to these files, and their lengths, in MiB: counted here, without Kneepoint. */
function onDisk(folder: string, isWanted: (name: string) => boolean): { allocated: number; length: number } {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(isWanted)
    .map((name) => lstatSync(path.join(folder, name)))
    .filter((file) => file.isFile());
  const sum = (of: (file: (typeof files)[number]) => number): number =>
    files.reduce((all, file) => all + of(file), 0) / MIB;
  return { allocated: sum(({ blocks }) => blocks * 512), length: sum(({ size }) => size) };
}

it.each(KINDS)('sizes of %s match its files, and grow with the rows', async (name) => {
  const { kind, start, folder, database, logs, countsRows } = ALL[name] as Kind;
  server = await start();
  const { address, port, user, password } = server;
  const { client } = engine;
  const spec = {
    ...{ name: 'db', kind, via: null },
    config: { address, port, user, database: server.database, allowCleartextPassword: true },
  } as const;
  await client.targets.save({ spec, secret: password });
  const text = `kneepoint: 1
name: Sizes
workload: { tool: sysbench, options: { script: oltp_insert, tables: 1, table-size: 20000, threads: 2, rate: 400 } }
where: { target: db }
measure: { duration: 5 }
monitors: { generators: false }
`;
  const { id } = await client.sessions.start({ text });
  await until(client, id, ended);
  const [run] = await client.sessions.runs({ id });
  if (!run) throw new Error('The session has no run.');
  expect(run.state, run.message).toBe('done');

  const login = { ...server, product: kind === 'postgres' ? kind : 'mysql' } as Parameters<typeof asked>[0];
  const [place = ''] = await asked(login, folder);
  const [own = ''] = await asked(login, database);
  const figures = run.summary;
  const data = onDisk(place, (file) => file.startsWith(`${own}/`));
  // Between the reading and this check a server may extend or write a file by itself.
  expect(figures.stored_data_mib).toBeCloseTo(data.allocated, 0);
  expect(figures.stored_length_mib).toBeCloseTo(data.length, 0);
  expect(figures.stored_data_mib).toBeGreaterThan(3);
  expect(figures.stored_log_mib).toBeCloseTo(onDisk(place, (file) => logs.test(file)).allocated, 0);

  const inserted = figures.transactions_total ?? 0;
  expect(inserted).toBeGreaterThan(1000);
  const seconds =
    ((figures.stored_data_mib ?? 0) - (figures.stored_data_before_mib ?? 0)) /
    ((figures.stored_data_growth_mib_h ?? 0) / 3600);
  if (figures.stored_data_growth_mib_h !== 0) expect(seconds).toBeGreaterThanOrEqual(5);
  if (countsRows) {
    expect(figures.stored_rows_before).toBe(20_000);
    expect(figures.stored_rows).toBe(20_000 + inserted);
  } else {
    expect(figures.stored_rows_before).toBeGreaterThan(15_000);
    expect(figures.stored_binlog_mib).toBeCloseTo(onDisk(place, (file) => /^bin\.\d+$/.test(file)).allocated, 0);
    // A row has about 200 bytes, in the log as well.
    expect((figures.stored_binlog_mib ?? 0) - (figures.stored_binlog_before_mib ?? 0)).toBeGreaterThan(
      (inserted * 150) / MIB,
    );
    expect(figures.stored_binlog_growth_mib_h).toBeGreaterThan(0);
  }

  // They are figures like any other, with the tables that they are from and the time of reading them.
  const result = await client.results.session({ sessionId: id, metric: 'stored_data_mib' });
  expect(result.cells.map(({ value }) => value)).toEqual([figures.stored_data_mib]);
  const kept = (await client.captures.list({ sessionId: id })).filter((each) => each.name === SIZES);
  expect(kept.map(({ moment, problem }) => [moment, problem])).toEqual([
    ['start', undefined],
    ['end', undefined],
  ]);
  for (const { tookMs } of kept) expect(tookMs).toBeGreaterThan(0);
});
