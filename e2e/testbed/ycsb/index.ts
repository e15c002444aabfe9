import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cached } from '../databases/folders.ts';
import { runToEnd } from '../databases/processes.ts';

interface Artifact {
  group: string;
  name: string;
  version: string;
  sha256: string;
}

/** The core of YCSB as published on Maven Central, with all that it needs at run time. Bindings are not published there. */
const CORE: readonly Artifact[] = [
  {
    group: 'site.ycsb',
    name: 'core',
    version: '0.17.0',
    sha256: 'e1c64d09bfc642715428c2e53ec129b0a98a0e634ee32bf0ae77e5b4eebb3cda',
  },
  {
    group: 'org.hdrhistogram',
    name: 'HdrHistogram',
    version: '2.1.4',
    sha256: '8e68b9608ab107690350b904eab24087785f69218e5c6acd860d28116eded708',
  },
  {
    group: 'org.apache.htrace',
    name: 'htrace-core4',
    version: '4.1.0-incubating',
    sha256: '5d45b7904857c3e4ad36b3bcc57be2d2c5f308c69b5f6a58bd86aa7d48a25ef6',
  },
  {
    group: 'org.codehaus.jackson',
    name: 'jackson-core-asl',
    version: '1.9.4',
    sha256: '6129e1b91d7850ba250b1375094c8ca215a0f7cf234b6f60a2f4a88d5b1272c9',
  },
  {
    group: 'org.codehaus.jackson',
    name: 'jackson-mapper-asl',
    version: '1.9.4',
    sha256: 'f013389c3eb92aa997df801e4a352464925af634a4af3e5bd77c6c0763dc9c99',
  },
];

/** What the jdbc binding expects people to add. */
const DRIVERS: readonly Artifact[] = [
  {
    group: 'com.mysql',
    name: 'mysql-connector-j',
    version: '8.4.0',
    sha256: 'd77962877d010777cff997015da90ee689f0f4bb76848340e1488f2b83332af5',
  },
  {
    group: 'org.mariadb.jdbc',
    name: 'mariadb-java-client',
    version: '3.5.1',
    sha256: '50a50c4a3c13c30dfbd40587f7ad9a496197d285ede0948641d9eee68fdf2106',
  },
  {
    group: 'org.postgresql',
    name: 'postgresql',
    version: '42.7.4',
    sha256: '188976721ead8e8627eb6d8389d500dccc0c9bebd885268a3047180274a6031e',
  },
];

/** By Maven, which knows the mirrors of closed networks. */
function fetchedByMaven({ group, name, version }: Artifact): Buffer {
  const directory = mkdtempSync(join(tmpdir(), 'kneepoint-maven-'));
  try {
    const artifact = `${group}:${name}:${version}`;
    runToEnd(['mvn', '-q', '-B', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${directory}`]);
    return readFileSync(join(directory, `${name}-${version}.jar`));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function fetchJar(artifact: Artifact): Promise<Buffer> {
  const { group, name, version, sha256 } = artifact;
  const url = `https://repo1.maven.org/maven2/${group.replaceAll('.', '/')}/${name}/${version}/${name}-${version}.jar`;
  const direct = await fetch(url, { signal: AbortSignal.timeout(60_000) }).then(
    async (reply) => (reply.ok ? Buffer.from(await reply.arrayBuffer()) : undefined),
    () => undefined,
  );
  const jar = direct ?? fetchedByMaven(artifact);
  const found = createHash('sha256').update(jar).digest('hex');
  if (found !== sha256) throw new Error(`${url} is not what it was: SHA-256 ${found}.`);
  return jar;
}

/** Puts the jars of artifacts into a folder. */
async function fetchJars(artifacts: readonly Artifact[], folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const artifact of artifacts)
    writeFileSync(join(folder, `${artifact.name}-${artifact.version}.jar`), await fetchJar(artifact));
}

/** Folder of an installation of YCSB 0.17.0 in the layout of its releases, with the binding `basic` only. Fetched once (3 MB). */
export function ycsbInstallation(): Promise<string> {
  return cached('ycsb-core-0.17.0', async (directory) => {
    await fetchJars(CORE, join(directory, 'lib'));
    mkdirSync(join(directory, 'bin'));
    writeFileSync(join(directory, 'bin/bindings.properties'), '#DATABASE BINDINGS\nbasic:site.ycsb.BasicDB\n');
  });
}

/** The same with a jdbc binding: a small one compiled from the sources here, and the drivers of MySQL, MariaDB and PostgreSQL. */
export async function ycsbWithJdbc(): Promise<string> {
  const core = await ycsbInstallation();
  return cached('ycsb-jdbc-0.17.0', async (directory) => {
    cpSync(core, directory, { recursive: true });
    const binding = join(directory, 'jdbc-binding');
    const lib = join(binding, 'lib');
    await fetchJars(DRIVERS, lib);
    const classes = join(binding, 'classes');
    const sources = ['JdbcDBClient.java', 'JdbcDBCli.java'].map((name) => join(import.meta.dirname, 'jdbc', name));
    runToEnd(['javac', '--release', '8', '-nowarn', '-cp', `${directory}/lib/*`, '-d', classes, ...sources]);
    runToEnd(['jar', 'cf', join(lib, 'jdbc-binding-0.17.0.jar'), '-C', classes, '.']);
    writeFileSync(
      join(directory, 'bin/bindings.properties'),
      'basic:site.ycsb.BasicDB\njdbc:site.ycsb.db.JdbcDBClient\n',
    );
  });
}

/** Whether programs can be compiled and run here. */
export const hasCompiler = (): boolean => spawnSync('javac', ['-version']).status === 0;
export const hasJava = (): boolean => spawnSync('java', ['-version']).status === 0;
