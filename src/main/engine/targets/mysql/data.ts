import type { DataSizes } from '../../../../shared/model/target-details.ts';
import { codeOf } from '../failure.ts';
import { COUNT_LIMIT } from '../link.ts';
import { present, rowTexts, TABLES_LISTED } from '../server-facts.ts';
import type { MySqlConnection } from './connection.ts';

/** MySQL 8 answers sizes from a copy that is up to a day old, unless told not to. Others do not know the variable. */
async function wantFreshSizes(connection: MySqlConnection): Promise<void> {
  try {
    await connection.query('SET SESSION information_schema_stats_expiry = 0');
  } catch (error) {
    if (codeOf(error) !== 'ER_UNKNOWN_SYSTEM_VARIABLE') throw error;
  }
}

/** Bytes of the tables of the target's database, indexes included. */
export async function mysqlDataBytes(connection: MySqlConnection): Promise<number> {
  await wantFreshSizes(connection);
  const rows = await connection.query(
    'SELECT SUM(data_length + index_length) FROM information_schema.tables WHERE table_schema = DATABASE()',
  );
  return Number(rows[0]?.[0] ?? 0);
}

export async function mysqlSizes(connection: MySqlConnection): Promise<DataSizes> {
  await wantFreshSizes(connection);
  const databases = await connection.query(
    `SELECT table_schema, SUM(data_length + index_length) AS bytes FROM information_schema.tables
     WHERE table_type <> 'SYSTEM VIEW' GROUP BY table_schema HAVING bytes > 0 ORDER BY bytes DESC, table_schema`,
  );
  const tables = await connection.query(
    `SELECT table_name, data_length + index_length, index_length, table_rows FROM information_schema.tables
     WHERE table_schema = DATABASE() AND data_length IS NOT NULL ORDER BY 2 DESC, 1`,
  );
  return {
    databases: databases.map(([name, bytes]) => ({ name: String(name), bytes: Number(bytes) })),
    tables: tables.slice(0, TABLES_LISTED).map(([name, bytes, indexBytes, rows]) => ({
      name: String(name),
      bytes: Number(bytes),
      ...present({ indexBytes: indexBytes === null ? undefined : Number(indexBytes) }),
      ...present({ rows: rows === null ? undefined : Number(rows) }),
    })),
    tablesLeftOut: Math.max(0, tables.length - TABLES_LISTED),
  };
}

/** Undefined for a name that no table has, or can have. */
export async function countMySqlRows(connection: MySqlConnection, table: string): Promise<number | undefined> {
  const { escapeId } = await import('mysql2');
  try {
    const rows = await connection.query(`SELECT COUNT(*) FROM ${escapeId(table, true)}`, COUNT_LIMIT);
    return Number(rows[0]?.[0]);
  } catch (error) {
    if (['ER_NO_SUCH_TABLE', 'ER_WRONG_TABLE_NAME', 'ER_TOO_LONG_IDENT'].includes(codeOf(error))) return undefined;
    throw error;
  }
}

export async function firstMySqlRows(connection: MySqlConnection, table: string, most: number): Promise<string[]> {
  const { escapeId } = await import('mysql2');
  return rowTexts(await connection.query(`SELECT * FROM ${escapeId(table, true)} LIMIT ${most}`));
}
