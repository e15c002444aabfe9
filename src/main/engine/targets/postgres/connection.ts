import { isIP } from 'node:net';
import { type ConnectionOptions, checkServerIdentity } from 'node:tls';
import { Client } from 'pg';
import { CONNECT_LIMIT, linkTo, QUERY_LIMIT } from '../link.ts';
import { certificateAuthority, type ServerConfig } from '../server-facts.ts';
import type { Dial } from '../target.ts';
import { offersNoTls } from './failure.ts';

export interface PostgresConnection {
  /** Rows by position, with the names of their columns beside them: no column name can become a property. */
  query(
    sql: string,
    values?: readonly (string | readonly string[])[],
    limit?: number,
  ): Promise<{ columns: string[]; rows: unknown[][] }>;
  close(): Promise<void>;
}

function sslOf(config: ServerConfig): ConnectionOptions | false {
  if (config.tls === 'disabled') return false;
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
  dial: Dial,
  signal: AbortSignal | undefined,
  ssl: ConnectionOptions | false,
): Promise<PostgresConnection> {
  const link = await linkTo(dial, config.address, config.port, signal);
  const client = new Client({
    stream: () => link,
    host: config.address,
    port: config.port,
    user: config.user,
    password: secret ?? '',
    database: config.database,
    ssl,
    connectionTimeoutMillis: CONNECT_LIMIT,
    application_name: 'kneepoint',
  });
  // A connection that breaks while nobody asks anything is told by the next question.
  client.on('error', () => link.destroy());
  try {
    await client.connect();
  } catch (error) {
    link.destroy();
    throw error;
  }
  return {
    query: async (sql, values = [], limit = QUERY_LIMIT) => {
      link.ask();
      const timer = setTimeout(
        () => link.destroy(new Error(`Query timeout: no answer within ${limit / 1000} s.`)),
        limit,
      );
      try {
        const result = await client.query<unknown[]>({ text: sql, values: [...values], rowMode: 'array' });
        return { columns: result.fields.map((field) => field.name), rows: result.rows };
      } finally {
        clearTimeout(timer);
      }
    },
    close: async () => {
      const limit = setTimeout(() => link.destroy(), 1000);
      await client.end();
      clearTimeout(limit);
      link.destroy();
    },
  };
}

/** Connects with the TLS that the mode asks for; only `preferred` may go on without, and only where the server offers none. */
export async function connectPostgres(
  config: ServerConfig,
  secret: string | undefined,
  dial: Dial,
  signal: AbortSignal | undefined,
): Promise<{ connection: PostgresConnection; downgraded: boolean }> {
  try {
    return { connection: await attempt(config, secret, dial, signal, sslOf(config)), downgraded: false };
  } catch (error) {
    if (config.tls !== 'preferred' || !offersNoTls(error)) throw error;
    return { connection: await attempt(config, secret, dial, signal, false), downgraded: true };
  }
}
