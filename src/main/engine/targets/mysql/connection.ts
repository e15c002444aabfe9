import { TLSSocket } from 'node:tls';
import type { Connection, ConnectionOptions, QueryOptions, SslOptions } from 'mysql2';
import { MYSQL_FLAGS, PasswordKept, serverKeyCheck } from '../../../../shared/util/password-guard.ts';
import { CONNECT_LIMIT, type Link, linkTo, QUERY_LIMIT, STATEMENT_LIMIT } from '../link.ts';
import { FIGURES_LIMIT } from '../sampling.ts';
import { type Connected, connectWithTls } from '../server.ts';
import { certificateAuthority, type ServerConfig } from '../server-facts.ts';
import { endsOnServerHost, type Reach, type TableHow } from '../target.ts';
import { whyNoTls } from './failure.ts';

type Driver = typeof import('mysql2');

/** Login options of an account with a password. */
function loginOptions(
  { authPlugins }: Driver,
  { serverKey, allowCleartextPassword }: ServerConfig,
  way: { encrypted: boolean; endsOnServerHost: boolean },
): ConnectionOptions {
  if (allowCleartextPassword) return { enableCleartextPlugin: true };
  const check = serverKeyCheck({ ...way, serverKey });
  if (!check) return {};
  return {
    authPlugins: {
      caching_sha2_password: authPlugins.caching_sha2_password({ onServerPublicKey: check('caching_sha2_password') }),
      sha256_password: authPlugins.sha256_password({ onServerPublicKey: check('sha256_password') }),
    },
  };
}

/** The driver refuses a server that requests the password in clear text, even over TLS. */
const clearTextKept = (error: unknown, encrypted: boolean): unknown =>
  error instanceof Error && 'code' in error && error.code === 'MYSQL_CLEAR_PASSWORD_NOT_ENABLED'
    ? new PasswordKept(
        'in cleartext (mysql_clear_password)',
        ['use another authentication plugin for the user'],
        encrypted,
      )
    : error;

/** A row by position, as the server sent it: no column name can become a property. */
export type Row = readonly unknown[];

/** Rows with their column names. */
interface Answer {
  columns: string[];
  rows: Row[];
}

export interface MySqlConnection {
  query(sql: string, limit?: number): Promise<Row[]>;
  table(sql: string, limit: number): Promise<Answer>;
  /** Protocol and cipher as known to this side. Undefined without TLS. */
  encryption(): string | undefined;
  /** Closes the connection gracefully; the stream is closed in any case. */
  close(): Promise<void>;
}

function sslOf(config: ServerConfig): SslOptions | undefined {
  if (config.tls === 'disabled') return undefined;
  if (config.tls !== 'verify') return { rejectUnauthorized: false, verifyIdentity: false };
  const ca = certificateAuthority(config.caFile);
  return { rejectUnauthorized: true, verifyIdentity: true, ...(ca === undefined ? {} : { ca }) };
}

function connected(connection: Connection): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.once('connect', () => resolve());
    connection.once('error', reject);
  });
}

function ask(connection: Connection, options: QueryOptions): Promise<Answer> {
  return new Promise((resolve, reject) => {
    connection.query(options, (error, rows, fields) => {
      if (error) reject(error);
      else if (Array.isArray(rows)) {
        // Statements without a result return something else, despite the driver's types.
        resolve({ columns: (fields ?? []).map(({ name }) => name), rows: rows as unknown as Row[] });
      } else resolve({ columns: [], rows: [] });
    });
  });
}

/** Runs one statement at a time, and sends nothing unencrypted that must not be. */
async function over(
  driver: Driver,
  link: Link,
  config: ServerConfig,
  secret: string | undefined,
  ssl: SslOptions | undefined,
  ownHost: boolean,
): Promise<MySqlConnection> {
  const encrypted = ssl !== undefined;
  const connection = driver.createConnection({
    stream: link,
    host: config.address,
    port: config.port,
    // The stream is the connection; this marks it as a socket, over which servers request the password as it is (`caching_sha2_password`).
    ...(config.socket === '' ? {} : { socketPath: config.socket }),
    user: config.user,
    password: secret ?? '',
    database: config.database,
    connectTimeout: CONNECT_LIMIT,
    flags: MYSQL_FLAGS,
    supportBigNumbers: true,
    dateStrings: true,
    ...(ssl ? { ssl } : {}),
    ...(secret ? loginOptions(driver, config, { encrypted, endsOnServerHost: ownHost }) : {}),
  });
  // If the connection breaks while idle, the next question fails.
  connection.on('error', () => link.destroy());
  try {
    await connected(connection);
  } catch (error) {
    connection.destroy();
    link.destroy();
    throw clearTextKept(error, encrypted);
  }
  const table = async (sql: string, limit: number): Promise<Answer> => {
    link.ask();
    try {
      return await ask(connection, { sql, timeout: limit, rowsAsArray: true });
    } catch (error) {
      // The response may still arrive after the time limit, so this connection cannot be used again.
      if (error instanceof Error && 'code' in error && error.code === 'PROTOCOL_SEQUENCE_TIMEOUT') link.destroy();
      throw error;
    }
  };
  return {
    table,
    query: async (sql, limit = QUERY_LIMIT) => (await table(sql, limit)).rows,
    encryption: () => {
      const stream: unknown = Reflect.get(connection, 'stream');
      return stream instanceof TLSSocket ? `${stream.getProtocol()}, ${stream.getCipher().name}` : undefined;
    },
    close: async () => {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 1000);
        connection.end(() => {
          clearTimeout(timer);
          resolve();
        });
      });
      link.destroy();
    },
  };
}

/** The connection for user statements. */
export type Tabling = Pick<MySqlConnection, 'query' | 'table'>;
const limited = new WeakSet<Tabling>();

/** The first of these settings that the server accepts; it stays set on the connection. */
async function firstTaken(connection: Tabling, limits: readonly string[]): Promise<string | undefined> {
  for (const limit of limits) {
    const isTaken = await connection.query(limit).then(
      () => true,
      () => false,
    );
    if (isTaken) return limit;
  }
  return undefined;
}

/**
 * Returns the result of a repeatedly queried user statement. `limits`: settings that limit it on the server, of which the first accepted one is used.
 */
export async function limitedTable(
  connection: Tabling,
  statement: string,
  limits: readonly string[],
  first: readonly string[] = [],
): Promise<Answer> {
  if (!limited.has(connection)) {
    limited.add(connection);
    await firstTaken(connection, limits);
  }
  for (const each of first) await connection.table(each, 2 * FIGURES_LIMIT);
  return connection.table(statement, 2 * FIGURES_LIMIT);
}

/** MariaDB limits every statement, MySQL 5.7 and later only read-only ones. */
const LIMITS = [
  `SET SESSION max_statement_time = ${FIGURES_LIMIT / 1000}`,
  `SET SESSION max_execution_time = ${FIGURES_LIMIT}`,
];

/** Sets the limit of user statements on this server, and returns the statement that set it. */
export const mysqlLimit = (connection: MySqlConnection): Promise<string | undefined> => firstTaken(connection, LIMITS);

/** Runs the statement in a read-only transaction unless it may write. */
export async function mysqlTable(
  connection: MySqlConnection,
  statement: string,
  { first = [], writes = true }: TableHow = {},
): Promise<Answer> {
  if (writes) return limitedTable(connection, statement, LIMITS, first);
  const isReading = await firstTaken(connection, ['START TRANSACTION READ ONLY']);
  try {
    return await limitedTable(connection, statement, LIMITS, first);
  } finally {
    // A broken connection has no transaction any more.
    if (isReading !== undefined) await connection.query('COMMIT').catch(() => undefined);
  }
}

/** The first value of a user statement's result. */
export async function firstMySqlValue(connection: MySqlConnection, statement: string): Promise<unknown> {
  return (await connection.query(statement, STATEMENT_LIMIT))[0]?.[0];
}

export const connectMySql = (
  config: ServerConfig,
  secret: string | undefined,
  reach: Reach,
  signal: AbortSignal | undefined,
): Promise<Connected<MySqlConnection>> =>
  connectWithTls(config.tls, sslOf(config), whyNoTls, async (ssl) => {
    // A large library. It is loaded before the link is opened, since the link would have no listener in the meantime.
    const driver = await import('mysql2');
    return over(driver, await linkTo(reach, config, signal), config, secret, ssl, endsOnServerHost(reach, config));
  });
