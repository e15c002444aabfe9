import { z } from 'zod';
import type { ReadyCapture } from '../../../../shared/model/capture.ts';
import type { TargetDescription } from '../../../../shared/model/target.ts';
import { plainText, whereto } from '../failure.ts';
import { connectMySql, firstMySqlValue, type MySqlConnection } from '../mysql/connection.ts';
import { type Connected, defineServer } from '../server.ts';
import { passwordSetting, serverFacts, settingsFrom, tlsSetting } from '../server-facts.ts';
import { serverFields, serverKeyField, words } from '../wording.ts';
import {
  clickhouseCounters,
  clickhouseDataBytes,
  clickhouseRoom,
  clickhouseSessions,
  clickhouseSizes,
  clickhouseStored,
  countClickhouseRows,
  firstClickhouseRows,
} from './data.ts';
import { clickhouseProblem, isRefusal } from './failure.ts';
import {
  clickhouseHostLines,
  clickhouseOnHost,
  clickhouseStatementLines,
  clickhouseStatementsOnHost,
} from './monitoring/on-host.ts';
import { CLICKHOUSE_SERIES } from './monitoring/rules.ts';
import { clickhouseSampler, clickhouseTable } from './monitoring/sample.ts';
import {
  CLICKHOUSE_SETTINGS,
  clickhouseDurability,
  clickhouseSettings,
  systemRows,
  tableSettings,
} from './settings.ts';

/** ClickHouse tables worth capturing in a run. */
const CLICKHOUSE_CAPTURES: readonly ReadyCapture[] = [
  {
    description: 'Every counter of the server from start to end.',
    capture: {
      name: 'events',
      statement: 'SELECT event, value FROM system.events',
      as: 'difference',
      key: ['event'],
    },
  },
  {
    description: 'Running queries with rows read and memory used.',
    capture: {
      name: 'processes',
      statement: 'SELECT query_id, elapsed, read_rows, memory_usage, query FROM system.processes',
      as: 'table',
      at: ['stall'],
    },
  },
  {
    description: 'Running merges of parts.',
    capture: {
      name: 'merges',
      statement: 'SELECT database, table, elapsed, progress, num_parts, memory_usage FROM system.merges',
      as: 'table',
      at: ['stall', 'end'],
    },
  },
];

const MYSQL_PORT = 9004;

/** It does not listen on a Unix socket. */
const Config = z
  .strictObject({
    ...serverFields(MYSQL_PORT),
    serverKey: serverKeyField,
    port: z
      .int()
      .min(1)
      .max(65_535)
      .default(MYSQL_PORT)
      .meta(
        words(
          'Port',
          'The port for MySQL’s protocol: mysql_port in the server’s configuration, usually 9004; 3306 in ClickHouse Cloud. Not the HTTP port (8123) or the native port (9000).',
          'Server',
        ),
      ),
  })
  .omit({ socket: true });
type Config = z.output<typeof Config>;

const withoutSocket = (config: Config) => ({ ...config, socket: '' });

/** No ClickHouse statement reports the encryption of a connection, so this side of it is used. */
function tlsWords({ connection, downgraded }: Connected<MySqlConnection>, { tls }: Config): string {
  const encryption = connection.encryption();
  if (encryption === undefined) return plainText(downgraded);
  return `${encryption}, certificate ${tls === 'verify' ? 'checked' : 'not checked'}`;
}

/** The full version and who built it: "v26.3.2.1-lts (official build)". */
async function flavourOf(connection: MySqlConnection, settings: ReadonlyMap<string, string>): Promise<string> {
  if (settings.get('cloud_mode') === '1') return 'ClickHouse Cloud';
  const rows = await systemRows(connection, 'build_options', ['name', 'value']);
  const options = new Map(rows.map(([name = '', value = '']) => [name, value.trim()]));
  const parts = [options.get('VERSION_DESCRIBE'), options.get('VERSION_OFFICIAL')];
  return parts.filter((part) => part !== undefined && part !== '').join(' ') || 'ClickHouse';
}

async function describe(connected: Connected<MySqlConnection>, config: Config): Promise<TargetDescription> {
  const { connection } = connected;
  const [[version] = []] = await connection.query(
    "SELECT value FROM system.build_options WHERE name = 'VERSION_STRING'",
  );
  const settings = new Map((await clickhouseSettings(connection)).map(({ name, value }) => [name, value]));
  const tls = tlsWords(connected, config);
  return {
    product: 'ClickHouse',
    version: String(version ?? ''),
    flavour: await flavourOf(connection, settings),
    settings: [
      ...settingsFrom(settings, CLICKHOUSE_SETTINGS),
      ...(await tableSettings(connection)),
      tlsSetting(tls),
      ...passwordSetting(config),
    ],
    tls,
    encrypted: connection.encryption() !== undefined,
    durability: clickhouseDurability(settings),
    dataBytes: await clickhouseDataBytes(connection),
    readAt: Date.now(),
  };
}

async function identity(connection: MySqlConnection): Promise<Record<string, string>> {
  const [[uuid] = []] = await connection.query('SELECT toString(serverUUID())');
  return uuid ? { 'server uuid': String(uuid) } : {};
}

/** ClickHouse on its port for MySQL's protocol. */
export const clickhouseTarget = defineServer({
  kind: 'clickhouse',
  title: 'ClickHouse',
  family: 'ClickHouse',
  example: {
    name: 'clickhouse-25.8 on db-bench-01',
    config: { address: 'TARGET', user: 'USER', database: 'DATABASE' },
  },
  config: Config,
  // Entries live for query_cache_ttl, whatever is written in the meantime.
  cachesResults: (setting) =>
    setting('use_query_cache') === '1' ? { by: 'use_query_cache = 1', stale: true } : undefined,
  captures: CLICKHOUSE_CAPTURES,
  monitoring: {
    rules: CLICKHOUSE_SERIES,
    processes: ['clickhouse-serv', 'clickhouse'],
    hostLines: clickhouseHostLines,
    statementLines: clickhouseStatementLines,
  },
  facts: (config, secret) => serverFacts('clickhouse', withoutSocket(config), secret),
  where: (config) => whereto('the ClickHouse server', withoutSocket(config)),
  connect: (config, secret, reach, signal) => connectMySql(withoutSocket(config), secret, reach, signal),
  problem: clickhouseProblem,
  isRefusal,
  ask: {
    ping: (connection) => connection.query('SELECT 1'),
    describe,
    identity,
    counters: clickhouseCounters,
    countRows: countClickhouseRows,
    run: firstMySqlValue,
    settings: clickhouseSettings,
    sizes: clickhouseSizes,
    room: clickhouseRoom,
    stored: clickhouseStored,
    firstRows: firstClickhouseRows,
    sessions: clickhouseSessions,
    sampler: clickhouseSampler,
    samplesOnHost: (connection, config, secret) => clickhouseOnHost(connection, withoutSocket(config), secret),
    statementsOnHost: (connection, config, secret, statements) =>
      clickhouseStatementsOnHost(connection, withoutSocket(config), secret, statements),
    table: (connection: MySqlConnection, statement, how) => clickhouseTable(connection, statement, how),
  },
});
