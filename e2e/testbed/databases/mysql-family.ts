import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { ACCOUNT } from './account.ts';
import { makeCertificates } from './certificates.ts';
import { copyFolder, newFolder } from './folders.ts';
import { dieWithParent } from './processes.ts';
import { type DatabaseOptions, type DatabaseServer, freePort, startServer } from './server.ts';

/** Differences between MariaDB and MySQL. */
export interface Family {
  product: 'mariadb' | 'mysql';
  /** Program, with the arguments that locate its parts. */
  program: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** Folder with an initialised data directory. */
  template: string;
  /** Flags in addition to the common ones. */
  flags: readonly string[];
  /** Flags for a server without TLS. */
  withoutTls: readonly string[];
  /** Statements that create an account ('name'@'host') with all privileges; it may already exist. */
  account(account: string, password: string): readonly string[];
}

/** An account with a password of that kind, as created by MySQL since 5.7. */
export const identifiedBy =
  (plugin: string): Family['account'] =>
  (account, password) => [
    `CREATE USER IF NOT EXISTS ${account} IDENTIFIED WITH ${plugin} BY '${password}'`,
    `GRANT ALL ON *.* TO ${account} WITH GRANT OPTION`,
  ];

/** Small and quick to start; tests never measure the server itself. */
const COMMON = {
  innodb_buffer_pool_size: '64M',
  innodb_log_file_size: '16M',
  performance_schema: 'OFF',
  max_connections: 100,
};

/** Creates the account before the server accepts its first connection; one statement per line, as servers require. */
function accountScript(family: Family): string {
  const { user, password, database } = ACCOUNT;
  return [
    `CREATE DATABASE IF NOT EXISTS ${database};`,
    ...['%', 'localhost'].flatMap((host) =>
      family.account(`'${user}'@'${host}'`, password).map((statement) => `${statement};`),
    ),
    '',
  ].join('\n');
}

async function ping(socketPath: string): Promise<void> {
  const connection = await createConnection({ socketPath, ...ACCOUNT, connectTimeout: 5000 });
  try {
    await connection.query('SELECT 1');
  } finally {
    connection.destroy();
  }
}

/** Starts a server of the MySQL family on a copy of its template. */
export async function startMySqlFamily(family: Family, options: DatabaseOptions): Promise<DatabaseServer> {
  const address = options.address ?? '127.0.0.1';
  const port = options.port ?? (await freePort(address));
  const folder = newFolder(family.product, options);
  const [data, socket, logFile, script] = ['data', 's.sock', 'server.log', 'init.sql'].map((name) =>
    join(folder.path, name),
  ) as [string, string, string, string];
  copyFolder(family.template, data);
  writeFileSync(script, accountScript(family));
  const certificates = options.tls ? makeCertificates(folder.path, options.tlsNames ?? [address]) : undefined;
  const settings = Object.entries({ ...COMMON, ...options.settings }).map(([name, value]) => `--${name}=${value}`);
  const launch = {
    argv: [
      ...dieWithParent(),
      ...(options.prefix ?? []),
      ...family.program,
      ...(process.getuid?.() === 0 ? ['--user=root'] : []),
      ...family.flags,
      `--datadir=${data}`,
      `--socket=${socket}`,
      `--pid-file=${folder.path}/server.pid`,
      // Files there are named by process id, which is not unique if tests have namespaces.
      `--tmpdir=${folder.path}`,
      `--bind-address=${address}`,
      `--port=${port}`,
      `--init-file=${script}`,
      '--skip-name-resolve',
      ...(certificates
        ? [
            `--ssl-ca=${certificates.caFile}`,
            `--ssl-cert=${certificates.certificateFile}`,
            `--ssl-key=${certificates.keyFile}`,
          ]
        : family.withoutTls),
      ...settings,
    ],
    env: family.env ?? {},
    folder,
    logFile,
    ping: () => ping(socket),
    stopSignal: 'SIGTERM' as const,
    // MySQL takes two seconds for an orderly stop.
    endSignal: 'SIGKILL' as const,
  };
  const controls = await startServer(launch);
  const tls = certificates ? { caFile: certificates.caFile } : undefined;
  const keyFile = join(data, 'public_key.pem');
  const key = existsSync(keyFile) ? { serverKey: readFileSync(keyFile, 'utf8').replaceAll('\0', '') } : {};
  return { product: family.product, address, port, ...ACCOUNT, socket, logFile, tls, ...key, ...controls };
}
