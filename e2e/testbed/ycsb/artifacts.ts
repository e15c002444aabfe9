import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runToEnd } from '../databases/processes.ts';

/** A jar as published on Maven Central. */
interface Artifact {
  group: string;
  name: string;
  version: string;
  sha256: string;
}

/** The core of YCSB, with its run-time dependencies. Bindings are not published. */
export const CORE: readonly Artifact[] = [
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

/** Drivers that users of the jdbc binding have to add. */
export const JDBC_DRIVERS: readonly Artifact[] = [
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

export const MONGODB_DRIVER: readonly Artifact[] = [
  {
    group: 'org.mongodb',
    name: 'mongodb-driver-sync',
    version: '5.2.1',
    sha256: 'c10ad97ab8a148c53ab8377a3fa89e49c2f9be277f1216c7f69967b7cc1e1699',
  },
  {
    group: 'org.mongodb',
    name: 'mongodb-driver-core',
    version: '5.2.1',
    sha256: '5ae1d49fc6b1b42046cb16c1ce9f6952e36d0203f085d9fe045266460c51da19',
  },
  {
    group: 'org.mongodb',
    name: 'bson',
    version: '5.2.1',
    sha256: '5bca0022f4a933795788244b0ba3d7d92d6969730cf3b279bb37f9f7ffba5f35',
  },
];

const dependency = ({ group, name, version }: Artifact): string =>
  `<dependency><groupId>${group}</groupId><artifactId>${name}</artifactId><version>${version}</version></dependency>`;

/** Downloads the jars of artifacts into a folder: one run of Maven, which knows the mirrors of closed networks. */
export function fetchJars(artifacts: readonly Artifact[], folder: string): void {
  const project = mkdtempSync(join(tmpdir(), 'kneepoint-maven-'));
  try {
    const file = join(project, 'pom.xml');
    const dependencies = artifacts.map(dependency).join('');
    const identity = '<groupId>jars</groupId><artifactId>jars</artifactId><version>1</version>';
    writeFileSync(
      file,
      `<project><modelVersion>4.0.0</modelVersion>${identity}<dependencies>${dependencies}</dependencies></project>`,
    );
    mkdirSync(folder, { recursive: true });
    const wanted = ['-DexcludeTransitive=true', `-DoutputDirectory=${folder}`];
    runToEnd(['mvn', '-q', '-B', '-f', file, 'dependency:copy-dependencies', ...wanted]);
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
  for (const { name, version, sha256 } of artifacts) {
    const jar = join(folder, `${name}-${version}.jar`);
    const found = createHash('sha256').update(readFileSync(jar)).digest('hex');
    if (found !== sha256) throw new Error(`${jar} is not what it was: SHA-256 ${found}.`);
  }
}
