import { settingMeasure } from '../../../../../shared/util/setting-value.ts';
import { shellQuote } from '../../../../../shared/util/shell-quote.ts';
import type { VariedSetting } from '../../target.ts';
import type { PostgresConnection } from '../connection.ts';

/** Names accepted by `guc.c`; those of extensions contain a dot. */
const isSettingName = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_$]*(?:\.[A-Za-z_][A-Za-z0-9_$]*)*$/.test(name);

/** Settings that are lists of names. Each name is quoted separately, or the whole list would be one name (`variable_is_guc_list_quote`). */
const LISTS = new Set([
  'local_preload_libraries',
  'search_path',
  'session_preload_libraries',
  'shared_preload_libraries',
  'temp_tablespaces',
  'unix_socket_directories',
]);
export const isListOfNames = (name: string): boolean => LISTS.has(name.toLowerCase());

const quoted = (text: string): string =>
  text.includes('\\') ? `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'` : `'${text.replaceAll("'", "''")}'`;

const withoutQuotes = (text: string): string => text.trim().replace(/^"(.*)"$/, '$1');

/** Accepts 1G, as used by other servers, for 1GB. */
function literal(name: string, value: string): string {
  const text = value.trim();
  if (isListOfNames(name))
    return text
      .split(',')
      .map((each) => quoted(withoutQuotes(each)))
      .join(', ');
  const [, figure, unit] = /^(\d+(?:\.\d+)?)([kmgt])$/i.exec(text) ?? [];
  if (figure === undefined || unit === undefined || settingMeasure(text)?.of !== 'bytes') return quoted(text);
  return quoted(`${figure}${unit.toLowerCase() === 'k' ? 'k' : unit.toUpperCase()}B`);
}

function named(name: string): string {
  if (!isSettingName(name)) throw new TypeError(`“${name}” is not a name of a setting.`);
  return name;
}

export const alterSystem = (name: string, value: string): string =>
  `ALTER SYSTEM SET ${named(name)} = ${literal(name, value)}`;

export const resetSystem = (name: string): string => `ALTER SYSTEM RESET ${named(name)}`;

/** For PgBouncer's console. */
export const consoleSet = (name: string, value: string): string =>
  `SET ${named(name)} = '${value.replaceAll("'", "''")}'`;

/** The file in the data directory that ALTER SYSTEM writes to. */
const NAME = 'postgresql.auto.conf';

/** Settings made by ALTER SYSTEM, by lower-case name, and the path of the file, which the account may not be allowed to see. */
export interface AutoFile {
  readonly path: string | undefined;
  readonly settings: ReadonlyMap<string, string>;
}

export async function readAutoFile(connection: PostgresConnection): Promise<AutoFile> {
  const { rows } = await connection.query(
    `SELECT lower(name), setting, sourcefile FROM pg_file_settings
     WHERE sourcefile LIKE '%/' || $1 AND name IS NOT NULL ORDER BY seqno`,
    [NAME],
  );
  const place = await connection.query("SELECT setting FROM pg_settings WHERE name = 'data_directory'");
  const directory = place.rows[0]?.[0];
  return {
    path: typeof directory === 'string' ? `${directory}/${NAME}` : undefined,
    settings: new Map(rows.map(([name, setting]) => [String(name), String(setting ?? '')])),
  };
}

/** Data needed to restore a setting: the previous line, if any, and the file. */
export const undoOf = ({ path, settings }: AutoFile, name: string): VariedSetting['undo'] => {
  const before = settings.get(name.toLowerCase());
  return { ...(path !== undefined && { autoFile: path }), ...(before !== undefined && { before }) };
};

/** Edits the file of a stopped server: removes the new lines and restores the previous ones. */
export function autoFileScript(first: readonly Pick<VariedSetting, 'name' | 'undo'>[]): string | undefined {
  const things = first.filter(({ name, undo }) => undo.autoFile !== undefined && isSettingName(name));
  const path = things[0]?.undo.autoFile;
  if (path === undefined) return undefined;
  const names = things.map(({ name }) => name.replaceAll('.', '[.]')).join('|');
  const lines = things.flatMap(({ name, undo }) =>
    undo.before === undefined ? [] : [`${name} = '${undo.before.replaceAll("'", "''")}'`],
  );
  return [
    'set -e',
    `file=${shellQuote(path)}`,
    'copy=$file.kneepoint',
    // Preserve owner and mode: the copy gets them first, and then its content.
    'cp -p "$file" "$copy"',
    `{ grep -v -i -E ${shellQuote(`^[[:space:]]*(${names})[[:space:]=]`)} "$file" || [ $? -eq 1 ]; } >"$copy"`,
    ...lines.map((line) => `printf '%s\\n' ${shellQuote(line)} >>"$copy"`),
    'mv "$copy" "$file"',
    '',
  ].join('\n');
}
