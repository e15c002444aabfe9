import { isIP } from 'node:net';
import { type ConnectionOptions, checkServerIdentity, TLSSocket } from 'node:tls';
import type { Client, QueryArrayResult } from 'pg';
import { keepClearText } from '../../../../shared/util/password-guard.ts';
import { CONNECT_LIMIT, linkTo, QUERY_LIMIT } from '../link.ts';
import { type Connected, connectWithTls } from '../server.ts';
import { certificateAuthority, type ServerConfig } from '../server-facts.ts';
import type { Reach } from '../target.ts';
import { whyNoTls } from './failure.ts';

interface Answer {
  columns: string[];
  rows: unknown[][];
}

export interface PostgresConnection {
  /** Rows by position, with their column names in a separate list: no column name can become a property. */
  query(sql: string, values?: readonly (string | readonly string[])[], limit?: number): Promise<Answer>;
  /** Runs several statements in one round trip and one transaction. Returns the result of each. */
  several(sql: string, limit?: number): Promise<Answer[]>;
  /** The process id reported by the server, or by a pooler in front of it. */
  readonly processId: number;
  /** Protocol and cipher. Undefined without TLS. */
  readonly encryption: string | undefined;
  /** A second connection, to another database of the same server. It is closed with this one at the latest. */
  another(database: string): Promise<PostgresConnection>;
  /** Closes only this connection; it can no longer be used. */
  release(): Promise<void>;
  close(): Promise<void>;
}

function sslOf(config: ServerConfig): ConnectionOptions | undefined {
  if (config.tls === 'disabled') return undefined;
  if (config.tls !== 'verify') return { rejectUnauthorized: false };
  const ca = certificateAuthority(config.caFile);
  return {
    rejectUnauthorized: true,
    ...(isIP(config.address) === 0 ? { servername: config.address } : {}),
    checkServerIdentity: (_name, certificate) => checkServerIdentity(config.address, certificate),
    ...(ca === undefined ? {} : { ca }),
  };
}

async function attempt(
  config: ServerConfig,
  secret: string | undefined,
  reach: Reach,
  signal: AbortSignal | undefined,
  ssl: ConnectionOptions | undefined,
): Promise<PostgresConnection> {
  // Loaded before the link is opened, since the link would have no listener in the meantime.
  const { Client } = await import('pg');
  const link = await linkTo(reach, config, signal);
  const client = new Client({
    stream: () => link,
    host: config.address,
    port: config.port,
    user: config.user,
    password: secret ?? '',
    database: config.database,
    ssl: ssl ?? false,
    connectionTimeoutMillis: CONNECT_LIMIT,
    application_name: 'kneepoint',
  });
  if (!ssl && !config.allowCleartextPassword) keepClearText(client, secret ?? '');
  // If the connection breaks while idle, the next question fails.
  client.on('error', () => link.destroy());
  try {
    await client.connect();
  } catch (error) {
    link.destroy();
    throw error;
  }
  const others: PostgresConnection[] = [];
  let released: Promise<void> | undefined;
  const release = async (): Promise<void> => {
    const limit = setTimeout(() => link.destroy(), 1000);
    await client.end();
    clearTimeout(limit);
    link.destroy();
  };
  const ask = async (
    sql: string,
    values: readonly (string | readonly string[])[],
    limit: number,
  ): Promise<QueryArrayResult<unknown[]>[]> => {
    link.ask();
    const timer = setTimeout(
      () => link.destroy(new Error(`Query timeout: no answer within ${limit / 1000} s.`)),
      limit,
    );
    try {
      return [await client.query<unknown[]>({ text: sql, values: [...values], rowMode: 'array' })].flat();
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    query: async (sql, values = [], limit = QUERY_LIMIT) => {
      const [result] = await ask(sql, values, limit);
      return result ? answerOf(result) : { columns: [], rows: [] };
    },
    several: async (sql, limit = QUERY_LIMIT) => (await ask(sql, [], limit)).map(answerOf),
    processId: Number(Reflect.get(client, 'processID')),
    encryption: encryptionOf(client),
    another: async (database) => {
      const other = await attempt({ ...config, database }, secret, reach, signal, ssl);
      others.push(other);
      return other;
    },
    release: () => {
      released ??= release();
      return released;
    },
    close: async () => {
      await Promise.all(others.map((other) => other.close()));
      released ??= release();
      await released;
    },
  };
}

const answerOf = ({ fields, rows }: QueryArrayResult<unknown[]>): Answer => ({
  columns: fields.map((field) => field.name),
  rows,
});

/** The encryption at this end: behind a pooler, the server only knows the pooler's connection. */
function encryptionOf(client: Client): string | undefined {
  const connection: unknown = Reflect.get(client, 'connection');
  const stream = connection instanceof Object ? Reflect.get(connection, 'stream') : undefined;
  return stream instanceof TLSSocket ? `${stream.getProtocol()}, ${stream.getCipher().name}` : undefined;
}

export const connectPostgres = (
  config: ServerConfig,
  secret: string | undefined,
  reach: Reach,
  signal: AbortSignal | undefined,
): Promise<Connected<PostgresConnection>> =>
  connectWithTls(config.tls, sslOf(config), whyNoTls, (ssl) => attempt(config, secret, reach, signal, ssl));
