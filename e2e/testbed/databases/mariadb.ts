import { join } from 'node:path';
import { cached } from './folders.ts';
import { startMySqlFamily } from './mysql-family.ts';
import { runToEnd } from './processes.ts';
import type { DatabaseOptions, DatabaseServer } from './server.ts';

const SERVER = '/usr/sbin/mariadbd';

/** MariaDB of the Debian package `mariadb-server`. */
export async function startMariaDb(options: DatabaseOptions = {}): Promise<DatabaseServer> {
  const version = /Ver (\S+?)-/.exec(runToEnd([SERVER, '--version']))?.[1] ?? 'unknown';
  const template = await cached(`mariadb-${version}`, async (directory) => {
    const asRoot = process.getuid?.() === 0 ? ['--user=root'] : [];
    const quick = ['--auth-root-authentication-method=normal', '--skip-test-db', '--innodb-log-file-size=16M'];
    runToEnd(['mariadb-install-db', '--no-defaults', `--datadir=${join(directory, 'data')}`, ...asRoot, ...quick]);
  });
  return startMySqlFamily(
    {
      product: 'mariadb',
      program: [SERVER, '--no-defaults'],
      template: join(template, 'data'),
      flags: [],
      withoutTls: [],
      identified: 'IDENTIFIED BY',
    },
    options,
  );
}
