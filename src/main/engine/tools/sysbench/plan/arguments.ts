import type { Phase, PlanInput } from '../../tool.ts';
import { applies, isLibraryOption, OPTION_NAMES, SysbenchOptions } from '../options/index.ts';

type Input = PlanInput<SysbenchOptions>;

/** Options that become something else than an argument of the same name. */
const APART = new Set<string>([
  ...['script', 'threads', 'prepare-threads', 'directory', 'mysql-ssl', 'mysql-ssl-directory', 'mysql-further-hosts'],
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
const DEFAULTS = SysbenchOptions.parse({});

const written = (value: unknown): string => (typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value));

/** Options that differ from sysbench's defaults, or are always told, as far as this command knows them. */
export function optionArguments(input: Input, command: Phase): string[] {
  const { options, connection } = input;
  return OPTION_NAMES.filter((name) => {
    if (APART.has(name) || options[name] === undefined || !applies(name, options)) return false;
    if (command !== 'run' && !OF_DATA.has(name) && !isLibraryOption(name)) return false;
    if (name.startsWith('mysql-') && connection.kind !== 'mysql') return false;
    // sysbench 1.0 can lose the default of a number that a script declares.
    return ALWAYS.has(name) || isLibraryOption(name) || options[name] !== DEFAULTS[name];
  }).map((name) => `--${name}=${written(options[name])}`);
}
