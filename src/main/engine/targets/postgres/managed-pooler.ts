import { z } from 'zod';
import type { ConnectionFacts, TargetDescription } from '../../../../shared/model/target.ts';
import { wordsOf } from '../failure.ts';
import { type ServerConfig, settingsFrom, type Wanted } from '../server-facts.ts';
import { badManaged, oneLine } from '../settings-format.ts';
import type { ManagedHost, ManagedPlan, ManagedSignals, ManagedSpec } from '../target.ts';
import type { PostgresConnection } from './connection.ts';
import { isConsoleDenied, isPoolerRefusal } from './failure.ts';

/** Its program name, and its product in a plan. */
export const POOLER = 'pgbouncer';
/** From its documentation (pgbouncer.org/config.html), with its own defaults. */
export const poolerSettings = z.object({
  pool_mode: z.enum(['session', 'transaction', 'statement']).default('session').meta({
    title: 'Pool mode',
    description:
      'When a server connection is released by its client: at disconnect, after each transaction, or after each statement.',
  }),
  default_pool_size: z.number().int().min(0).max(100_000).default(20).meta({
    title: 'Pool size',
    description: 'Server connections per pair of user and database. 0 = no limit.',
    unit: 'connections',
  }),
  max_client_conn: z.number().int().min(1).max(1_000_000).default(100).meta({
    title: 'Client limit',
    description: 'Highest number of connected clients. More are refused.',
    unit: 'clients',
  }),
});
/** It waits indefinitely for clients with an open transaction. It has no data to lose. */
export const POOLER_SIGNALS: ManagedSignals = { end: 'INT', endSeconds: 10, reload: 'HUP' };
const USERS = 'users.txt';

export const isPgBouncer = ({ version }: ManagedHost): boolean => /^pgbouncer\b/i.test(version);

const TLS: Readonly<Record<NonNullable<ConnectionFacts['tls']>, string>> = {
  disabled: 'disable',
  preferred: 'prefer',
  required: 'require',
  verify: 'verify-full',
};

/** In the users file and in connection strings, quotes are doubled. */
const quoted = (text: string, mark: string): string => mark + text.replaceAll(mark, mark + mark) + mark;

function line([name, value]: [string, string]): string {
  if (!/^[a-z_]+$/.test(name))
    throw badManaged(`PgBouncer has no setting “${name}”.`, 'Correct the settings of the target.');
  return `${name} = ${oneLine(`The setting ${name}`, value)}`;
}

/** A pooler for every database of the server behind it. The target's account may use its console, which allows its settings to be read. */
export function pgBouncerPlan({ config, password, settings, behind }: ManagedSpec<ServerConfig>): ManagedPlan {
  const host = behind?.socket?.replace(/\/[^/]*$/, '') ?? behind?.host;
  if (host === undefined || behind === undefined) {
    throw badManaged('A managed PgBouncer needs a server behind it.', 'Choose the target of that server.');
  }
  const place = `host=${quoted(host, "'")} port=${behind.port ?? 5432}`;
  const wanted: Record<string, string> = {
    listen_addr: config.address,
    listen_port: String(config.port),
    unix_socket_dir: config.socket.replace(/\/[^/]*$/, ''),
    auth_type: 'scram-sha-256',
    auth_file: `secret/${USERS}`,
    admin_users: config.user,
    server_tls_sslmode: TLS[behind.tls ?? 'preferred'],
    ...(behind.caFile !== undefined && { server_tls_ca_file: behind.caFile }),
    ...settings,
  };
  return {
    product: POOLER,
    files: [
      {
        name: 'pgbouncer.ini',
        content: ['[databases]', `* = ${place}`, '[pgbouncer]', ...Object.entries(wanted).map(line), ''].join('\n'),
      },
    ],
    secret: {
      name: USERS,
      content: `${quoted(oneLine('The user', config.user), '"')} ${quoted(oneLine('The password', password), '"')}\n`,
    },
    script: 'exec $as "$program" "$folder/pgbouncer.ini"',
    accountsForRoot: ['pgbouncer', 'postgres'],
  };
}

/** The database name of PgBouncer's console. */
export const CONSOLE = 'pgbouncer';

const WANTED: readonly Wanted[] = [
  { name: 'pool_mode', why: 'transaction and statement share a server connection between clients; session does not.' },
  { name: 'default_pool_size', why: 'Server connections per user and database: more clients than this wait.' },
  { name: 'min_pool_size', why: 'Server connections kept ready.' },
  { name: 'reserve_pool_size', why: 'Additional server connections for clients that wait too long.' },
  { name: 'max_client_conn', why: 'More clients than this cannot connect.' },
  { name: 'max_db_connections', why: 'Limit of server connections per database; 0 = no limit.' },
  { name: 'max_prepared_statements', why: '0: prepared statements do not work in transaction pooling.' },
  { name: 'server_reset_query', why: 'Runs before a server connection passes to another client in session pooling.' },
  { name: 'so_reuseport', why: 'Lets several processes share a port: one process uses one CPU core.' },
];

/** Whether the connection goes through a pooler: a pooler gives its clients a number of its own instead of the server's process id. */
export async function isPooled(connection: PostgresConnection): Promise<boolean> {
  const { rows } = await connection.query('SELECT pg_backend_pid()');
  return Number(rows[0]?.[0]) !== connection.processId;
}

/** Version and settings of the pooler. `connectTo` opens a second connection, to the given database. */
export async function describePooler(
  connectTo: (database: string) => Promise<PostgresConnection>,
): Promise<TargetDescription['middleware']> {
  let console: PostgresConnection;
  try {
    console = await connectTo(CONSOLE);
  } catch (error) {
    if (!isPoolerRefusal(error)) throw error;
    const isPgBouncer = isConsoleDenied(error);
    return {
      product: isPgBouncer ? 'PgBouncer' : 'a pooler',
      settings: [],
      note: isPgBouncer
        ? 'Its version and settings are shown to users in its admin_users or stats_users.'
        : `It does not report its kind: ${wordsOf(error)}.`,
    };
  }
  try {
    const version = String((await console.query('SHOW VERSION')).rows[0]?.[0]);
    const [, product = 'a pooler', number = version] = /^(PgBouncer) (\S+)/.exec(version) ?? [];
    const { rows } = await console.query('SHOW CONFIG');
    const config = new Map(rows.map(([name, value]) => [String(name), String(value ?? '')]));
    return { product, version: number, settings: settingsFrom(config, WANTED) };
  } finally {
    await console.close();
  }
}
