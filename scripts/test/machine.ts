import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import {
  buildFerretDb,
  fetchClickHouse,
  fetchMariaDb11,
  fetchMySql,
  lacksClickHouse,
  lacksGo,
} from '../../e2e/testbed/databases/index.ts';
import { fetchElectron } from '../../e2e/testbed/electron/fetch.ts';
import { root, say } from '../lib/terminal.ts';

export interface Machine {
  /** The command that gives a program a display of its own; empty where one is there or none is to be had. */
  readonly display: readonly string[];
  /** Folder of the test Electron. */
  readonly electron: string | undefined;
  /** Parts of the tests that cannot run at all. */
  readonly impossible: ReadonlySet<string>;
  /** Why, by name: for the list at the end. */
  readonly missing: readonly string[];
}

/** A program that tests need, the Debian package that brings it, and what is not tested without it. */
const PROGRAMS: readonly { file: string; packages: string[]; part: string; tests: string }[] = [
  {
    file: 'sshd',
    packages: ['openssh-server', 'openssh-client'],
    part: 'unit',
    tests: 'everything on a real SSH server',
  },
  { file: 'ip', packages: ['iproute2'], part: 'unit', tests: 'hosts with networks of their own' },
  { file: 'sysbench', packages: ['sysbench'], part: 'unit', tests: 'runs of a real sysbench' },
  { file: 'fio', packages: ['fio'], part: 'unit', tests: 'runs of a real fio' },
  { file: 'javac', packages: ['default-jdk-headless'], part: 'unit', tests: 'runs of a real YCSB' },
  { file: 'mariadbd', packages: ['mariadb-server'], part: 'unit', tests: 'MariaDB' },
  { file: '/usr/lib/postgresql/15/bin/postgres', packages: ['postgresql'], part: 'unit', tests: 'PostgreSQL' },
  { file: 'pgbouncer', packages: ['pgbouncer'], part: 'unit', tests: 'PostgreSQL behind PgBouncer' },
  {
    file: 'mvn',
    packages: ['maven'],
    part: 'unit',
    tests: 'MySQL 5.7 and 8, MariaDB 11.4, and PostgreSQL 11 and 18 (they come through Maven)',
  },
  {
    file: 'pip3',
    packages: ['python3', 'python3-pip'],
    part: 'unit',
    tests: 'ClickHouse (its engine comes through pip)',
  },
  { file: 'xz', packages: ['xz-utils'], part: 'unit', tests: 'PostgreSQL 11 and 18 (their archives)' },
  { file: 'busybox', packages: ['busybox'], part: 'unit', tests: 'jobs on a host that has BusyBox only' },
  { file: 'pdftotext', packages: ['poppler-utils'], part: 'unit', tests: 'the text and pages of PDF reports' },
  {
    file: 'chromium',
    packages: ['chromium', 'fonts-liberation', 'fonts-dejavu-core'],
    part: 'e2e',
    tests: 'the app in a browser',
  },
  { file: 'xvfb-run', packages: ['xvfb', 'xauth'], part: 'electron', tests: 'the window without a display' },
  {
    file: 'pip3',
    packages: ['python3', 'python3-pip'],
    part: 'electron',
    tests: 'the window (its Electron comes through pip)',
  },
  {
    file: 'libgtk-3.so.0',
    packages: ['libgtk-3-0', 'libnss3', 'libasound2', 'libgbm1', 'libxss1'],
    part: 'electron',
    tests: 'the window',
  },
];
const FOLDERS = [
  ...(process.env.PATH ?? '').split(path.delimiter),
  '/usr/sbin',
  '/sbin',
  '/usr/lib/x86_64-linux-gnu',
  '/usr/lib/aarch64-linux-gnu',
];

const isThere = (file: string): boolean =>
  path.isAbsolute(file) ? existsSync(file) : FOLDERS.some((folder) => existsSync(path.join(folder, file)));

/** Installs what Debian has and we may install, fetches the test Electron, and says what is left out. */
export async function prepareMachine(parts: readonly string[]): Promise<Machine> {
  // The page is tried on the same servers and tools as the engine.
  const shared = parts.includes('e2e') ? ['unit'] : [];
  const wanted = PROGRAMS.filter((program) => [...parts, ...shared].includes(program.part));
  install(wanted.filter((program) => !isThere(program.file)).flatMap((program) => program.packages));

  const absent = wanted.filter((program) => !isThere(program.file));
  const missing = absent.map(
    ({ file, packages, tests }) => `${tests}: ${file} is missing (Debian: ${packages.join(' ')})`,
  );
  if (wanted.some((program) => program.part === 'unit'))
    missing.push(...(await withoutMongo()), ...(await withoutServers()), ...(await withoutClickHouse()));
  const impossible = new Set<string>();
  if (absent.some((program) => program.file === 'chromium') && !process.env.KNEEPOINT_CHROMIUM) impossible.add('e2e');

  const display = isThere('xvfb-run') ? ['xvfb-run', '-a', '-s', '-screen 0 1920x1080x24'] : [];
  if (display.length === 0 && !process.env.DISPLAY) impossible.add('electron');
  let electron: string | undefined;
  if (parts.includes('electron') && !impossible.has('electron')) {
    try {
      electron = fetchElectron(path.join(root, '.cache'));
    } catch (error) {
      impossible.add('electron');
      const words = error instanceof Error ? error.message.trim().split('\n').at(-1) : String(error);
      missing.push(`the window: its Electron could not be fetched (${words})`);
    }
  }
  return { display, electron, impossible, missing };
}

/** Debian's Go is too old for what the tests build, and it is not needed for anything else: it is taken where it is there. */
async function withoutMongo(): Promise<string[]> {
  const tests = 'the protocol of MongoDB';
  if (lacksGo()) return [`${tests}: Go 1.23 or later is missing`];
  try {
    say('building the server for tests of the MongoDB protocol, where it is not there yet.');
    await buildFerretDb();
    return [];
  } catch (error) {
    return [`${tests}: FerretDB could not be built (${error instanceof Error ? error.message : String(error)})`];
  }
}

/** The versions of MySQL and MariaDB that Debian has not; one after the other, so that two tests do not fetch the same. */
async function withoutServers(): Promise<string[]> {
  try {
    say('fetching MySQL 5.6 to 8 and MariaDB 11.4, where they are not there yet.');
    await fetchMySql();
    await fetchMariaDb11();
    return [];
  } catch (error) {
    return [`MySQL and MariaDB of other versions: ${error instanceof Error ? error.message : String(error)}`];
  }
}

async function withoutClickHouse(): Promise<string[]> {
  if (lacksClickHouse()) return ['ClickHouse: the library with its engine is for Linux on x64'];
  try {
    say('fetching the engine of ClickHouse, where it is not there yet.');
    await fetchClickHouse();
    return [];
  } catch (error) {
    return [`ClickHouse: its engine could not be fetched (${error instanceof Error ? error.message : String(error)})`];
  }
}

function install(packages: readonly string[]): void {
  if (packages.length === 0) return;
  const names = packages.join(' ');
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    say(`these Debian packages are missing and cannot be installed from here (needs root and apt-get): ${names}`);
    return;
  }
  say(`installing Debian packages with apt-get: ${names}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...packages]]) {
    const result = spawnSync('apt-get', ['-qq', ...args], { env, encoding: 'utf8', maxBuffer: 64 << 20 });
    if (result.status !== 0) say(`apt-get ${args[0]} failed: ${result.stderr.trim().split('\n').at(-1)}`);
  }
}
