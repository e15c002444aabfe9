import type { ServerSetting, SettingChange, SettingValues } from '../../../../shared/model/target-details.ts';
import { codeOf } from '../failure.ts';
import { type AboutSetting, bySettingName, settingOf } from '../server-facts.ts';
import type { MySqlConnection, Row } from './connection.ts';
import { isPlainMySql, mysqlFlavour } from './settings.ts';
import { inVersion, MYSQL_CHANGES, MYSQL_DEFAULTS, sinceVersion } from './variable-tables.ts';

const text = (value: unknown): string | undefined =>
  value === null || value === undefined || value === '' ? undefined : String(value);

/** Every global variable with what this server tells of it. */
export async function mysqlVariables(connection: MySqlConnection): Promise<ServerSetting[]> {
  const rows = await connection.query('SHOW GLOBAL VARIABLES');
  const values = new Map(rows.map(([name, value]) => [String(name), value === null ? '' : String(value)]));
  const [version, comment] = [values.get('version') ?? '', values.get('version_comment') ?? ''];
  const about =
    mysqlFlavour(version, comment) === 'MariaDB'
      ? await aboutMariaDb(connection)
      : await aboutMySql(connection, values, isPlainMySql(version, comment));
  return [...values].map(([name, value]) => settingOf(name, value, about.get(name) ?? {})).sort(bySettingName);
}

type About = ReadonlyMap<string, AboutSetting>;

async function aboutMariaDb(connection: MySqlConnection): Promise<About> {
  const rows = await rowsOrNone(
    connection,
    `SELECT LOWER(VARIABLE_NAME), DEFAULT_VALUE, GLOBAL_VALUE_ORIGIN, READ_ONLY, COMMAND_LINE_ARGUMENT,
       NUMERIC_MIN_VALUE, NUMERIC_MAX_VALUE, CASE VARIABLE_TYPE WHEN 'ENUM' THEN ENUM_VALUE_LIST END
     FROM information_schema.SYSTEM_VARIABLES`,
  );
  return new Map(
    rows.map(([name, standard, origin, readOnly, argument, least, most, list]: Row) => {
      const change: SettingChange = readOnly !== 'YES' ? 'dynamic' : argument === null ? 'fixed' : 'restart';
      const takes = takenValues(text(least), text(most), text(list));
      return [String(name), { default: text(standard), source: text(origin)?.toLowerCase(), change, takes }];
    }),
  );
}

function takenValues(least?: string, most?: string, list?: string): SettingValues | undefined {
  if (list !== undefined) return { list: list.split(',').map((each) => each.trim()) };
  return least === undefined || most === undefined ? undefined : { least, most };
}

/**
 * MySQL tells the source from 8.0 on. A value that it was built with is the default. Others are as its version has them; those of
 * a server that was made from MySQL (`plain` is false) may differ.
 */
async function aboutMySql(
  connection: MySqlConnection,
  values: ReadonlyMap<string, string>,
  plain: boolean,
): Promise<About> {
  const rows = await rowsOrNone(
    connection,
    'SELECT VARIABLE_NAME, LOWER(VARIABLE_SOURCE), MIN_VALUE, MAX_VALUE FROM performance_schema.variables_info',
  );
  const version = values.get('version') ?? '';
  const told = new Map(rows.map(([name, ...about]) => [String(name), about.map(String)]));
  return new Map(
    [...values].map(([name, value]) => {
      const [source, least, most] = told.get(name) ?? [];
      const known = plain ? inVersion(MYSQL_DEFAULTS, name, version) : undefined;
      const standard = source === 'compiled' ? value : known;
      // It tells 0 for both where there are no limits.
      const takes = most === '0' ? undefined : takenValues(least, most);
      return [name, { default: standard, source, change: sinceVersion(MYSQL_CHANGES, name, version), takes }];
    }),
  );
}

/** Older servers (MySQL 5, MariaDB 10.0) have no such table, and an account may not be allowed to read it: then nothing is told. */
const UNTOLD = [
  'ER_NO_SUCH_TABLE',
  'ER_UNKNOWN_TABLE',
  'ER_BAD_DB_ERROR',
  'ER_TABLEACCESS_DENIED_ERROR',
  'ER_DBACCESS_DENIED_ERROR',
];

export async function rowsOrNone(connection: MySqlConnection, sql: string): Promise<Row[]> {
  try {
    return await connection.query(sql);
  } catch (error) {
    if (UNTOLD.includes(codeOf(error))) return [];
    throw error;
  }
}
