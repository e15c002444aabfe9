import { KneepointError } from '../../../../../shared/model/problem.ts';
import { type Formula, formulaOf } from './formula.ts';
import { hyphened } from './library.ts';
import { readLua } from './lua-script.ts';

/** Options of sysbench that Kneepoint sets itself, or that are separate options. */
const KEPT =
  /^(threads|num-threads|time|max-time|events|max-requests|rate|tx-rate|report-interval|report-checkpoints|percentile|histogram|config-file|db-driver|db-ps-mode|verbosity|rand-(type|seed|spec-.*|pareto-h|zipfian-exp)|forced-shutdown|thread-init-timeout|validate|help|version|luajit-.*|mysql-(?!storage-engine$).*|pgsql-(?!variant$).*)$/;
const SECRET = /passw|secret|token|credential/i;
const PAIR = /\s*([A-Za-z][\w-]*)=("[^"]*"|[^\s"]*)(?=\s|$)/y;
/** Options declared by `oltp_common.lua`. */
const OLTP_COMMON = [
  ...['tables', 'table-size', 'range-size', 'auto-inc', 'secondary', 'create-secondary', 'skip-trx', 'reconnect'],
  ...['point-selects', 'simple-ranges', 'sum-ranges', 'order-ranges', 'distinct-ranges', 'range-selects'],
  ...['index-updates', 'non-index-updates', 'delete-inserts', 'mysql-storage-engine', 'pgsql-variant'],
];

/** Parses `name=value` pairs separated by blanks or line ends; a value with blanks is in double quotes. Undefined for other text. */
function pairsOf(text: string): [name: string, value: string][] | undefined {
  const pairs: [string, string][] = [];
  let at = 0;
  while (text.slice(at).trim() !== '') {
    PAIR.lastIndex = at;
    const [, name = '', value] = PAIR.exec(text) ?? [];
    if (value === undefined) return undefined;
    pairs.push([hyphened(name), value.startsWith('"') ? value.slice(1, -1) : value]);
    at = PAIR.lastIndex;
  }
  return pairs;
}

/** Why options of an own script are refused. Undefined if they are valid. */
export function ownOptionsProblem(text: string): string | undefined {
  const pairs = pairsOf(text);
  if (!pairs) return 'Write name=value, separated by spaces or newlines, with double quotes around values with spaces.';
  for (const [name] of pairs) {
    if (KEPT.test(name))
      return `“${name}” is an option of sysbench itself: remove it, and use the option of Kneepoint.`;
    if (SECRET.test(name)) return `“${name}” looks like a secret, and other users of the host can see these options.`;
  }
  return undefined;
}

/**
 * Arguments of an own script. If its text is known, so are its declared options: an unknown name is refused with a list of them, and every default is
 * written out (sysbench 1.0 can lose a number’s default before it is read). If the text cannot be parsed (`unreadProblem`), the given options are
 * used unchanged.
 */
export const ownArguments = (given: string, script: string | undefined): string[] =>
  [...ownValues(given, script)].map(([name, value]) => `--${name}=${value}`);

/** The arguments as values by name, with hyphens. */
export function ownValues(given: string, script: string | undefined): Map<string, string> {
  const values = new Map(pairsOf(given) ?? []);
  if (script === undefined) return values;
  const lua = readLua(script);
  if ('problem' in lua) return values;
  const declared = lua.options.map((entry) => ({ ...entry, name: hyphened(entry.name) }));
  const names = [...declared.map(({ name }) => name), ...(lua.usesOltpCommon ? OLTP_COMMON : [])];
  for (const name of values.keys())
    if (!names.includes(name) && !lua.reads(name.replaceAll('-', '_'))) throw unknownOption(name, declared);
  for (const { name, default: preset } of declared)
    if (!values.has(name) && preset !== undefined && preset !== '') values.set(name, written(preset));
  return values;
}

/** Why the text of an own script cannot be parsed as Lua. Undefined if it can. */
export function unreadProblem(text: string): string | undefined {
  const lua = readLua(text);
  return 'problem' in lua ? lua.problem : undefined;
}

const written = (value: string | number | boolean): string =>
  typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value);

function unknownOption(name: string, declared: readonly { name: string; default: unknown }[]): KneepointError {
  const known = declared.map((entry) => (entry.default === undefined ? entry.name : `${entry.name}=${entry.default}`));
  return new KneepointError({
    code: 'experiment-invalid',
    message: `The script has no option “${name}”: ${known.length > 0 ? `it declares ${known.join(', ')}` : 'it declares none in sysbench.cmdline.options, and reads no global of that name'}.`,
    safe: 'Nothing was started.',
    next: 'Remove it from the option “script-options”, or declare it in the script.',
  });
}

/** `NAME = FORMULA`, or `NAME >= FORMULA` if trials add rows. `NAME{tables}` is this number of tables, numbered from 1. */
const LINE = /^([A-Za-z_]\w*)(?:\{([^{}]+)\}(\w*))?\s*(>?=)\s*(.+)$/;
const HOW =
  'Write NAME = FORMULA in each line, with numbers, options of the script, + - * / ( ), floor and ceil; NAME >= FORMULA if trials add rows, and NAME{FORMULA} for tables that are numbered from 1.';

/** One line: a table, or several numbered ones. */
interface OwnTables {
  begin: string;
  /** Number of numbered tables. Undefined: a single one with this name. */
  count?: Formula;
  end: string;
  /** Trials add rows. */
  adds: boolean;
  rows: Formula;
}

/** Parses a list of tables, one per line. Undefined if any line does not match `HOW`. */
export function ownTables(text: string): OwnTables[] | undefined {
  const lines: OwnTables[] = [];
  for (const line of text.split(/\r?\n/).filter((each) => each.trim() !== '')) {
    const [, begin = '', counted, end = '', sign, formula = ''] = LINE.exec(line.trim()) ?? [];
    const rows = formulaOf(formula);
    const count = counted === undefined ? undefined : formulaOf(counted);
    if (!rows || (counted !== undefined && !count)) return undefined;
    lines.push({ begin, end, adds: sign === '>=', rows, ...(count && { count }) });
  }
  return lines;
}

/** Why a list of tables is invalid. Undefined if it is valid. */
export const ownTablesProblem = (text: string): string | undefined => (ownTables(text) ? undefined : HOW);
