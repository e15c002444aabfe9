import { setTimeout as delay } from 'node:timers/promises';
import { settingMeasure } from '../../../../../shared/util/setting-value.ts';
import { codeOf, counted, refused } from '../../failure.ts';
import type { SettingsControl, SettingsReference, SharedUse } from '../../target.ts';
import type { MySqlConnection } from '../connection.ts';
import { isRefusal } from '../failure.ts';
import { mysqlDependencies, mysqlSettingDurability } from '../settings.ts';
import { MYSQL_CHANGES, rowsOrNone, sinceVersion } from '../variables.ts';
import { changeableVariables, readVariables } from './look.ts';

const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** Formats a value for SET GLOBAL: plain numbers, sizes in bytes if the setting is numeric, quoted words. */
function literal(value: string, present: string | undefined): string {
  const text = value.trim();
  if (NUMBER.test(text)) return text;
  const measure = settingMeasure(text);
  if (measure?.of === 'bytes' && NUMBER.test(present ?? '')) return String(Math.round(measure.amount));
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

/** Variable names as the server writes them; those of components contain a dot. */
const isVariableName = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)?$/.test(name);

/** `present`: the current value of the variable. */
function setGlobal(name: string, value: string, present: string | undefined): string {
  if (!isVariableName(name)) throw new TypeError(`“${name}” is not a name of a variable.`);
  return `SET GLOBAL ${name} = ${literal(value, present)}`;
}

/** Some variables are not options, or have a different option name: the server warns about these, and starts. */
const memoryLines = (name: string, value: string): Readonly<Record<string, string>> => ({
  [`loose_${name}`]: value,
});

const SKIPPED = 'skip_log_bin';

/**
 * Formats a value for the settings file. The binary log is a variable with on or off, but an option with the name of its files: “log_bin = OFF” would
 * turn it on, with files of that name.
 */
function fileLines(name: string, value: string): Readonly<Record<string, string | undefined>> {
  if (name !== 'log_bin') return { [name]: value };
  const isOff = ['off', '0', 'false', 'no'].includes(value.toLowerCase());
  const isOn = ['on', '1', 'true', 'yes'].includes(value.toLowerCase());
  return isOff ? { log_bin: undefined, [SKIPPED]: '1' } : { log_bin: isOn ? 'binlog' : value, [SKIPPED]: undefined };
}

const RIGHTS = new Set(['ER_SPECIFIC_ACCESS_DENIED_ERROR', 'ER_ACCESS_DENIED_ERROR', 'ER_DBACCESS_DENIED_ERROR']);
const NO_RIGHTS = 'Grant the account of the target SYSTEM_VARIABLES_ADMIN or SUPER on *.*.';
/** Milliseconds per statement: some write pages or resize a log before they return. */
const SET_LIMIT = 300_000;
/** Milliseconds for a buffer pool to reach its new size, and between two checks. */
const RESIZE_LIMIT = 300_000;
const RESIZE_LOOK = 100;

async function variables(connection: MySqlConnection): Promise<Map<string, string>> {
  const rows = await connection.query('SHOW GLOBAL VARIABLES');
  return new Map(rows.map(([name, value]) => [String(name).toLowerCase(), value === null ? '' : String(value)]));
}

/** Sets each value. Returns those that the server accepted with a warning, as when it reduces one that is above another setting. */
async function setEach(
  connection: MySqlConnection,
  values: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const present = await variables(connection);
  const unverified = new Map<string, string>();
  for (const [name, value] of values) {
    try {
      await connection.query(setGlobal(name, value, present.get(name.toLowerCase())), SET_LIMIT);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      throw refused([name], error, RIGHTS.has(codeOf(error)) ? NO_RIGHTS : undefined);
    }
    const [[warnings] = []] = await connection.query('SELECT @@warning_count');
    if (Number(warnings) > 0) unverified.set(name, value);
    if (name === 'innodb_buffer_pool_size') await poolResized(connection);
  }
  return unverified;
}

/** The server responds before the pool has its new size, and keeps moving pages. */
async function poolResized(connection: MySqlConnection): Promise<void> {
  const limit = performance.now() + RESIZE_LIMIT;
  for (;;) {
    const [[, status] = []] = await connection.query(
      "SHOW GLOBAL STATUS LIKE 'Innodb\\_buffer\\_pool\\_resize\\_status'",
    );
    const words = String(status ?? '');
    if (words === '' || /^(Completed|Size did not change)|fail|abort/i.test(words)) return;
    if (performance.now() > limit) return;
    await delay(RESIZE_LOOK);
  }
}

async function set(connection: MySqlConnection, values: ReadonlyMap<string, string>): Promise<void> {
  const unverified = await setEach(connection, values);
  // A value reduced because of the order fits on the second attempt.
  if (values.size > 1) await setEach(connection, unverified);
}

/** MySQL since 8.0 and MariaDB report the source of a value; older servers do not. */
async function inMemory(connection: MySqlConnection): Promise<ReadonlyMap<string, string>> {
  const mysql = await rowsOrNone(
    connection,
    "SELECT LOWER(VARIABLE_NAME) FROM performance_schema.variables_info WHERE VARIABLE_SOURCE = 'DYNAMIC'",
  );
  const mariadb = await rowsOrNone(
    connection,
    `SELECT LOWER(VARIABLE_NAME) FROM information_schema.SYSTEM_VARIABLES
     WHERE GLOBAL_VALUE_ORIGIN = 'SQL' AND READ_ONLY = 'NO'`,
  );
  const values = await variables(connection);
  return new Map(
    [...mysql, ...mariadb].flatMap(([each]): [string, string][] => {
      const value = values.get(String(each));
      return value === undefined ? [] : [[String(each), value]];
    }),
  );
}

/** Threads of the server itself, and unauthenticated connections: one may be Kneepoint's own, in the middle of its login. */
const OWN_USERS = new Set(['system user', 'event_scheduler', 'unauthenticated user']);

async function shared(connection: MySqlConnection): Promise<SharedUse> {
  const [[account] = []] = await connection.query('SELECT USER()');
  const own = String(account).replace(/@[^@]*$/, '');
  const rows = await connection.query('SHOW PROCESSLIST');
  const threads = rows.map(([, user, host, , command]) => ({
    user: String(user),
    from: String(host).replace(/:\d+$/, ''),
    command: String(command),
  }));
  const copies = threads.filter(({ command }) => command.startsWith('Binlog Dump'));
  const clients = threads.filter(
    ({ user, command }) => user !== own && !OWN_USERS.has(user) && !/^(Binlog Dump|Daemon)/.test(command),
  );
  const source = threads.some(({ user, command }) => user === 'system user' && /^(Connect|Slave_IO)$/.test(command));
  const [[, up] = []] = await connection.query("SHOW GLOBAL STATUS LIKE 'Uptime'");
  return {
    clients: counted(clients.map(({ user, from }) => `${user} from ${from}`)),
    replicas: [
      ...counted(copies.map(({ from }) => `a replica at ${from}`)),
      ...(source ? ['it is a replica itself'] : []),
    ],
    upSeconds: up === undefined ? undefined : Number(up),
  };
}

/** Table properties that reflect a setting: engine, row format, collation and options from `information_schema`. */
interface Table {
  readonly engine: string;
  readonly format: string;
  readonly collation: string;
  readonly options: string;
}

const charsetOf = ({ collation }: Table): string => collation.split('_')[0] ?? '';

const TABLE_VALUES: Readonly<Record<string, (table: Table) => string | undefined>> = {
  innodb_default_row_format: ({ engine, format }) => (engine === 'innodb' ? format : undefined),
  default_storage_engine: ({ engine }) => engine,
  storage_engine: ({ engine }) => engine,
  collation_server: ({ collation }) => collation,
  collation_database: ({ collation }) => collation,
  character_set_server: charsetOf,
  character_set_database: charsetOf,
  default_table_encryption: ({ options }) => (/encryption=["']?y/.test(options) ? 'ON' : 'OFF'),
};

async function ofTables(
  connection: MySqlConnection,
  settings: readonly string[],
  tables: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await connection.query(
    `SELECT LOWER(TABLE_NAME), LOWER(ENGINE), LOWER(ROW_FORMAT), LOWER(TABLE_COLLATION), LOWER(CREATE_OPTIONS)
     FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()`,
  );
  const wanted = new Set(tables.map((name) => name.toLowerCase()));
  const found = rows
    .filter(([name]) => wanted.has(String(name)))
    .map(
      ([, engine, format, collation, options]): Table => ({
        ...{ engine: String(engine), format: String(format), collation: String(collation), options: String(options) },
      }),
    );
  return new Map(
    settings.map((name) => [
      name,
      [...new Set(found.flatMap((table) => TABLE_VALUES[name.toLowerCase()]?.(table) ?? []))],
    ]),
  );
}

export const mysqlControl = async (connection: MySqlConnection): Promise<SettingsControl> => ({
  look: (names) => readVariables(connection, names),
  set: (values) => set(connection, values),
  restore: (first) => set(connection, new Map(first.map(({ name, value }) => [name, value]))),
  changeable: () => changeableVariables(connection),
  inMemory: () => inMemory(connection),
  ofTables: (settings, tables) => ofTables(connection, settings, tables),
  shared: () => shared(connection),
});

/**
 * Settings of MySQL and MariaDB that a table, index or row keeps from its creation: format, place, engine, character set, encryption, compression and
 * checksum of pages, fill factor of indexes, and the words in a full-text index.
 */
const FOR_NEW_DATA = new Set([
  ...['innodb_default_row_format', 'innodb_file_per_table', 'innodb_file_format', 'innodb_large_prefix'],
  ...['innodb_fill_factor', 'innodb_checksum_algorithm', 'innodb_checksums', 'aria_page_checksum', 'aria_block_size'],
  ...['default_storage_engine', 'storage_engine', 'enforce_storage_engine', 'disabled_storage_engines'],
  ...['character_set_server', 'character_set_database', 'collation_server', 'collation_database'],
  ...['default_collation_for_utf8mb4', 'character_set_collations'],
  ...['default_table_encryption', 'innodb_encrypt_tables', 'innodb_default_encryption_key_id', 'aria_encrypt_tables'],
  ...['innodb_compression_algorithm', 'innodb_compression_default', 'innodb_compression_level'],
  ...['innodb_compression_failure_threshold_pct', 'innodb_compression_pad_pct_max', 'tokudb_row_format'],
  ...['rocksdb_default_cf_options', 'rocksdb_override_cf_options', 'sql_generate_invisible_primary_key'],
  ...['ft_min_word_len', 'ft_max_word_len', 'ft_stopword_file', 'ngram_token_size', 'innodb_ft_min_token_size'],
  ...['innodb_ft_max_token_size', 'innodb_ft_enable_stopword', 'innodb_ft_server_stopword_table'],
  ...['innodb_ft_user_stopword_table', 'explicit_defaults_for_timestamp', 'innodb_force_primary_key'],
]);

/** Series in use. If a change needs a restart in any of them, it may need one. */
const IN_USE = ['5.7.22', '8.0.12', '8.0.33'] as const;

export const MYSQL_REFERENCE: SettingsReference = {
  effectOf(name) {
    const known = IN_USE.flatMap((version) => sinceVersion(MYSQL_CHANGES, name, version) ?? []);
    if (known.length === 0) return undefined;
    if (known.includes('restart')) return 'restart';
    return known.every((change) => change === 'fixed') ? 'fixed' : 'live';
  },
  dataFolder: 'datadir',
  isForNewData: (name) => FOR_NEW_DATA.has(name.toLowerCase().replaceAll('-', '_')),
  dependsOn: mysqlDependencies,
  durability: mysqlSettingDurability,
  lines: fileLines,
  linesInMemory: memoryLines,
};
