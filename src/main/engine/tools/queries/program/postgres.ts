import { readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { dirname } from 'node:path';
import type { ConnectionOptions } from 'node:tls';
import { Client, type QueryArrayResult } from 'pg';
import { keepClearText } from '../../../../../shared/util/password-guard.ts';
import type { Answer, Driver } from './driver.ts';
import type { Connection } from './settings.ts';

function sslOf({ tls, caFile, host }: Connection): ConnectionOptions | undefined {
  if (tls === undefined || tls === 'disabled') return undefined;
  if (tls !== 'verify') return { rejectUnauthorized: false };
  return { rejectUnauthorized: true, ...(host && { host }), ...(caFile && { ca: readFileSync(caFile, 'utf8') }) };
}

/** A relay through the app replaces both the server's address and its socket. */
const socketOf = ({ relay, socket }: Connection): string | undefined => (relay === undefined ? socket : undefined);

/** Connects to the relay, whatever address the driver requests. */
class RelaySocket extends Socket {
  readonly #path: string;

  constructor(path: string) {
    super();
    this.#path = path;
  }

  override connect(): this {
    return super.connect({ path: this.#path });
  }
}

async function open(connection: Connection, ssl: ConnectionOptions | undefined): Promise<Client> {
  const { host, port, relay, user, password, database } = connection;
  const socket = socketOf(connection);
  const client = new Client({
    ...(relay && { stream: () => new RelaySocket(relay) }),
    host: socket ? dirname(socket) : (host ?? '127.0.0.1'),
    port: (socket ? portOf(socket) : port) ?? 5432,
    user: user ?? '',
    password: password ?? '',
    ...(database && { database }),
    ssl: ssl ?? false,
    application_name: 'kneepoint',
  });
  if (!ssl && !connection.allowCleartextPassword) keepClearText(client, password ?? '');
  // If the connection breaks between two statements, the next one fails.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** PostgreSQL names its socket after the port. */
const portOf = (socket: string): number | undefined => {
  const [, port] = /\.s\.PGSQL\.(\d+)$/.exec(socket) ?? [];
  return port === undefined ? undefined : Number(port);
};

/** `preferred` continues without TLS only if the server does not offer it. */
async function openWithTls(connection: Connection): Promise<{ client: Client; encrypted: boolean }> {
  // PostgreSQL has no TLS on sockets.
  const ssl = connection.socket ? undefined : sslOf(connection);
  try {
    return { client: await open(connection, ssl), encrypted: ssl !== undefined };
  } catch (error) {
    const none = error instanceof Error && /server does not support SSL/i.test(error.message);
    if (!none || connection.tls !== 'preferred') throw error;
    return { client: await open(connection, undefined), encrypted: false };
  }
}

/** Values remain the received text: their conversion by a client is not part of the measurement. */
const AS_SENT = { getTypeParser: () => (value: string) => value };

async function send(client: Client, text: string): Promise<Answer> {
  // Several statements in one text return an array of results, despite the driver's types.
  const result: unknown = await client.query({ text, rowMode: 'array', types: AS_SENT });
  const results = (Array.isArray(result) ? result : [result]) as QueryArrayResult<(string | null)[]>[];
  return {
    rows: results.reduce((sum, { rowCount }) => sum + (rowCount ?? 0), 0),
    columns: results.at(-1)?.fields.map(({ name }) => name) ?? [],
    values: results.flatMap(({ rows }) => rows),
  };
}

export async function connectPostgres(connection: Connection): Promise<Driver> {
  const { client, encrypted } = await openWithTls(connection);
  const [[version, pid] = []] = (await send(client, 'SELECT version(), pg_backend_pid()')).values;
  return {
    server: String(version),
    encryption: encrypted ? 'TLS' : 'none',
    run: (statement) => send(client, statement),
    explain: (statement, how) =>
      how === 'explain' ? `EXPLAIN ${statement}` : `EXPLAIN (ANALYZE, BUFFERS) ${statement}`,
    async cancel() {
      const { client: other } = await openWithTls(connection);
      await send(other, `SELECT pg_cancel_backend(${Number(pid)})`).finally(() => other.end());
    },
    close: () => client.end(),
  };
}
