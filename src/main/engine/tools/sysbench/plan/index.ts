import { KneepointError } from '../../../../../shared/model/problem.ts';
import type { ConnectionFacts } from '../../../../../shared/model/target.ts';
import { devicesNamedIn } from '../../device-gate.ts';
import { invalidOptions, shareOf, wholeSeconds } from '../../option-problem.ts';
import { inVariable, libpqPassword, NO_PASSWORD, type PasswordDelivery, secretFile } from '../../secret.ts';
import type { Command, Part, Phase, PlanInput, ToolPlan } from '../../tool.ts';
import { filesFolder, ownNeed } from '../data/own.ts';
import {
  applies,
  isLibraryOption,
  libraryNumber,
  libraryValue,
  OPTION_NAMES,
  readersOf,
  SysbenchOptions,
  tableCount,
  threadsOf,
} from '../options/index.ts';
import { isLibraryScript, OWN_SCRIPT, usesDatabase, usesTables } from '../scripts/index.ts';
import { LIBRARY } from '../scripts/library.ts';
import { ownArguments } from '../scripts/own.ts';
import { connectionArguments, connectionEnvironment, wantsMysqlTls } from './connection.ts';

type Input = PlanInput<SysbenchOptions>;

/** Includes options after the word `sysbench`, in addition to arguments before it. */
interface SysbenchPassword extends PasswordDelivery {
  options: readonly string[];
}

/**
 * A password as the value of `name=value` in a sysbench configuration file. Undefined if the file cannot contain it. The file has no escapes: a value
 * ends at a blank or comma unless quoted, and a quoted one at the next quote of its kind.
 */
export function configFileValue(password: string): string | undefined {
  if (/[\n\r\0]/.test(password)) return undefined;
  if (!password.includes('"')) return `"${password}"`;
  if (!password.includes("'")) return `'${password}'`;
  return /^[#"']|[\s,]/.test(password) ? undefined : password;
}

/** `ps` shows argv to every user of the host, so the password is passed in a file that only its owner can read. */
function deliverPassword({ kind, password }: ConnectionFacts): SysbenchPassword {
  if (!password) return { ...NO_PASSWORD, options: [] };
  if (kind === 'postgres') return { ...libpqPassword(password), options: [] };
  const value = configFileValue(password);
  if (value === undefined) return { ...inVariable('MYSQL_PWD', password), options: [] };
  return {
    files: [secretFile('sysbench.conf', `mysql-password=${value}\n`)],
    before: [],
    options: ['--config-file=@sysbench.conf@'],
  };
}

/** Options that are not passed as arguments of the same name. */
const APART = new Set<string>([
  ...['script', 'threads', 'prepare-threads', 'directory', 'mysql-ssl', 'mysql-ssl-directory', 'mysql-further-hosts'],
  ...['script-text', 'script-file', 'script-options', 'script-prepare', 'script-tables'],
]);
/** Always passed, so that a run does not depend on the defaults of the installed version. */
const ALWAYS = new Set<string>([
  'tables',
  'table-size',
  'rand-type',
  'percentile',
  'file-test-mode',
  'memory-total-size',
]);
/** Options that prepare and cleanup need. */
const OF_DATA = new Set<string>([
  ...['tables', 'table-size', 'auto-inc', 'create-secondary', 'secondary', 'mysql-storage-engine', 'mysql-ssl-cipher'],
  ...['file-total-size', 'file-num', 'file-test-mode'],
]);
const DEFAULTS = SysbenchOptions.parse({});

const written = (value: unknown): string => (typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value));

/** Options relevant to this command that differ from sysbench's defaults or are always passed. */
function optionArguments(input: Input, command: Phase): string[] {
  const { options, connection } = input;
  return OPTION_NAMES.filter((name) => {
    if (APART.has(name) || options[name] === undefined || !applies(name, options)) return false;
    if (command !== 'run' && !OF_DATA.has(name) && !isLibraryOption(name)) return false;
    if (name.startsWith('mysql-') && connection.kind !== 'mysql') return false;
    // sysbench 1.0 can lose the default of a number that a script declares.
    return ALWAYS.has(name) || isLibraryOption(name) || options[name] !== DEFAULTS[name];
  }).map((name) => `--${name}=${written(options[name])}`);
}

/** sysbench reads a signed 32-bit seed, and takes 0 for "the time of day". */
const LARGEST_SEED = 2_147_483_647;

/** bulk_insert numbers its rows from 1 in every run, and insert_rows measures how a table grows: each run starts with new tables. */
const WITH_NEW_TABLES = 'for step in cleanup prepare; do "$@" "$step" || exit; done; exec "$@" run';

const PREPARE_THREADS = 4;

function threads(options: SysbenchOptions, command: Phase): number {
  if (command === 'run') return threadsOf(options);
  if (options.script === 'bulk_insert') return options.threads;
  if (options.script === 'fileio' || (command === 'cleanup' && !usesTables(options.script))) return 1;
  const given = options['prepare-threads'];
  // Each thread of an own script runs its whole prepare, unless the script divides the work itself.
  if (options.script === OWN_SCRIPT) return given ?? 1;
  return usesTables(options.script)
    ? Math.min(tableCount(options), given ?? PREPARE_THREADS)
    : (given ?? PREPARE_THREADS);
}

/**
 * At the end of the warm-up, sysbench reports and resets its counters: the final report then covers only the measured seconds, including percentile
 * and histogram. Own scripts may print reports of their own, which would then appear twice.
 */
function warmUpCheckpoint({ options, warmup }: Input): string[] {
  const planned = options['report-checkpoints'] !== '' || options.script === OWN_SCRIPT;
  return planned || warmup < 1 || !Number.isInteger(warmup) ? [] : [`--report-checkpoints=${warmup}`];
}

function timing(input: Input): string[] {
  const seed = Math.trunc(Math.abs(input.seed)) % LARGEST_SEED;
  return [
    '--report-interval=1',
    ...warmUpCheckpoint(input),
    `--time=${wholeSeconds(input)}`,
    `--events=${eventLimit(input.options)}`,
    ...(seed > 0 ? [`--rand-seed=${seed}`] : []),
  ];
}

function commandOf(input: Input, command: Phase): Command {
  const { options, connection } = input;
  const database = usesDatabase(options.script);
  const renews = command === 'run' && fillsTables(options) && !keepsRows(options);
  const script = scriptOf(options);
  const password = database ? deliverPassword(connection) : { files: [], before: [], options: [] };
  return {
    argv: [
      ...place(input, command),
      ...password.before,
      ...(renews ? ['sh', '-c', WITH_NEW_TABLES, 'sh'] : []),
      'sysbench',
      ...password.options,
      script.word,
      ...(database ? connectionArguments(options, connection) : []),
      `--threads=${threads(options, command)}`,
      ...optionArguments(input, command),
      ...script.arguments,
      ...(command === 'run' ? timing(input) : []),
      ...(renews ? [] : [command]),
    ],
    // Client libraries translate their messages, and the parser expects English.
    env: { LC_ALL: 'C', ...script.env, ...(database ? connectionEnvironment(connection) : {}) },
    files: [...password.files, ...script.files],
    plannedSeconds: command === 'run' ? wholeSeconds(input) : 0,
  };
}

/** Commands of a sysbench workload. Throws `experiment-invalid` if the target or the declared data does not fit the script. */
export function planSysbench(input: Input): ToolPlan {
  const { options } = input;
  const run = commandOf(input, 'run');
  const files = options.script === 'fileio';
  checkReaders(options);
  if (!files && !usesDatabase(options.script)) return { run };
  if (options.script === OWN_SCRIPT && !options['script-prepare']) return { run };
  ownNeed(options);
  // A sequential write creates its own files, which prepare would only write twice.
  const creates = files && options['file-test-mode'] === 'seqwr';
  return {
    ...(creates ? {} : { prepare: commandOf(input, 'prepare') }),
    run,
    cleanup: commandOf(input, 'cleanup'),
  };
}

/** A generator's part of the threads and of the rate; everything else is the same on each. */
export function divideSysbench(options: SysbenchOptions, part: Part): SysbenchOptions {
  const { script, threads, rate } = options;
  if (!usesDatabase(script))
    throw invalidOptions(
      `The sysbench script ${script} measures the host it runs on, so several generators would not share a load.`,
      'Choose one generator; measure the other hosts in separate sessions.',
    );
  if (script === 'key_popularity')
    throw invalidOptions(
      'key_popularity counts lookups in memory, so each of several generators would have only a part of the histogram.',
      'Choose one generator.',
    );
  if (fillsTables(options))
    throw invalidOptions(
      `${script} recreates its tables in every run, so several generators would drop each other’s tables.`,
      'Choose one generator, or use oltp_insert.',
    );
  return {
    ...options,
    threads: shareOf(['thread', 'threads'], threads, part),
    ...(rate > 0 && { rate: shareOf(['event per second', 'events per second'], rate, part) }),
  };
}

/** Number of events after which a run ends early; 0 = none. */
function eventLimit(options: SysbenchOptions): number {
  if (options.script === 'key_popularity') return libraryNumber(options, 'lookups');
  // With separate writers and readers, the script itself ends the run.
  if (options.script !== 'insert_rows' || readersOf(options) > 0 || libraryNumber(options, 'insert-rate') > 0) return 0;
  const rows = options.threads * libraryNumber(options, 'rows-per-writer');
  return Math.ceil(rows / libraryNumber(options, 'rows-per-insert'));
}

const keepsRows = (options: SysbenchOptions): boolean =>
  options.script === 'insert_rows' && libraryValue(options, 'keep-rows') === true;

function checkReaders(options: SysbenchOptions): void {
  if (readersOf(options) === 0 || libraryNumber(options, 'indexes') > 0) return;
  throw invalidOptions(
    'Readers of insert_rows read in the order of a secondary index, but there is none (indexes is 0).',
    'Set indexes to 1 or more. If a statement in an earlier step creates the indexes, set the option to the number of indexes it creates.',
  );
}

/** A script that creates its tables in each run cannot continue with them after a restart. */
export const restartsSysbench = (options: SysbenchOptions): string | undefined =>
  fillsTables(options) && !keepsRows(options) ? undefined : '--time=';

/** Scripts that fill empty tables: each run drops those of the previous one. */
const fillsTables = (options: SysbenchOptions): boolean =>
  options.script === 'bulk_insert' || options.script === 'insert_rows';

/** A script can write anywhere, and only the tool command asks before overwriting a disk. The content of a script file is unknown here. */
function refuseDevices(script: string): void {
  const [device] = devicesNamedIn(script);
  if (device === undefined) return;
  throw new KneepointError({
    code: 'experiment-invalid',
    message: `The script names the device ${device}, which sysbench would overwrite without confirmation.`,
    safe: 'Nothing was started.',
    next: 'Run it with the tool command, whose options “overwrites” and “only-reads” declare the use of a device.',
  });
}

/**
 * Lua's search path for modules required by a script file: its own folder first, as if started there. `;;` is sysbench's default path and `?` the
 * module name, so a folder whose name contains either cannot be included.
 */
function searchedFor(file: string): Record<string, string> {
  const folder = file.slice(0, file.lastIndexOf('/'));
  return /[;?]/.test(folder) ? {} : { LUA_PATH: `${folder}/?.lua;${folder}/?/init.lua;;` };
}

/**
 * The script for sysbench: its name, the required files, arguments that only it knows, and its environment. Throws `experiment-invalid` for an own
 * script that is missing, given twice, or names a device.
 */
function scriptOf(options: SysbenchOptions): {
  word: string;
  files: Command['files'];
  arguments: readonly string[];
  env: Readonly<Record<string, string>>;
} {
  const { script } = options;
  if (isLibraryScript(script)) {
    const files = LIBRARY[script].files.map((file) => ({ ...file, mode: 0o600, secret: false }));
    return { word: `@${script}.lua@`, files, arguments: [], env: {} };
  }
  if (script !== OWN_SCRIPT) return { word: script, files: [], arguments: [], env: {} };
  const text = options['script-text'].trim() === '' ? undefined : options['script-text'];
  refuseDevices(`${options['script-text']}\n${options['script-options']}`);
  const own = ownArguments(options['script-options'], text);
  if (text !== undefined && options['script-file'] === undefined)
    return {
      word: '@script.lua@',
      files: [{ name: 'script.lua', content: text, mode: 0o600, secret: false }],
      arguments: own,
      env: {},
    };
  if (text === undefined && options['script-file'] !== undefined)
    return { word: options['script-file'], files: [], arguments: own, env: searchedFor(options['script-file']) };
  throw new KneepointError({
    code: 'experiment-invalid',
    message: text === undefined ? 'There is no script to run.' : 'Both a script text and a script file are set.',
    safe: 'Nothing was started.',
    next: 'Set either the text of the script (script-text) or its path on the generator (script-file).',
  });
}

/** A link or a device among the test files would redirect writes elsewhere. */
const ONLY_FILES =
  'for file in test_file.*; do [ ! -L "$file" ] && { [ ! -e "$file" ] || [ -f "$file" ]; } || { echo "kneepoint: refused: $PWD/$file is not a plain file" >&2; exit 1; }; done; case $PWD/ in /dev/shm/*) ;; /dev/*|/proc/*|/sys/*) echo "kneepoint: refused: $PWD is not a place for files" >&2; exit 1 ;; esac';
/** Creates and enters the folder for the test files; `$1` is its path. */
const ENTER_NEW = `mkdir -p -- "$1" && cd -P -- "$1" && shift && { ${ONLY_FILES}; } && exec "$@"`;
const ENTER_FILES = `cd -P -- "$1" && shift && { ${ONLY_FILES}; } && exec "$@"`;
const ENTER = 'cd -- "$1" && shift && exec "$@"';
/** A missing folder is not an error. Removes the folder and its parent if they are empty afterwards. */
const ENTER_AND_REMOVE =
  'folder=$1 && shift && { [ -d "$folder" ] || exit 0; } && cd -- "$folder" && "$@" && cd / && { rmdir -- "$folder" "$(dirname -- "$folder")" 2>/dev/null || :; }';

const inFolder = (script: string, folder: string): string[] => ['sh', '-c', script, 'sh', folder];

function folderOf(input: Input): string {
  const folder = input.options.directory ?? (input.connection.kind === 'host' ? input.connection.path : undefined);
  if (folder?.startsWith('/')) return filesFolder(folder, input.options);
  throw new KneepointError({
    code: 'experiment-invalid',
    message: 'The sysbench script fileio needs a folder on the host for its test files, and none is named.',
    safe: 'Nothing was started and no file was written.',
    next: 'Set the option “directory” to an absolute path on the disk to measure.',
  });
}

/** Arguments before sysbench that make it run in its folder: that of its test files or its TLS certificates. Empty if any folder will do. */
function place(input: Input, command: Phase): string[] {
  const { options, connection } = input;
  if (options.script === 'fileio')
    return inFolder(
      command === 'cleanup'
        ? ENTER_AND_REMOVE
        : command === 'prepare' || options['file-test-mode'] === 'seqwr'
          ? ENTER_NEW
          : ENTER_FILES,
      folderOf(input),
    );
  const tlsFolder = options['mysql-ssl-directory'];
  return connection.kind === 'mysql' && tlsFolder && wantsMysqlTls(options, connection)
    ? inFolder(ENTER, tlsFolder)
    : [];
}
