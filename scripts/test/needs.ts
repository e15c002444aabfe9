import {
  buildFerretDb,
  fetchClickHouse,
  fetchMariaDb11,
  fetchMongosh,
  fetchMySql,
  lacksClickHouse,
  lacksGo,
} from '../../e2e/testbed/databases/index.ts';

/** A program that tests need, its Debian packages, and what is not tested without it. */
export interface Program {
  readonly file: string;
  readonly packages: readonly string[];
  readonly tests: string;
}

/** Text by which a test, or a helper of it, shows that it needs something. */
export interface Named {
  readonly named: RegExp;
}

/** Something without a package: downloaded or built once for this clone. */
export interface Fetched extends Named {
  readonly tests: string;
  /** Why it is not available on this machine; empty if it is. */
  lacking(): string;
  fetch(): Promise<unknown>;
}

const MAVEN = /\b(?:startMySql8?|startMariaDb11|startPostgresVersion|ycsbWith|ycsbInstallation)\b/;

export const PROGRAMS: readonly (Program & Named)[] = [
  {
    file: 'sshd',
    packages: ['openssh-server', 'openssh-client'],
    tests: 'everything on a real SSH server',
    named: /testbed\/sshd|ssh-keygen/,
  },
  {
    file: 'ip',
    packages: ['iproute2'],
    tests: 'hosts with networks of their own',
    named: /\b(?:createHosts|canMakeNetworks)\b/,
  },
  { file: 'sysbench', packages: ['sysbench'], tests: 'runs of a real sysbench', named: /\bsysbench\b/ },
  { file: 'fio', packages: ['fio'], tests: 'runs of a real fio', named: /\bfio\b/ },
  {
    file: '/usr/share/doc/fio/examples/fsx.fio',
    packages: ['fio-examples'],
    tests: 'the example job files of fio',
    named: /\bfio\/examples\b/,
  },
  {
    file: 'javac',
    packages: ['default-jdk-headless'],
    tests: 'runs of a real YCSB',
    named: /\b(?:ycsbWith|ycsbInstallation)\b/,
  },
  { file: 'mariadbd', packages: ['mariadb-server'], tests: 'MariaDB', named: /\bstartMariaDb\b/ },
  {
    file: '/usr/lib/postgresql/15/bin/postgres',
    packages: ['postgresql'],
    tests: 'PostgreSQL',
    named: /\bstartPostgres\b|\bpgbench\b/,
  },
  {
    file: 'pgbouncer',
    packages: ['pgbouncer'],
    tests: 'PostgreSQL behind PgBouncer',
    named: /\bstartPgBouncer\b|program: 'pgbouncer'/,
  },
  { file: 'haproxy', packages: ['haproxy'], tests: 'servers behind HAProxy', named: /\bstartHaProxy\b/ },
  {
    file: 'mvn',
    packages: ['maven'],
    tests: 'MySQL 5.7 and 8, MariaDB 11.4, PostgreSQL 11 and 18, and YCSB (they come through Maven)',
    named: MAVEN,
  },
  {
    file: 'pip3',
    packages: ['python3', 'python3-pip'],
    tests: 'ClickHouse (its engine comes through pip)',
    named: /\bstartClickHouse\b/,
  },
  {
    file: 'clickhouse-server',
    packages: ['clickhouse-server', 'clickhouse-client'],
    tests: 'ClickHouse’s own client',
    named: /\bstartClickHouseServer\b/,
  },
  {
    file: 'xz',
    packages: ['xz-utils'],
    tests: 'PostgreSQL 11 and 18 (their archives)',
    named: /\bstartPostgresVersion\b/,
  },
  { file: 'busybox', packages: ['busybox'], tests: 'jobs on a host that has BusyBox only', named: /\bbusybox\b/i },
  ...['mawk', 'gawk', 'original-awk'].map((awk) => ({
    file: awk,
    packages: [awk],
    tests: `the collector on a host whose awk is ${awk}`,
    named: new RegExp(`'${awk}'`),
  })),
  {
    file: 'pdftotext',
    packages: ['poppler-utils'],
    tests: 'the text and pages of PDF reports',
    named: /\bpdfto(?:text|ppm)\b/,
  },
];

export const FETCHED: readonly Fetched[] = [
  {
    tests: 'the protocol of MongoDB (FerretDB)',
    named: /\bstartFerretDb\b/,
    // Debian's Go is too old for it, and nothing else needs it: it is used if present.
    lacking: () => (lacksGo() ? 'Go 1.23 or later is missing' : ''),
    fetch: buildFerretDb,
  },
  { tests: 'MongoDB’s shell', named: /\bfetchMongosh\b/, lacking: () => '', fetch: fetchMongosh },
  { tests: 'MySQL 5.6 to 8', named: /\bstartMySql8?\b/, lacking: () => '', fetch: fetchMySql },
  { tests: 'MariaDB 11.4', named: /\bstartMariaDb11\b/, lacking: () => '', fetch: fetchMariaDb11 },
  {
    tests: 'ClickHouse',
    named: /\bstartClickHouse\b/,
    lacking: () => (lacksClickHouse() ? 'the library with its engine is for Linux on x64' : ''),
    fetch: fetchClickHouse,
  },
];

/** The app in a browser and in its window. */
export const PAGE_PROGRAMS: Readonly<Record<'browser' | 'electron', readonly Program[]>> = {
  browser: [
    {
      file: 'chromium-headless-shell',
      packages: ['chromium-headless-shell', 'fonts-liberation', 'fonts-dejavu-core'],
      tests: 'the app in a browser',
    },
    { file: 'chromium', packages: ['chromium'], tests: 'the figures of pages (npm run bench)' },
  ],
  electron: [
    { file: 'xvfb-run', packages: ['xvfb', 'xauth'], tests: 'the window without a display' },
    {
      file: 'pip3',
      packages: ['python3', 'python3-pip'],
      tests: 'the window (its Electron comes through pip)',
    },
    {
      file: 'libgtk-3.so.0',
      packages: ['libgtk-3-0', 'libnss3', 'libasound2', 'libgbm1', 'libxss1'],
      tests: 'the window',
    },
  ],
};
