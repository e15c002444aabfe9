import { z } from 'zod';
import type { Finding } from '../../../../../shared/model/finding.ts';
import { option } from '../../tool.ts';

/** The line that the launcher prints before it starts the client. */
const LINE = /^YCSB (?<version>\S.*) in (?<directory>\/.*); bindings: (?<bindings>[\w, -]+)$/;

/** The version and the bindings on the generator. Stored with each run, because they determine the measurement and have no other source. */
export function installationFinding(line: string): Finding | undefined {
  const { version, directory, bindings } = LINE.exec(line)?.groups ?? {};
  if (version === undefined) return undefined;
  return {
    code: 'ycsb-installation',
    severity: 'note',
    message: `YCSB ${version} from ${directory}, with the bindings ${bindings}.`,
  };
}

/** Default of the option `directory`, used before a document sets it. */
const DIRECTORY = '/opt/ycsb';

/** Prints the names of its core jar and its bindings. */
export const INSTALLATION_SCRIPT = `cd ${DIRECTORY} && ls -d lib/core-*.jar core/lib/core-*.jar *-binding`;

/** `Java 17.0.15, YCSB 0.17.0 (basic, jdbc)`; the second part only if YCSB is in its folder. */
export function probedVersion(output: string): string | undefined {
  const java = /version "(\d[\w.+-]*)"/.exec(output)?.[1];
  if (java === undefined) return undefined;
  const core = /^(?:core\/)?lib\/core-(\d\S*)\.jar$/m.exec(output)?.[1];
  if (core === undefined) return `Java ${java}`;
  const bindings = [...output.matchAll(/^([a-z][\w-]*)-binding$/gm)].map(([, name]) => name);
  return `Java ${java}, YCSB ${core} (${['basic', ...bindings].join(', ')})`;
}

const program = 'Program';
const binding = 'Binding';
const jdbc = { option: 'binding', in: ['jdbc'] };
const Absolute = z.string().regex(/^\/[^\0\n@]*$/, 'An absolute path.');

/** The installation and the binding. `directory`, `java`, `jvm-arguments` and those that begin with `jdbc-` are the app's own. */
export const programOptions = {
  directory: option(Absolute.default(DIRECTORY), {
    title: 'Installation directory',
    description:
      'Folder of the unpacked YCSB on the generator, with lib and the *-binding folders. Releases before 0.15, whose classes begin with com.yahoo.ycsb, are supported.',
    group: program,
  }),
  java: option(
    z
      .string()
      .regex(/^[\w./+-]+$/, 'A program name or path.')
      .default('java'),
    {
      title: 'Java',
      description:
        'The Java program: a name on the PATH, or an absolute path where several are installed. Its version changes the result: compare runs with the same one.',
      group: program,
    },
  ),
  'jvm-arguments': option(
    z
      .string()
      .regex(/^(-[^\s@]+( +-[^\s@]+)*)?$/, 'Arguments that begin with -, separated by spaces.')
      .default(''),
    {
      title: 'JVM arguments',
      description:
        'Arguments for Java, such as -Xms2g -Xmx2g. With too small a heap, garbage collection stops all threads, which appears as database latency.',
      group: program,
    },
  ),
  binding: option(
    z
      .string()
      .regex(/^[a-z][a-z0-9-]*$/, 'A name as in bin/bindings.properties.')
      .default('basic'),
    {
      title: 'Binding',
      main: true,
      description:
        'Database binding. basic: no database (shows the capacity of the generator); jdbc: MySQL or PostgreSQL target; mongodb, mongodb-async: MongoDB target. Any other name in the installation’s bin/bindings.properties works with properties; a run lists the installed bindings.',
      group: binding,
    },
  ),
  db: option(
    z
      .string()
      .regex(/^[\w$]+(\.[\w$]+)+$/, 'A class name with its package.')
      .optional(),
    {
      title: 'Binding class',
      description: 'Class to use instead of the one that bin/bindings.properties names for the binding.',
      group: binding,
    },
  ),
  'simulate-delay': option(z.int().min(0).default(0), {
    title: 'Simulated delay',
    description: 'Each operation of the basic binding waits a random time up to this (basicdb.simulatedelay).',
    unit: 'ms',
    group: binding,
    when: { option: 'binding', in: ['basic'] },
  }),
  'jdbc-driver': option(z.enum(['auto', 'mysql', 'mariadb', 'postgresql']).default('auto'), {
    title: 'JDBC driver',
    description:
      'Driver whose jar is in jdbc-binding/lib (YCSB includes none). auto: Connector/J for the MySQL family, pgJDBC for PostgreSQL. Drivers differ in speed: compare runs with the same one.',
    group: binding,
    when: jdbc,
  }),
  'jdbc-parameters': option(
    z
      .string()
      .regex(/^([\w.-]+=[^\s&]*(&[\w.-]+=[^\s&]*)*)?$/, 'name=value, with & between.')
      .refine((text) => !/passw|secret/i.test(text), 'Passwords are not allowed here: set it in the target.')
      .default(''),
    {
      title: 'URL parameters',
      description:
        'Added to the connection URL, for example useServerPrepStmts=true&cachePrepStmts=true. Some of them change the number of round trips.',
      group: binding,
      when: jdbc,
    },
  ),
  table: option(
    z
      .string()
      .regex(/^[a-z_][a-z0-9_]{0,59}$/, 'Lowercase letters, digits and _.')
      .default('usertable'),
    {
      title: 'Table',
      description:
        'Table or collection of the records. On a saved target, prepare creates it and clean-up drops it (for a collection, this needs JDK 11 on the generator).',
      group: binding,
    },
  ),
  'properties-file': option(Absolute.optional(), {
    title: 'Properties file on the generator',
    description:
      'An additional properties file on the generator (-P), for addresses and passwords of bindings without a saved target; it must be readable only by its owner. Properties set by options of the experiment must have the same values in it: a run refuses others, as they would have no effect.',
    group: binding,
  }),
};
