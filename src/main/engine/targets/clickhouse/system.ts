import type { MySqlConnection } from '../mysql/connection.ts';
import { CODES, clickhouseCode } from './failure.ts';

/** What a system table has in a column; undefined where the version has no such column, or the value is NULL. */
type Told = string | undefined;

/** Columns that a system table has in the server's version; none where the table is missing or closed to the account. */
export async function systemColumns(connection: MySqlConnection, table: string): Promise<ReadonlySet<string>> {
  const rows = await connection.query(
    `SELECT name FROM system.columns WHERE database = 'system' AND table = '${table}'`,
  );
  return new Set(rows.map(([name]) => String(name)));
}

/**
 * Rows of a system table by the wanted columns, whichever of them the server's version has. None where it has no such table or the account
 * may not read it. `rest`: what follows the name of the table; `also`: expressions that every version knows, after the columns.
 */
export async function systemRows(
  connection: MySqlConnection,
  table: string,
  wanted: readonly string[],
  rest = '',
  also: readonly string[] = [],
): Promise<Told[][]> {
  try {
    const names = await systemColumns(connection, table);
    const there = wanted.filter((name) => names.has(name));
    if (there.length === 0) return [];
    const columns = [...there.map((name) => `\`${name}\``), ...also].join(', ');
    const rows = await connection.query(`SELECT ${columns} FROM system.${table} ${rest}`);
    return rows.map((row) => [
      ...wanted.map((name) => told(row[there.indexOf(name)])),
      ...also.map((_expression, at) => told(row[there.length + at])),
    ]);
  } catch (error) {
    const code = clickhouseCode(error);
    if (code === CODES.unknownTable || code === CODES.accessDenied) return [];
    throw error;
  }
}

const told = (value: unknown): Told => (value === undefined || value === null ? undefined : String(value));
