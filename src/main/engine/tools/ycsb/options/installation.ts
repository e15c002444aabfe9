import type { Finding } from '../../../../../shared/model/finding.ts';

/** What the launcher says before it starts the client. */
const LINE = /^YCSB (?<version>\S.*) in (?<directory>\/.*); bindings: (?<bindings>[\w, -]+)$/;

/** The version and the bindings on the generator, kept with each run: they decide what was measured, and nothing else tells them. */
export function installationFinding(line: string): Finding | undefined {
  const { version, directory, bindings } = LINE.exec(line)?.groups ?? {};
  if (version === undefined) return undefined;
  return {
    code: 'ycsb-installation',
    severity: 'note',
    message: `YCSB ${version} from ${directory}, with the bindings ${bindings}.`,
  };
}

/** Where it is looked for before a document says where it is: the default of the option `directory`. */
export const DIRECTORY = '/opt/ycsb';

/** Prints the names of its core's jar and of its bindings. */
export const INSTALLATION_SCRIPT = `cd ${DIRECTORY} && ls -d lib/core-*.jar core/lib/core-*.jar *-binding`;

/** `Java 17.0.15, YCSB 0.17.0 (basic, jdbc)`; the second part only where YCSB is in its folder. */
export function probedVersion(output: string): string | undefined {
  const java = /version "(\d[\w.+-]*)"/.exec(output)?.[1];
  if (java === undefined) return undefined;
  const core = /^(?:core\/)?lib\/core-(\d\S*)\.jar$/m.exec(output)?.[1];
  if (core === undefined) return `Java ${java}`;
  const bindings = [...output.matchAll(/^([a-z][\w-]*)-binding$/gm)].map(([, name]) => name);
  return `Java ${java}, YCSB ${core} (${['basic', ...bindings].join(', ')})`;
}
