import { z } from 'zod';
import type { ConnectionFacts } from '../../../../shared/model/target.ts';
import { badManaged, oneLine } from '../managed.ts';
import type { ServerConfig } from '../server-facts.ts';
import type { ManagedHost, ManagedPlan, ManagedSignals, ManagedSpec } from '../target.ts';

/** Its program, and what it is in a plan. */
export const POOLER = 'pgbouncer';
/** By its documentation (pgbouncer.org/config.html), with its own defaults. */
export const poolerSettings = z.object({
  pool_mode: z.enum(['session', 'transaction', 'statement']).default('session').meta({
    title: 'Pool mode',
    description:
      'When a client gives its connection to the server back: when it leaves, after each transaction, or after each statement.',
  }),
  default_pool_size: z.number().int().min(0).max(100_000).default(20).meta({
    title: 'Pool size',
    description: 'Connections to the server for each pair of user and database. 0 = no limit.',
    unit: 'connections',
  }),
  max_client_conn: z.number().int().min(1).max(1_000_000).default(100).meta({
    title: 'Client limit',
    description: 'Clients that may be connected at the same time. More are refused.',
    unit: 'clients',
  }),
});
/** It waits for clients in the middle of something, for as long as that takes. It has no data to lose. */
export const POOLER_SIGNALS: ManagedSignals = { end: 'INT', endSeconds: 10, reload: 'HUP' };
const USERS = 'users.txt';

export const isPgBouncer = ({ version }: ManagedHost): boolean => /^pgbouncer\b/i.test(version);

const TLS: Readonly<Record<NonNullable<ConnectionFacts['tls']>, string>> = {
  disabled: 'disable',
  preferred: 'prefer',
  required: 'require',
  verify: 'verify-full',
};

/** In the file of users and in a connection string quotes are doubled. */
const quoted = (text: string, mark: string): string => mark + text.replaceAll(mark, mark + mark) + mark;

function line([name, value]: [string, string]): string {
  if (!/^[a-z_]+$/.test(name))
    throw badManaged(`PgBouncer has no setting “${name}”.`, 'Correct the settings of the target.');
  return `${name} = ${oneLine(`The setting ${name}`, value)}`;
}

/** A pooler for every database of the server behind it. The target's account may ask its console, so that its settings can be read. */
export function pgBouncerPlan({ config, password, settings, upstream }: ManagedSpec<ServerConfig>): ManagedPlan {
  const host = upstream?.socket?.replace(/\/[^/]*$/, '') ?? upstream?.host;
  if (host === undefined || upstream === undefined) {
    throw badManaged(
      'A managed PgBouncer needs a server to stand in front of.',
      'Name the target of that server as its upstream.',
    );
  }
  const behind = `host=${quoted(host, "'")} port=${upstream.port ?? 5432}`;
  const wanted: Record<string, string> = {
    listen_addr: config.address,
    listen_port: String(config.port),
    unix_socket_dir: config.socket.replace(/\/[^/]*$/, ''),
    auth_type: 'scram-sha-256',
    auth_file: `secret/${USERS}`,
    admin_users: config.user,
    server_tls_sslmode: TLS[upstream.tls ?? 'preferred'],
    ...(upstream.caFile !== undefined && { server_tls_ca_file: upstream.caFile }),
    ...settings,
  };
  return {
    product: POOLER,
    files: [
      {
        name: 'pgbouncer.ini',
        content: ['[databases]', `* = ${behind}`, '[pgbouncer]', ...Object.entries(wanted).map(line), ''].join('\n'),
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
