import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { makeCertificates } from './certificates.ts';
import { newFolder } from './folders.ts';
import { dieWithParent, runToEnd } from './processes.ts';
import { type DatabaseOptions, type DatabaseServer, freePort, startServer } from './server.ts';

/** A pooler in front of a server: connection data for clients, and the admin account. */
export interface Pooler {
  readonly port: number;
  readonly tls: { caFile: string } | undefined;
  /** In addition to the server's own account, which is no admin. */
  readonly admin: { user: string; password: string };
  stop(): Promise<void>;
}

interface PoolerOptions extends Pick<DatabaseOptions, 'address' | 'tls'> {
  /** Connections to the server for each database and user; default 7. */
  size?: number;
}

/** PgBouncer of the Debian package `pgbouncer`, in transaction pooling. The admin is an account of the server as well. */
export async function startPgBouncer(server: DatabaseServer, options: PoolerOptions = {}): Promise<Pooler> {
  const { address = '127.0.0.1', size = 7 } = options;
  const port = await freePort(address);
  const folder = newFolder('pgbouncer');
  const admin = { user: 'pooladmin', password: 'admin-Fixture-pw1' };
  const client = new Client({ ...server, host: server.address });
  await client.connect();
  await client.query(`CREATE ROLE ${admin.user} LOGIN PASSWORD '${admin.password}'`);
  await client.end();
  const certificates = options.tls ? makeCertificates(folder.path, [address]) : undefined;
  const [users, settings, logFile] = ['users.txt', 'pgbouncer.ini', 'server.log'].map((name) =>
    join(folder.path, name),
  ) as [string, string, string];
  writeFileSync(users, [server, admin].map(({ user, password }) => `"${user}" "${password}"\n`).join(''));
  const encryption = certificates
    ? [
        'client_tls_sslmode = allow',
        `client_tls_cert_file = ${certificates.certificateFile}`,
        `client_tls_key_file = ${certificates.keyFile}`,
      ]
    : [];
  writeFileSync(
    settings,
    [
      '[databases]',
      `* = host=${server.address} port=${server.port}`,
      '[pgbouncer]',
      `listen_addr = ${address}`,
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = scram-sha-256',
      `auth_file = ${users}`,
      `admin_users = ${admin.user}`,
      'pool_mode = transaction',
      `default_pool_size = ${size}`,
      ...encryption,
      '',
    ].join('\n'),
  );
  // It refuses to run as root.
  const owner = process.getuid?.() === 0 ? 'postgres' : undefined;
  chmodSync(folder.path, 0o755);
  if (owner !== undefined) runToEnd(['chown', '-R', `${owner}:${owner}`, folder.path]);
  const { stop } = await startServer({
    argv: [...dieWithParent(owner), '/usr/sbin/pgbouncer', settings],
    env: {},
    folder,
    logFile,
    ping: async () => {
      const { user, password } = admin;
      const asked = new Client({ host: address, port, user, password, database: 'pgbouncer' });
      try {
        await asked.connect();
      } finally {
        await asked.end();
      }
    },
    stopSignal: 'SIGINT',
  });
  return { port, admin, tls: certificates && { caFile: certificates.caFile }, stop };
}
