import { settingMeasure } from '../../../../../shared/util/setting-value.ts';

/** Names accepted by `guc.c`; those of extensions contain a dot. */
export const isSettingName = (name: string): boolean =>
  /^[A-Za-z_][A-Za-z0-9_$]*(?:\.[A-Za-z_][A-Za-z0-9_$]*)*$/.test(name);

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
