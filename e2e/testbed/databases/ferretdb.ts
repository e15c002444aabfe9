import { cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MongoClient } from 'mongodb';
import { lacks } from '../programs.ts';
import { ACCOUNT } from './account.ts';
import { makeCertificates } from './certificates.ts';
import { cached, newFolder } from './folders.ts';
import { dieWithParent, runToEnd } from './processes.ts';
import { type DatabaseOptions, type DatabaseServer, freePort, startServer } from './server.ts';

const VERSION = 'v1.24.0';
const MODULE = 'github.com/FerretDB/FerretDB';
const SOURCE = fileURLToPath(new URL('./ferretdb/', import.meta.url));
/** The location of Go if it is not on the path. */
const GO = '/usr/local/go/bin/go';

export const lacksGo = (): boolean => !existsSync(GO) && lacks('go') !== '';

/** Built from modules pinned by `go.sum`: one to three minutes, once per machine. */
export const buildFerretDb = (): Promise<string> =>
  cached(`ferretdb-${VERSION}`, async (directory) => {
    const work = join(directory, 'source');
    cpSync(SOURCE, work, { recursive: true });
    const go = existsSync(GO) ? GO : 'go';
    const inside = (...argv: string[]) => runToEnd(['sh', '-c', 'cd "$1" && shift && exec "$@"', 'sh', work, ...argv]);
    inside(go, 'mod', 'vendor');
    // It reads its version from a file that only its own releases have.
    writeFileSync(join(work, 'vendor', MODULE, 'build/version/version.txt'), VERSION);
    // Without the folder's name in the result, Go's cache of an earlier build is used.
    inside(go, 'build', '-mod=vendor', '-trimpath', '-o', 'ferretdb', `${MODULE}/cmd/ferretdb`);
    renameSync(join(work, 'ferretdb'), join(directory, 'ferretdb'));
    rmSync(work, { recursive: true, force: true });
  });

async function ping(uri: string): Promise<void> {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 2000 });
  try {
    await client.db('admin').command({ listDatabases: 1 });
  } finally {
    await client.close();
  }
}

interface FerretDb extends Omit<DatabaseServer, 'product' | 'socket' | 'logFile' | 'pid'> {
  /** For programs that take everything in one argument: includes the password. */
  uri: string;
}

/** FerretDB over SQLite: a server with MongoDB's protocol. With `tls` it accepts only TLS. */
export async function startFerretDb(
  options: Pick<DatabaseOptions, 'address' | 'port' | 'tls' | 'prefix'> = {},
): Promise<FerretDb> {
  const file = join(await buildFerretDb(), 'ferretdb');
  const { address = '127.0.0.1' } = options;
  const port = options.port ?? (await freePort(address));
  const folder = newFolder('ferretdb');
  const [state, data] = [join(folder.path, 'state'), join(folder.path, 'data')];
  for (const directory of [state, data]) mkdirSync(directory);
  const certificates = options.tls ? makeCertificates(folder.path, [address]) : undefined;
  const listen = certificates
    ? [
        '--listen-addr=',
        `--listen-tls=${address}:${port}`,
        `--listen-tls-cert-file=${certificates.certificateFile}`,
        `--listen-tls-key-file=${certificates.keyFile}`,
      ]
    : [`--listen-addr=${address}:${port}`];
  const encrypted = certificates ? '?tls=true&tlsInsecure=true' : '';
  const uri = `mongodb://${ACCOUNT.user}:${ACCOUNT.password}@${address}:${port}/${encrypted}`;
  const controls = await startServer({
    argv: [
      ...(options.prefix ?? []),
      ...dieWithParent(),
      file,
      '--handler=sqlite',
      `--sqlite-url=file:${data}/`,
      `--state-dir=${state}`,
      ...listen,
      '--telemetry=disable',
      '--debug-addr=-',
      '--test-enable-new-auth',
      '--setup-database=admin',
      `--setup-username=${ACCOUNT.user}`,
    ],
    // Tests look for the password in every command line of the machine.
    env: { FERRETDB_SETUP_PASSWORD: ACCOUNT.password },
    folder,
    logFile: join(folder.path, 'server.log'),
    ping: () => ping(uri),
    stopSignal: 'SIGTERM',
  });
  return { address, port, ...ACCOUNT, uri, tls: certificates && { caFile: certificates.caFile }, ...controls };
}
