import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { ACCOUNT } from './account.ts';
import { makeCertificates } from './certificates.ts';
import { cached, copyFolder, newFolder } from './folders.ts';
import { dieWithParent, runToEnd } from './processes.ts';
import { type DatabaseOptions, type DatabaseServer, freePort, startServer } from './server.ts';

const VERSION = 15;
const PROGRAMS = `/usr/lib/postgresql/${VERSION}/bin`;
/** PostgreSQL refuses to run as root. */
const OWNER = process.getuid?.() === 0 ? 'postgres' : undefined;

const COMMON = { shared_buffers: '32MB', max_connections: 50, max_wal_size: '256MB', logging_collector: 'off' };

const own = (paths: readonly string[]): void => {
  if (OWNER !== undefined) runToEnd(['chown', '-R', `${OWNER}:${OWNER}`, ...paths]);
};

/** A data directory with the account as its superuser and the account's database. */
async function template(): Promise<string> {
  if (!existsSync(join(PROGRAMS, 'initdb'))) throw new Error(`PostgreSQL ${VERSION} is not at ${PROGRAMS}.`);
  return cached(`postgres-${VERSION}-data`, async (directory) => {
    // Made in a folder that its owner can reach; the cache may lie below one that is closed to it.
    const folder = newFolder('postgres');
    const data = join(folder.path, 'data');
    const password = join(folder.path, 'password');
    writeFileSync(password, `${ACCOUNT.password}\n`);
    own([folder.path]);
    const as = dieWithParent(OWNER);
    const account = [
      '-U',
      ACCOUNT.user,
      `--pwfile=${password}`,
      '--auth=scram-sha-256',
      '--locale=C.UTF-8',
      '--no-sync',
    ];
    runToEnd([...as, `${PROGRAMS}/initdb`, '-D', data, ...account]);
    runToEnd(
      [...as, `${PROGRAMS}/postgres`, '--single', '-D', data, 'postgres'],
      `CREATE DATABASE ${ACCOUNT.database}\n`,
    );
    copyFolder(data, join(directory, 'data'));
    folder.remove();
  });
}

async function ping(directory: string, port: number): Promise<void> {
  const client = new Client({ host: directory, port, ...ACCOUNT, connectionTimeoutMillis: 5000 });
  try {
    await client.connect();
    await client.query('SELECT 1');
  } finally {
    await client.end();
  }
}

/** PostgreSQL of the Debian package `postgresql`. */
export async function startPostgres(options: DatabaseOptions = {}): Promise<DatabaseServer> {
  const address = options.address ?? '127.0.0.1';
  const port = options.port ?? (await freePort(address));
  const source = await template();
  const folder = newFolder('postgres');
  const data = join(folder.path, 'data');
  copyFolder(join(source, 'data'), data);
  chmodSync(folder.path, 0o755);
  writeFileSync(join(data, 'pg_hba.conf'), 'local all all scram-sha-256\nhost all all all scram-sha-256\n');
  const certificates = options.tls ? makeCertificates(folder.path, options.tlsNames ?? [address]) : undefined;
  own([folder.path]);
  const settings: Record<string, string | number> = {
    ...COMMON,
    listen_addresses: address,
    port,
    unix_socket_directories: folder.path,
    ...(certificates
      ? { ssl: 'on', ssl_cert_file: certificates.certificateFile, ssl_key_file: certificates.keyFile }
      : {}),
    ...options.settings,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const logFile = join(folder.path, 'server.log');
  const controls = await startServer({
    argv: [...(options.prefix ?? []), ...dieWithParent(OWNER), `${PROGRAMS}/postgres`, '-D', data, ...flags],
    env: {},
    folder,
    logFile,
    ping: () => ping(folder.path, port),
    stopSignal: 'SIGINT',
  });
  const tls = certificates ? { caFile: certificates.caFile } : undefined;
  const socket = join(folder.path, `.s.PGSQL.${port}`);
  return { product: 'postgres', address, port, ...ACCOUNT, socket, logFile, tls, ...controls };
}
