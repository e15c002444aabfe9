import { KneepointError } from '../../../../../shared/model/problem.ts';
import { devicesNamedIn } from '../../device-path.ts';
import type { PlanInput, Step, ToolPlan } from '../../tool.ts';
import { filesFolder } from '../data/files.ts';
import { ownNeed } from '../data/own.ts';
import { applies, isLibraryOption, OPTION_NAMES, SysbenchOptions, tableCount } from '../options/index.ts';
import { isLibraryScript, OWN_SCRIPT, usesDatabase, usesTables } from '../scripts/index.ts';
import { LIBRARY } from '../scripts/library.ts';
import { ownArguments } from '../scripts/own.ts';
import { connectionArguments, connectionEnvironment, wantsMysqlTls } from './connection.ts';
import { eventLimit, fillsTables } from './library.ts';
import { deliverPassword } from './secret.ts';

type Input = PlanInput<SysbenchOptions>;
type Command = 'prepare' | 'run' | 'cleanup';

/** Options that become something else than an argument of the same name. */
const APART = new Set<string>([
  ...['script', 'threads', 'prepare-threads', 'directory', 'mysql-ssl', 'mysql-ssl-directory'],
  ...['script-text', 'script-file', 'script-options', 'script-prepare', 'script-tables'],
]);
/** Always written out, so that a run does not depend on the defaults of the installed version. */
const ALWAYS = new Set<string>([
  'tables',
  'table-size',
  'rand-type',
  'percentile',
  'file-test-mode',
  'memory-total-size',
]);
/** What prepare and cleanup have to know. */
const OF_DATA = new Set<string>([
  ...['tables', 'table-size', 'auto-inc', 'create-secondary', 'secondary', 'mysql-storage-engine', 'mysql-ssl-cipher'],
  ...['file-total-size', 'file-num', 'file-test-mode'],
]);
/** sysbench reads a signed 32-bit seed, and takes 0 for "the time of day". */
const LARGEST_SEED = 2_147_483_647;

const DEFAULTS = SysbenchOptions.parse({});

/** A link or a device among the test files would lead the writes to something that is not ours. */
const ONLY_FILES =
  'for file in test_file.*; do [ ! -L "$file" ] && { [ ! -e "$file" ] || [ -f "$file" ]; } || { echo "kneepoint: refused: $PWD/$file is not a plain file" >&2; exit 1; }; done; case $PWD/ in /dev/*|/proc/*|/sys/*) echo "kneepoint: refused: $PWD is not a place for files" >&2; exit 1 ;; esac';
/** Makes and enters the folder that holds nothing but the test files; `$1` is its path. */
const ENTER_NEW = `mkdir -p -- "$1" && cd -P -- "$1" && shift && { ${ONLY_FILES}; } && exec "$@"`;
const ENTER_FILES = `cd -P -- "$1" && shift && { ${ONLY_FILES}; } && exec "$@"`;
const ENTER = 'cd -- "$1" && shift && exec "$@"';
/** Nothing there is fine; the folder, and then its parent, go too once they are empty. */
const ENTER_AND_REMOVE =
  'folder=$1 && shift && { [ -d "$folder" ] || exit 0; } && cd -- "$folder" && "$@" && cd / && { rmdir -- "$folder" "$(dirname -- "$folder")" 2>/dev/null || :; }';

/** bulk_insert numbers its rows from 1 in every run, and insert_rows measures how a table grows: each run starts from new tables. */
const WITH_NEW_TABLES = 'for step in cleanup prepare; do "$@" "$step" || exit; done; exec "$@" run';

const inFolder = (script: string, folder: string): string[] => ['sh', '-c', script, 'sh', folder];

const written = (value: unknown): string => (typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value));

function optionArguments(input: Input, command: Command): string[] {
  const { options, connection } = input;
  return OPTION_NAMES.filter((name) => {
    if (APART.has(name) || options[name] === undefined || !applies(name, options)) return false;
    if (command !== 'run' && !OF_DATA.has(name) && !isLibraryOption(name)) return false;
    if (name.startsWith('mysql-') && connection.kind !== 'mysql') return false;
    // sysbench 1.0 can lose the default of a number that a script declares.
    return ALWAYS.has(name) || isLibraryOption(name) || options[name] !== DEFAULTS[name];
  }).map((name) => `--${name}=${written(options[name])}`);
}

/** A script can write anywhere; only the tool command asks before a disk is overwritten. What a script in a file does, nobody sees here. */
function refuseDevices(script: string): void {
  const [device] = devicesNamedIn(script);
  if (device === undefined) return;
  throw new KneepointError({
    code: 'experiment-invalid',
    message: `The script names the device ${device}, and sysbench would not ask before it is overwritten.`,
    safe: 'Nothing was started.',
    next: 'Run it with the tool command, whose options overwrites and only-reads say what is done to a device.',
  });
}

/** What sysbench is to run: the word for it, the files it needs, and arguments that only it knows. */
function scriptOf(options: SysbenchOptions): { word: string; files: Step['files']; arguments: readonly string[] } {
  const { script } = options;
  if (isLibraryScript(script)) {
    const files = LIBRARY[script].files.map((file) => ({ ...file, mode: 0o600, secret: false }));
    return { word: `@${script}.lua@`, files, arguments: [] };
  }
  if (script !== OWN_SCRIPT) return { word: script, files: [], arguments: [] };
  const text = options['script-text'].trim() === '' ? undefined : options['script-text'];
  refuseDevices(`${options['script-text']}\n${options['script-options']}`);
  const own = ownArguments(options['script-options'], text);
  if (text !== undefined && options['script-file'] === undefined)
    return {
      word: '@script.lua@',
      files: [{ name: 'script.lua', content: text, mode: 0o600, secret: false }],
      arguments: own,
    };
  if (text === undefined && options['script-file'] !== undefined)
    return { word: options['script-file'], files: [], arguments: own };
  throw new KneepointError({
    code: 'experiment-invalid',
    message: text === undefined ? 'There is no script to run.' : 'There are two scripts: one as text and one as file.',
    safe: 'Nothing was started.',
    next: 'Give either the text of the script (script-text) or its path on the generator (script-file).',
  });
}

function threads(options: SysbenchOptions, command: Command): number {
  if (command === 'run' || options.script === 'bulk_insert') return options.threads;
  if (options.script === 'fileio' || (command === 'cleanup' && !usesTables(options.script))) return 1;
  return usesTables(options.script)
    ? Math.min(tableCount(options), options['prepare-threads'])
    : options['prepare-threads'];
}

function folderOf(input: Input): string {
  const folder = input.options.directory ?? (input.connection.kind === 'host' ? input.connection.path : undefined);
  if (folder?.startsWith('/')) return filesFolder(folder, input.options);
  throw new KneepointError({
    code: 'experiment-invalid',
    message: 'The sysbench script fileio needs a folder on the host for its test files, and none is named.',
    safe: 'Nothing was started and no file was written.',
    next: 'Set the option directory to an absolute path on the disk that is to be measured.',
  });
}

function place(input: Input, command: Command): string[] {
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

/** sysbench takes whole seconds only. */
const seconds = (input: Input): number => Math.ceil(input.warmup + input.duration);

function timing(input: Input): string[] {
  const seed = Math.trunc(Math.abs(input.seed)) % LARGEST_SEED;
  return [
    '--report-interval=1',
    `--time=${seconds(input)}`,
    `--events=${eventLimit(input.options)}`,
    ...(seed > 0 ? [`--rand-seed=${seed}`] : []),
  ];
}

function step(input: Input, command: Command): Step {
  const { options, connection } = input;
  const database = usesDatabase(options.script);
  const renews = command === 'run' && fillsTables(options);
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
    // Client libraries translate their messages, and the parser knows them in English.
    env: { LC_ALL: 'C', ...(database ? connectionEnvironment(connection) : {}) },
    files: [...password.files, ...script.files],
    plannedSeconds: command === 'run' ? seconds(input) : 0,
  };
}

/** Steps of a sysbench workload. Throws `experiment-invalid` when the target or what is said of the data does not fit the script. */
export function planSysbench(input: Input): ToolPlan {
  const { options } = input;
  const run = step(input, 'run');
  const files = options.script === 'fileio';
  if (!files && !usesDatabase(options.script)) return { run };
  if (options.script === OWN_SCRIPT && !options['script-prepare']) return { run };
  ownNeed(options);
  // A sequential write creates its own files, and prepare would only write them twice.
  const creates = files && options['file-test-mode'] === 'seqwr';
  return {
    ...(creates ? {} : { prepare: step(input, 'prepare') }),
    run,
    cleanup: step(input, 'cleanup'),
  };
}
