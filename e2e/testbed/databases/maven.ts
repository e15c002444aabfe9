import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runToEnd } from './processes.ts';

/** A server's programs as published on Maven Central for tests of other projects: an archive inside a jar. */
export interface Programs {
  /** group:name:version */
  artifact: string;
  archive: string;
  sha256: string;
}

/** Fetched and unpacked into `directory` by Maven, which knows the mirrors of closed networks. */
export function unpackPrograms({ artifact, archive, sha256 }: Programs, directory: string): void {
  const unpacked = mkdtempSync(join(tmpdir(), 'kneepoint-maven-'));
  try {
    // Without a project Maven leaves marks in the folder it is called from.
    const inside = ['sh', '-c', 'cd "$1" && shift && exec "$@"', 'sh', unpacked];
    const wanted = [`-Dartifact=${artifact}`, `-DoutputDirectory=${unpacked}`];
    runToEnd([...inside, 'mvn', '-q', '-B', 'dependency:unpack', ...wanted]);
    const file = join(unpacked, archive);
    const found = createHash('sha256').update(readFileSync(file)).digest('hex');
    if (found !== sha256) throw new Error(`${archive} of ${artifact} is not what it was: SHA-256 ${found}.`);
    runToEnd(['tar', '-xf', file, '-C', directory, '--no-same-owner']);
  } finally {
    rmSync(unpacked, { recursive: true, force: true });
  }
}
