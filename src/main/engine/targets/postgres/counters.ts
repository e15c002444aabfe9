import { numbersFrom } from '../server-facts.ts';
import type { PostgresConnection } from './connection.ts';

/** Views of counters with one row for us; which of them exist depends on the version (wal from 14, checkpointer from 17). */
const ONE_ROW = ['pg_stat_database', 'pg_stat_bgwriter', 'pg_stat_checkpointer', 'pg_stat_wal'];
/** From version 16: a row for each kind of backend, object and context. */
const IO = 'pg_stat_io';

/** By view and column: `pg_stat_database.xact_commit`, `pg_stat_io.client backend.relation.normal.reads`. */
export async function postgresCounters(connection: PostgresConnection): Promise<Record<string, number>> {
  const known = await connection.query(
    'SELECT relname FROM pg_class WHERE relnamespace = $1::regnamespace AND relname = ANY($2::text[])',
    ['pg_catalog', [...ONE_ROW, IO]],
  );
  const present = new Set(known.rows.map(([name]) => name));
  const found: [string, unknown][] = [];
  for (const view of ONE_ROW.filter((name) => present.has(name))) {
    const own = view === 'pg_stat_database' ? ' WHERE datname = current_database()' : '';
    const { columns, rows } = await connection.query(`SELECT * FROM ${view}${own}`);
    columns.forEach((column, index) => {
      found.push([`${view}.${column}`, rows[0]?.[index]]);
    });
  }
  if (present.has(IO)) {
    const { columns, rows } = await connection.query(`SELECT backend_type, object, context, * FROM ${IO}`);
    for (const row of rows) {
      columns.forEach((column, index) => {
        if (index > 2) found.push([[IO, ...row.slice(0, 3), column].join('.'), row[index]]);
      });
    }
  }
  return numbersFrom(found);
}
