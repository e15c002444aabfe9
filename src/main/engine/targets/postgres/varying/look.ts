import { isSameSetting, settingMeasure } from '../../../../../shared/util/setting-value.ts';
import { movesTheServer, notInList, outOfRange } from '../../failure.ts';
import type { Obstacle, VariedSetting } from '../../target.ts';
import type { PostgresConnection } from '../connection.ts';
import { type AutoFile, isListOfNames, readAutoFile, undoOf } from './statement.ts';

const PLACE = new Set([
  'port',
  'listen_addresses',
  'unix_socket_directories',
  'data_directory',
  'config_file',
  'hba_file',
  'ident_file',
  'external_pid_file',
]);

/** Sources of pg_settings that override ALTER SYSTEM. */
const STRONGER: ReadonlyMap<string, string> = new Map([
  ['command line', 'on the server’s command line'],
  ['environment variable', 'by an environment variable of the server'],
  ['database', 'for the database (ALTER DATABASE … SET)'],
  ['user', 'for the account (ALTER ROLE … SET)'],
  ['database user', 'for the account in this database (ALTER ROLE … IN DATABASE … SET)'],
  ['global', 'for all accounts (ALTER ROLE ALL SET)'],
]);

/** A row of pg_settings. */
interface Known {
  readonly name: string;
  readonly value: string;
  readonly unit: string | undefined;
  readonly context: string;
  readonly source: string;
  readonly type: string;
  readonly least: string | undefined;
  readonly most: string | undefined;
  readonly list: readonly string[];
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** `current_setting` shows a value with its unit. */
async function known(connection: PostgresConnection, names?: readonly string[]): Promise<Known[]> {
  const { rows } = await connection.query(
    `SELECT name, current_setting(name), unit, context, source, vartype, min_val, max_val, array_to_json(enumvals)::text
     FROM pg_settings ${names ? 'WHERE lower(name) = ANY($1::text[])' : ''}`,
    names && [names.map((name) => name.toLowerCase())],
  );
  return rows.map(([name, value, unit, context, source, type, least, most, list]) => ({
    name: String(name),
    value: String(value ?? ''),
    unit: text(unit),
    context: String(context),
    source: String(source),
    type: String(type),
    least: text(least),
    most: text(most),
    list: typeof list === 'string' ? (JSON.parse(list) as string[]) : [],
  }));
}

const WORDS_OF_BOOL = /^(?:on|off|true|false|yes|no|[01])$/i;

function against({ name, unit, type, least, most, list }: Known, value: string): Obstacle | undefined {
  if (isListOfNames(name) && value.trim() === '')
    return { message: `“${name}” cannot be emptied by a statement.`, next: 'Name at least one entry.' };
  if (type === 'enum' && !list.includes(value.toLowerCase()) && !WORDS_OF_BOOL.test(value))
    return notInList(name, value, list);
  if (type === 'bool' && !WORDS_OF_BOOL.test(value)) return notInList(name, value, ['on', 'off']);
  if (type !== 'integer' && type !== 'real') return undefined;
  const measure = settingMeasure(value);
  if (!measure)
    return { message: `“${name}” cannot be “${value}”: the server accepts a number.`, next: 'Choose a number.' };
  if (unit !== undefined && measure.of === 'count' && measure.amount > 0)
    return {
      message: `“${name}” is measured in ${unit}, but “${value}” has no unit and would be misread.`,
      next: `Write the unit: ${settingMeasure(unit)?.of === 'bytes' || /B$/.test(unit) ? '64MB' : '5min'}, for example.`,
    };
  const amount = measure.amount / (measure.of === 'count' ? 1 : amountOf(unit));
  if (least === undefined || most === undefined) return undefined;
  return amount < Number(least) || amount > Number(most) ? outOfRange(name, value, least, most, unit) : undefined;
}

/** “8kB” is 8192 bytes, “ms” one millisecond. */
const amountOf = (unit = ''): number => settingMeasure(/^\d/.test(unit) ? unit : `1${unit}`)?.amount ?? 1;

/** Rights of the account; a superuser has all. */
interface Rights {
  readonly reload: boolean;
  readonly readFiles: boolean;
  may(name: string): boolean;
}

async function rightsOf(connection: PostgresConnection, names: readonly string[]): Promise<Rights> {
  const { rows } = await connection.query(
    `SELECT rolsuper, has_function_privilege('pg_catalog.pg_reload_conf()', 'EXECUTE'),
       has_table_privilege('pg_catalog.pg_file_settings', 'SELECT')
         AND has_function_privilege('pg_catalog.pg_show_all_file_settings()', 'EXECUTE'),
       current_setting('server_version_num')::int >= 150000
     FROM pg_roles WHERE rolname = current_user`,
  );
  const [isSuper, reload, readFiles, byName] = rows[0] ?? [];
  if (isSuper === true) return { reload: true, readFiles: true, may: () => true };
  const granted =
    byName === true
      ? await connection.query(
          "SELECT name FROM unnest($1::text[]) AS name WHERE has_parameter_privilege(name, 'ALTER SYSTEM')",
          [names],
        )
      : { rows: [] };
  const allowed = new Set(granted.rows.map(([name]) => String(name)));
  return { reload: reload === true, readFiles: readFiles === true, may: (name) => allowed.has(name) };
}

function obstacle({ name, source }: Known, rights: Rights): Obstacle | undefined {
  if (PLACE.has(name)) return movesTheServer(name);
  const stronger = STRONGER.get(source);
  if (stronger !== undefined)
    return {
      message: `“${name}” is set ${stronger}, which overrides ALTER SYSTEM.`,
      next: 'Remove it there, or set the values there by hand.',
    };
  if (!rights.may(name))
    return {
      message: `The account of the target has no permission to change “${name}”.`,
      next: `Use a superuser, or grant the account ALTER SYSTEM ON PARAMETER ${name} (PostgreSQL 15 and later).`,
    };
  if (!rights.readFiles || !rights.reload)
    return {
      message:
        'The account of the target has no permission to read the server’s settings files or reload them, so a change could not be undone.',
      next: 'Grant it SELECT ON pg_file_settings, and EXECUTE ON FUNCTION pg_show_all_file_settings() and pg_reload_conf().',
    };
  return undefined;
}

const EMPTY: AutoFile = { path: undefined, settings: new Map() };

export async function readSettings(
  connection: PostgresConnection,
  names: readonly string[],
): Promise<readonly (VariedSetting | undefined)[]> {
  const found = new Map((await known(connection, names)).map((setting) => [setting.name.toLowerCase(), setting]));
  const rights = await rightsOf(connection, names);
  const auto = rights.readFiles ? await readAutoFile(connection) : EMPTY;
  return names.map((wanted): VariedSetting | undefined => {
    const setting = found.get(wanted.toLowerCase());
    return setting && varied(setting, rights, auto);
  });
}

/** Other values changed by a reload come from a manually edited file, which Kneepoint must not restore. */
export async function settingsOfFiles(connection: PostgresConnection): Promise<readonly VariedSetting[]> {
  const none: Rights = { reload: true, readFiles: true, may: () => true };
  return (await known(connection))
    .filter(({ context }) => context !== 'internal' && context !== 'postmaster')
    .map((setting) => ({
      ...varied(setting, none, EMPTY),
      obstacle: {
        message: 'it was edited in a settings file, which the server has since reloaded',
        next: 'Measure again if the new value is intended; otherwise remove it from the file.',
      },
    }));
}

/** The file's value in the server's notation: a plain number has the setting's unit. */
function inFile({ name, unit }: Known, auto: AutoFile): string | undefined {
  const text = auto.settings.get(name.toLowerCase());
  if (text === undefined || unit === undefined || settingMeasure(text)?.of !== 'count') return text;
  return /^\d/.test(unit) ? `${Number(text) * amountOf(unit)}B` : `${text}${unit}`;
}

/** Some enums have “on” as an alias for one of their values: the server shows wal_compression = on as pglz. */
const isShownAs = ({ type, value }: Known, written: string): boolean =>
  isSameSetting(written, value) || (type === 'enum' && isSameSetting(written, 'on') && !isSameSetting(value, 'off'));

function varied(setting: Known, rights: Rights, auto: AutoFile): VariedSetting {
  const { name, value, context } = setting;
  const written = inFile(setting, auto);
  return {
    name,
    value,
    pending: written === undefined || isShownAs(setting, written) ? undefined : written,
    effect: context === 'internal' ? 'fixed' : context === 'postmaster' ? 'restart' : 'reload',
    keptIn: 'server',
    obstacle: obstacle(setting, rights),
    undo: undoOf(auto, name),
    against: (wanted) => against(setting, wanted),
  };
}
