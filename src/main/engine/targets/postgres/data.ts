import type { Durability, TargetDescription } from '../../../../shared/model/target.ts';
import type { DataSizes } from '../../../../shared/model/target-details.ts';
import { storedIn } from '../durability.ts';
import { codeOf } from '../failure.ts';
import { COUNT_LIMIT } from '../link.ts';
import { rowTexts, TABLES_LISTED } from '../server-facts.ts';
import { reporting, storedSize } from '../stored.ts';
import type { Stored, StoredPlace } from '../target.ts';
import type { PostgresConnection } from './connection.ts';
import { isRefusal } from './failure.ts';
import { postgresTable } from './monitoring/sample.ts';

export async function postgresSizes(connection: PostgresConnection): Promise<DataSizes> {
  // The size of a database is reported only with the right to connect to it; otherwise the query fails.
  const databases = await connection.query(
    `SELECT datname, pg_database_size(oid) FROM pg_database
     WHERE has_database_privilege(oid, 'CONNECT') ORDER BY 2 DESC, 1`,
  );
  const tables = await connection.query(
    `SELECT CASE n.nspname WHEN 'public' THEN c.relname ELSE n.nspname || '.' || c.relname END,
       pg_total_relation_size(c.oid), pg_indexes_size(c.oid), c.reltuples
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'm', 'p') AND n.nspname NOT IN ('pg_catalog', 'information_schema')
     ORDER BY 2 DESC, 1`,
  );
  return {
    databases: databases.rows.map(([name, bytes]) => ({ name: String(name), bytes: Number(bytes) })),
    tables: tables.rows.slice(0, TABLES_LISTED).map(([name, bytes, indexBytes, rows]) => ({
      name: String(name),
      bytes: Number(bytes),
      indexBytes: Number(indexBytes),
      // Before the first vacuum or analyze there is no estimate: -1, and 0 up to version 13.
      ...(Number(rows) > 0 ? { rows: Number(rows) } : {}),
    })),
    tablesLeftOut: Math.max(0, tables.rows.length - TABLES_LISTED),
  };
}

export async function countPostgresRows(connection: PostgresConnection, table: string): Promise<number | undefined> {
  try {
    const { rows } = await connection.query(`SELECT count(*) FROM "${table.replaceAll('"', '""')}"`, [], COUNT_LIMIT);
    return Number(rows[0]?.[0]);
  } catch (error) {
    if (codeOf(error) === '42P01') return undefined;
    throw error;
  }
}

export async function firstPostgresRows(
  connection: PostgresConnection,
  table: string,
  most: number,
): Promise<string[]> {
  // Names of tables in other schemas begin with the schema.
  const name = table
    .split('.')
    .map((part) => `"${part.replaceAll('"', '""')}"`)
    .join('.');
  return rowTexts((await connection.query(`SELECT * FROM ${name} LIMIT ${most}`)).rows);
}

const UNLOGGED: Durability = {
  level: 'unsafe',
  why: 'Unlogged tables have no log: they are emptied when the server starts after a power cut.',
  settings: [{ name: 'tables', value: 'unlogged', level: 'unsafe' }],
};

/** Logged tables of the target's database, as durable as its settings, and unlogged ones. */
export async function postgresStorage(
  connection: PostgresConnection,
  durability: Durability,
): Promise<NonNullable<TargetDescription['storage']>> {
  const { rows } = await connection.query(
    `SELECT c.relpersistence, CASE n.nspname WHEN 'public' THEN c.relname ELSE n.nspname || '.' || c.relname END
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind = 'r' AND c.relpersistence IN ('p', 'u') AND n.nspname NOT IN ('pg_catalog', 'information_schema')
     ORDER BY 2`,
  );
  const kept = (persistence: string): string[] =>
    rows.flatMap(([of, name]) => (of === persistence ? [String(name)] : []));
  return [storedIn('permanent', kept('p'), durability), storedIn('unlogged', kept('u'), UNLOGGED)];
}

/**
 * Rows by the server's counters. They count rows twice that were inserted right before an ANALYZE on the same connection, and restart at 0 after a
 * crash. If they far exceed what density and length of the table allow, or are zero, the planner’s estimate is used.
 */
const ROWS = `SELECT sum(CASE WHEN reltuples > 0 AND (n_live_tup > 1.2 * planned OR n_live_tup + n_tup_del = 0) THEN planned ELSE n_live_tup END)::bigint
  FROM (SELECT n_live_tup, n_tup_del, reltuples,
      reltuples * (pg_relation_size(c.oid)::float8 / current_setting('block_size')::int) / greatest(relpages, 1) AS planned
    FROM pg_stat_user_tables JOIN pg_class c ON c.oid = relid) AS tables`;

/** Size of the target's database, its rows as counted by the server, and the write-ahead log of the whole server. */
export async function postgresStored(connection: PostgresConnection): Promise<Stored> {
  const ask = reporting((statement) => postgresTable(connection, statement), isRefusal);
  const database = await ask(
    'SELECT pg_database_size(oid), oid::text FROM pg_database WHERE datname = current_database()',
  );
  const rows = await ask(ROWS);
  const log = await ask('SELECT sum(size) FROM pg_ls_waldir()');
  const folder = await ask("SELECT current_setting('data_directory')");
  const others = await ask(
    "SELECT pg_tablespace_location(oid) FROM pg_tablespace WHERE spcname NOT IN ('pg_default', 'pg_global')",
  );
  const text = (of: typeof folder, column = 0): string => (typeof of === 'string' ? '' : String(of[0]?.[column] ?? ''));
  return {
    sizes: [
      storedSize('data', 'pg_database_size', database),
      storedSize('rows', 'pg_stat_user_tables', rows),
      storedSize('log', 'pg_ls_waldir', log),
    ],
    places: placesOf(
      text(folder),
      text(database, 1),
      typeof others === 'string' ? [] : others.map(([at]) => String(at)),
    ),
  };
}

function placesOf(folder: string, database: string, others: readonly string[]): StoredPlace[] {
  if (!folder.startsWith('/') || !/^\d+$/.test(database)) return [];
  return [
    { what: 'data', folder: `${folder}/base/${database}` },
    ...others
      .filter((other) => other.startsWith('/'))
      .map((other) => ({ what: 'data', folder: other, path: `*/${database}/*` }) as const),
    { what: 'log', folder: `${folder}/pg_wal` },
  ];
}
