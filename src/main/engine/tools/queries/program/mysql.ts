import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import {
  authPlugins,
  type Connection as Client,
  type ConnectionOptions,
  createConnection,
  type FieldPacket,
  type SslOptions,
} from 'mysql2';
import { MYSQL_FLAGS, serverKeyCheck } from '../../../../../shared/util/password-guard.ts';
import type { Answer, Driver } from './driver.ts';
import type { Connection } from './settings.ts';

function sslOf({ tls, caFile }: Connection): SslOptions | undefined {
  if (tls === undefined || tls === 'disabled') return undefined;
  if (tls !== 'verify') return { rejectUnauthorized: false, verifyIdentity: false };
  return { rejectUnauthorized: true, verifyIdentity: true, ...(caFile && { ca: readFileSync(caFile, 'utf8') }) };
}

/** Login options of an account with a password. */
function loginOptions(
  { serverKey, socket, endsOnServerHost = false, allowCleartextPassword }: Connection,
  encrypted: boolean,
): ConnectionOptions {
  if (allowCleartextPassword) return { enableCleartextPlugin: true };
  const check = serverKeyCheck({ encrypted, endsOnServerHost: socket !== undefined || endsOnServerHost, serverKey });
  if (!check) return {};
  return {
    authPlugins: {
      caching_sha2_password: authPlugins.caching_sha2_password({ onServerPublicKey: check('caching_sha2_password') }),
      sha256_password: authPlugins.sha256_password({ onServerPublicKey: check('sha256_password') }),
    },
  };
}

async function open(connection: Connection, ssl: SslOptions | undefined): Promise<Client> {
  const { host, port, user, password, database, relay, socket } = connection;
  const path = relay ?? socket;
  const client = createConnection({
    host: host ?? '127.0.0.1',
    port: port ?? 3306,
    ...(path && { stream: () => connect(path) }),
    // Over the server's own socket, the password may be sent as it is (`caching_sha2_password`), but never over a relay to its address.
    ...(socket && { socketPath: socket }),
    user: user ?? '',
    password: password ?? '',
    ...(database && { database }),
    multipleStatements: true,
    flags: MYSQL_FLAGS,
    ...(ssl && { ssl }),
    ...(password && loginOptions(connection, ssl !== undefined)),
  });
  await new Promise<void>((resolve, reject) => {
    client.once('connect', () => resolve());
    client.once('error', reject);
  });
  // If the connection breaks between two statements, the next one fails.
  client.on('error', () => undefined);
  return client;
}

/** A server without TLS, or with TLS older than 1.2 (MySQL 5.6, builds of 5.7). `preferred` checks no certificate. */
const NO_TLS: readonly unknown[] = ['HANDSHAKE_NO_SSL_SUPPORT', 'HANDSHAKE_SSL_ERROR'];

/** `preferred` continues without TLS only if the server does not offer it. */
export async function openMySql(connection: Connection): Promise<Client> {
  const ssl = sslOf(connection);
  try {
    return await open(connection, ssl);
  } catch (error) {
    const none = error instanceof Error && 'code' in error && NO_TLS.includes(error.code);
    if (!none || !ssl || connection.tls !== 'preferred') throw error;
    return open(connection, undefined);
  }
}

/** Values remain the received bytes: their conversion by a client is not part of the measurement. */
export const sendMySql = (client: Client, sql: string): Promise<Answer> =>
  new Promise((resolve, reject) => {
    client.query({ sql, rowsAsArray: true, typeCast: false }, (error, result: unknown, fields) => {
      if (error) reject(error);
      else resolve(answerOf(result, fields as unknown));
    });
  });

/** A result set is an array of rows; several statements return an array of results; a change returns an object. */
function answerOf(result: unknown, fields: unknown): Answer {
  if (!Array.isArray(result)) return { rows: changed(result), columns: [], values: [] };
  const several =
    Array.isArray(fields) && (fields.length === 0 || fields.some((one) => one === undefined || Array.isArray(one)));
  if (!several)
    return {
      rows: result.length,
      columns: (fields as FieldPacket[]).map(({ name }) => name),
      values: result as (Buffer | null)[][],
    };
  const answers = result.map((one, index) => answerOf(one, (fields as unknown[])[index]));
  return {
    rows: answers.reduce((sum, { rows }) => sum + rows, 0),
    columns: answers.at(-1)?.columns ?? [],
    values: answers.flatMap(({ values }) => values),
  };
}

const changed = (result: unknown): number =>
  result instanceof Object && 'affectedRows' in result && typeof result.affectedRows === 'number'
    ? result.affectedRows
    : 0;

export const textOf = (value: string | Uint8Array | null | undefined): string =>
  Buffer.from(value ?? '').toString('utf8');

/** MySQL has EXPLAIN ANALYZE since 8.0.18; earlier versions only report the plan. */
function analyzes(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split(/[.-]/, 3).map(Number);
  return major > 8 || (major === 8 && (minor > 0 || patch >= 18));
}

export async function connectMySql(connection: Connection): Promise<Driver> {
  const client = await openMySql(connection);
  const one = async (sql: string, column: number): Promise<string> =>
    textOf((await sendMySql(client, sql)).values[0]?.[column]);
  const version = await one('SELECT VERSION()', 0);
  const cipher = await one("SHOW STATUS LIKE 'Ssl_cipher'", 1).catch(() => '');
  return {
    server: version,
    encryption: cipher === '' ? 'none' : cipher,
    run: (statement) => sendMySql(client, statement),
    explain: (statement, how) => {
      if (how === 'explain') return `EXPLAIN ${statement}`;
      if (/mariadb/i.test(version)) return `ANALYZE ${statement}`;
      return analyzes(version) ? `EXPLAIN ANALYZE ${statement}` : `EXPLAIN ${statement}`;
    },
    async profile(statement) {
      await sendMySql(client, 'SET profiling = 1');
      await sendMySql(client, statement);
      const answer = await sendMySql(client, 'SHOW PROFILE');
      await sendMySql(client, 'SET profiling = 0');
      return answer;
    },
    async cancel() {
      const other = await openMySql(connection);
      await sendMySql(other, `KILL QUERY ${client.threadId}`).finally(() => other.destroy());
    },
    async close() {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 1000);
        client.end(() => {
          clearTimeout(timer);
          resolve();
        });
      });
      client.destroy();
    },
  };
}
