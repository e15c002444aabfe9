import { reporting, storedSize } from '../stored.ts';
import type { Stored, StoredPlace } from '../target.ts';
import type { PostgresConnection } from './connection.ts';
import { isRefusal } from './failure.ts';
import { postgresTable } from './monitoring/sample.ts';

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
