import { z } from 'zod';
import type { TargetDescription } from '../../../../shared/model/target.ts';
import type { LiveSession } from '../../../../shared/model/target-details.ts';
import { durabilityOfStored } from '../durability.ts';
import { tlsWords, whereto } from '../failure.ts';
import { type Connected, defineServer } from '../server.ts';
import {
  numbersFrom,
  passwordSetting,
  present,
  SESSIONS_LISTED,
  type ServerConfig,
  serverFacts,
  sizeBytes,
  statementOf,
  tlsSetting,
} from '../server-facts.ts';
import { serverFields, serverKeyField } from '../wording.ts';
import { MYSQL_CAPTURES } from './captures.ts';
import { connectMySql, firstMySqlValue, type MySqlConnection, mysqlTable, type Row } from './connection.ts';
import {
  countMySqlRows,
  engineDurability,
  firstMySqlRows,
  mysqlDataBytes,
  mysqlSizes,
  mysqlStorage,
  mysqlStored,
} from './data.ts';
import { isRefusal, mysqlProblem } from './failure.ts';
import { managedMySql, optionFile } from './managed.ts';
import { mysqlHostLines, mysqlOnHost, mysqlStatementLines, mysqlStatementsOnHost } from './monitoring/on-host.ts';
import { MYSQL_SERIES } from './monitoring/rules.ts';
import { mysqlSampler } from './monitoring/sample.ts';
import { mysqlCachesResults, mysqlFlavour, mysqlSettings } from './settings.ts';
import { mysqlVariables } from './variables.ts';
import { MYSQL_REFERENCE, mysqlControl } from './varying/index.ts';

const pairs = (rows: readonly Row[]): Map<string, string> =>
  new Map(rows.map(([name, value]) => [String(name), String(value)]));

async function tlsLibraryOf(connection: MySqlConnection): Promise<string | undefined> {
  const status = pairs(await connection.query("SHOW GLOBAL STATUS LIKE 'Tls\\_library\\_version'"));
  return status.get('Tls_library_version');
}

async function describe(
  { connection, downgraded }: Connected<MySqlConnection>,
  config: ServerConfig,
): Promise<TargetDescription> {
  const variables = pairs(await connection.query('SHOW GLOBAL VARIABLES'));
  const status = pairs(await connection.query("SHOW GLOBAL STATUS LIKE 'Innodb\\_redo\\_log\\_%'"));
  const ssl = pairs(await connection.query("SHOW SESSION STATUS LIKE 'Ssl\\_%'"));
  const cipher = ssl.get('Ssl_cipher') ?? '';
  const tls = tlsWords(cipher === '' ? [] : [ssl.get('Ssl_version') ?? '', cipher].filter(Boolean), config, downgraded);
  // MariaDB only; MySQL reports it with its channels since 8.0.30.
  const library = variables.get('version_ssl_library') ?? (await tlsLibraryOf(connection));
  const version = variables.get('version') ?? '';
  const storage = await mysqlStorage(connection, variables, status);
  const usual = variables.get('default_storage_engine') ?? 'InnoDB';
  const product = mysqlFlavour(version, variables.get('version_comment') ?? '');
  return {
    product,
    version,
    flavour: variables.get('version_comment') ?? product,
    settings: [...mysqlSettings(variables, status), tlsSetting(tls), ...passwordSetting(config)],
    tls,
    encrypted: cipher !== '',
    ...(library && { tlsLibrary: library }),
    durability: durabilityOfStored(storage, engineDurability(usual, variables, status)),
    storage,
    dataBytes: await mysqlDataBytes(connection),
    readAt: Date.now(),
  };
}

/** MariaDB derives its uid from a network card and the port, and older versions have none, so its data directory is included. */
async function identity(connection: MySqlConnection): Promise<Record<string, string>> {
  const names = ['server_uuid', 'server_uid', 'hostname', 'datadir'];
  const quoted = names.map((name) => `'${name}'`).join(', ');
  const variables = pairs(await connection.query(`SHOW GLOBAL VARIABLES WHERE Variable_name IN (${quoted})`));
  const [uuid, uid, host, folder] = names.map((name) => variables.get(name));
  return {
    ...(uuid && { 'server uuid': uuid }),
    ...(uid && { 'server uid': uid }),
    ...(!uuid && host && folder && { 'data directory': `${host}:${folder}` }),
  };
}

/** Server threads visible to the account; without the PROCESS privilege only its own. */
async function mysqlSessions(connection: MySqlConnection): Promise<LiveSession[]> {
  const [[own] = []] = await connection.query('SELECT CONNECTION_ID()');
  const rows = await connection.query('SHOW FULL PROCESSLIST');
  return rows.slice(0, SESSIONS_LISTED).map(([id, user, client, database, command, seconds, wait, statement]) => ({
    id: String(id),
    state: String(command),
    own: String(id) === String(own),
    ...present({
      user: words(user),
      client: words(client),
      database: words(database),
      wait: words(wait),
      seconds: seconds === null ? undefined : Number(seconds),
      statement: statementOf(statement),
    }),
  }));
}

const words = (value: unknown): string | undefined => (value === null ? undefined : String(value));

/** MySQL, MariaDB, Percona Server and compatible servers. */
export const mysqlTarget = defineServer({
  kind: 'mysql',
  title: 'MySQL, MariaDB',
  family: 'MySQL',
  example: {
    name: 'mariadb-10.11 on db-bench-01',
    config: { address: 'TARGET', user: 'USER', database: 'DATABASE' },
  },
  config: z.strictObject({ ...serverFields(3306), serverKey: serverKeyField }),
  settings: MYSQL_REFERENCE,
  ownSettings:
    /^(?:innodb|binlog|myisam|aria|query_cache|performance_schema)_|^(?:sync_binlog|log_bin|thread_handling)$/,
  settingsFormat: optionFile,
  // Other engines have caches of their own, or none.
  cacheBytes: (setting, storage = 'InnoDB') =>
    storage.toLowerCase() === 'innodb' ? sizeBytes(setting('innodb_buffer_pool_size')) : undefined,
  client: {
    passwordVariable: 'MYSQL_PWD',
    argv: ({ host, port, socket, user, database }, statement) => [
      'mysql',
      ...(socket === undefined ? [`--host=${host}`, `--port=${port}`] : [`--socket=${socket}`]),
      ...[`--user=${user}`, '-N', '-B', '-e', statement],
      ...(database === undefined ? [] : [database]),
    ],
    status: (name) => `SHOW GLOBAL STATUS LIKE '${name.replaceAll("'", "''")}'`,
  },
  cachesResults: mysqlCachesResults,
  managed: managedMySql,
  captures: MYSQL_CAPTURES,
  monitoring: { rules: MYSQL_SERIES, hostLines: mysqlHostLines, statementLines: mysqlStatementLines },
  facts: (config, secret) => serverFacts('mysql', config, secret),
  where: (config) => whereto('the MySQL server', config),
  connect: connectMySql,
  problem: mysqlProblem,
  isRefusal,
  ask: {
    ping: (connection) => connection.query('SELECT 1'),
    describe,
    identity,
    counters: async (connection) => numbersFrom(pairs(await connection.query('SHOW GLOBAL STATUS'))),
    countRows: countMySqlRows,
    run: firstMySqlValue,
    settings: mysqlVariables,
    sizes: mysqlSizes,
    stored: mysqlStored,
    firstRows: firstMySqlRows,
    sessions: mysqlSessions,
    settingsControl: mysqlControl,
    sampler: mysqlSampler,
    samplesOnHost: mysqlOnHost,
    statementsOnHost: mysqlStatementsOnHost,
    table: mysqlTable,
  },
});
