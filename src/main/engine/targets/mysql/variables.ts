import { z } from 'zod';
import { type ServerSetting, SettingChange, type SettingValues } from '../../../../shared/model/target-details.ts';
import { codeOf } from '../failure.ts';
import { type AboutSetting, bySettingName, settingOf } from '../server-facts.ts';
import type { MySqlConnection, Row } from './connection.ts';
import { isPlainMySql, mysqlFlavour } from './settings.ts';
import tables from './variables.json' with { type: 'json' };

const text = (value: unknown): string | undefined =>
  value === null || value === undefined || value === '' ? undefined : String(value);

/** All global variables, with the properties that this server reports. */
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
 * MySQL reports the source since 8.0. A compiled-in value is the default. Other defaults come from the table for its version, but those of a server
 * derived from MySQL (`plain` is false) may differ.
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
  const properties = new Map(rows.map(([name, ...about]) => [String(name), about.map(String)]));
  return new Map(
    [...values].map(([name, value]) => {
      const [source, least, most] = properties.get(name) ?? [];
      const known = plain ? inVersion(MYSQL_DEFAULTS, name, version) : undefined;
      const standard = source === 'compiled' ? value : known;
      // 0 for both means no limits.
      const takes = most === '0' ? undefined : takenValues(least, most);
      return [name, { default: standard, source, change: sinceVersion(MYSQL_CHANGES, name, version), takes }];
    }),
  );
}

/** Older servers (MySQL 5, MariaDB 10.0) lack the table, or the account may not read it: no properties are reported then. */
const UNAVAILABLE = [
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
    if (UNAVAILABLE.includes(codeOf(error))) return [];
    throw error;
  }
}

/** Versions of MySQL whose variables were checked, oldest first. */
const LOOKED_AT = ['5.6.24', '5.7.22', '8.0.12', '8.0.33'] as const;
type Version = (typeof LOOKED_AT)[number];

/** A fact about variables by version: that of the newest version with the variable, and differences in older ones (undefined: unknown there). */
interface ByVersion<Fact> {
  newest: ReadonlyMap<string, Fact | undefined>;
  older: Readonly<Record<Version, ReadonlyMap<string, Fact | undefined>>>;
}

/** Facts in the format of `variables.json`: null if unknown for a version. Throws for a table of a different shape. */
function byVersion<Fact>(fact: z.ZodType<Fact>, table: unknown): ByVersion<Fact> {
  const layer = z
    .record(z.string(), fact.nullable())
    .transform((facts) => new Map(Object.entries(facts).map(([name, known]) => [name, known ?? undefined] as const)));
  return z.strictObject({ newest: layer, older: z.record(z.enum(LOOKED_AT), layer) }).parse(table);
}

const numbersOf = (version: string): number[] => version.split(/[.-]/, 3).map((part) => Number.parseInt(part, 10) || 0);
const seriesOf = (version: string): string => numbersOf(version).slice(0, 2).join('.');

function compare(a: string, b: string): number {
  const [left, right] = [numbersOf(a), numbersOf(b)];
  return left.map((part, index) => part - (right[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

function at<Fact>({ newest, older }: ByVersion<Fact>, name: string, version: Version): Fact | undefined {
  const layers = [...LOOKED_AT.slice(LOOKED_AT.indexOf(version)).map((each) => older[each]), newest];
  return layers.find((layer) => layer.has(name))?.get(name);
}

/**
 * The fact in a version of MySQL, e.g. "8.0.36-28": that of the checked versions of its series (8.0) just below and just above, if they agree.
 * Undefined for a series that was not checked.
 */
export function inVersion<Fact>(facts: ByVersion<Fact>, name: string, version: string): Fact | undefined {
  const series = LOOKED_AT.filter((each) => seriesOf(each) === seriesOf(version));
  const below = series.findLast((each) => compare(each, version) <= 0);
  const above = series.find((each) => compare(each, version) >= 0);
  const found = [below, above].flatMap((each) => (each === undefined ? [] : [at(facts, name, each)]));
  return found.every((fact) => fact === found[0]) ? found[0] : undefined;
}

/** Like `inVersion`, but versions after all checked series use the facts of the newest. */
export function sinceVersion<Fact>(facts: ByVersion<Fact>, name: string, version: string): Fact | undefined {
  const last = LOOKED_AT[LOOKED_AT.length - 1] as Version;
  return inVersion(facts, name, compare(version, last) > 0 ? last : version);
}

/**
 * Built-in values of MySQL's variables, since MySQL reports one only while it is in effect (8.0 and later): the values that servers of these versions
 * print with --help and have when nothing is set. Omitted: paths, values that depend on the machine or on other settings, and values with blanks.
 * Undefined if the version derives it from other settings or from the machine.
 */
export const MYSQL_DEFAULTS: ByVersion<string> = byVersion(z.string(), tables.defaults);

/**
 * How variables of MySQL can be changed, since MySQL does not report it (MariaDB does): from the responses of servers of these versions when setting
 * each one (error 1238 if no statement can change it). `fixed`: not a server option either, but built in or part of its state.
 */
export const MYSQL_CHANGES: ByVersion<SettingChange> = byVersion(SettingChange, tables.changes);
