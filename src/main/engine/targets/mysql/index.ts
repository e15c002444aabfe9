import { escapeId } from 'mysql2';
import { z } from 'zod';
import type { TargetDescription } from '../../../../shared/model/target.ts';
import { codeOf, type Whereto } from '../failure.ts';
import { COUNT_LIMIT } from '../link.ts';
import { numbersFrom, type ServerConfig, serverFacts, settingsFrom } from '../server-facts.ts';
import { defineTarget, type TargetSession } from '../target.ts';
import { serverFields } from '../wording.ts';
import { connectMySql, type MySqlConnection, type Row } from './connection.ts';
import { mysqlProblem } from './failure.ts';
import { MYSQL_SETTINGS, mysqlDurability, mysqlFlavour } from './settings.ts';

const pairs = (rows: readonly Row[]): [string, unknown][] => rows.map((row) => [String(row[0]), row[1]]);

function tlsWords(status: ReadonlyMap<string, unknown>, config: ServerConfig, downgraded: boolean): string {
  const cipher = String(status.get('Ssl_cipher') ?? '');
  if (cipher === '') return downgraded ? 'none: the server offers no TLS' : 'none';
  const checked = config.tls === 'verify' ? 'certificate checked' : 'certificate not checked';
  return [String(status.get('Ssl_version') ?? ''), cipher, checked].filter((part) => part !== '').join(', ');
}

async function descriptionOf(
  connection: MySqlConnection,
  config: ServerConfig,
  downgraded: boolean,
): Promise<TargetDescription> {
  const variables = new Map(
    pairs(await connection.query('SHOW GLOBAL VARIABLES')).map(([name, value]) => [name, String(value)]),
  );
  const global = Object.fromEntries(pairs(await connection.query("SHOW GLOBAL STATUS LIKE 'Innodb_redo_log_enabled'")));
  const ssl = new Map(pairs(await connection.query("SHOW SESSION STATUS LIKE 'Ssl\\_%'")));
  const size = await connection.query(
    'SELECT SUM(data_length + index_length) FROM information_schema.tables WHERE table_schema = DATABASE()',
  );
  const version = variables.get('version') ?? '';
  const flavour = mysqlFlavour(version, variables.get('version_comment') ?? '');
  const tls = tlsWords(ssl, config, downgraded);
  return {
    product: flavour,
    version,
    flavour: variables.get('version_comment') ?? flavour,
    settings: [
      ...settingsFrom(variables, MYSQL_SETTINGS),
      { name: 'tls', value: tls, why: 'Encryption of the connection costs processor time on both sides.' },
    ],
    tls,
    durability: mysqlDurability(variables, global),
    dataBytes: Number(size[0]?.[0] ?? 0),
    readAt: Date.now(),
  };
}

async function countRows(connection: MySqlConnection, table: string): Promise<number | undefined> {
  try {
    const rows = await connection.query(`SELECT COUNT(*) FROM ${escapeId(table, true)}`, COUNT_LIMIT);
    return Number(rows[0]?.[0]);
  } catch (error) {
    // A name that no table can have is a table that is not there.
    if (['ER_NO_SUCH_TABLE', 'ER_WRONG_TABLE_NAME', 'ER_TOO_LONG_IDENT'].includes(codeOf(error))) return undefined;
    throw error;
  }
}

function sessionOf(
  connection: MySqlConnection,
  config: ServerConfig,
  where: Whereto,
  downgraded: boolean,
): TargetSession {
  const told = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    try {
      return await work();
    } catch (error) {
      throw mysqlProblem(error, where, config);
    }
  };
  return {
    ping: () =>
      told(async () => {
        const start = performance.now();
        await connection.query('SELECT 1');
        return performance.now() - start;
      }),
    describe: () => told(() => descriptionOf(connection, config, downgraded)),
    counters: () => told(async () => numbersFrom(pairs(await connection.query('SHOW GLOBAL STATUS')))),
    countRows: (table) => told(() => countRows(connection, table)),
    close: () => connection.close(),
  };
}

/** MySQL, MariaDB, Percona Server and what speaks their protocol. */
export const mysqlTarget = defineTarget({
  kind: 'mysql',
  title: 'MySQL, MariaDB, Percona Server',
  config: z.strictObject(serverFields(3306)),
  takesSecret: true,
  facts: (config, secret) => serverFacts('mysql', config, secret),
  open: async (config, secret, dial, signal) => {
    const where: Whereto = { server: 'the MySQL server', address: config.address, port: config.port };
    try {
      const { connection, downgraded } = await connectMySql(config, secret, dial, signal);
      return sessionOf(connection, config, where, downgraded);
    } catch (error) {
      throw mysqlProblem(error, where, config);
    }
  },
});
