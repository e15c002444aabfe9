import type { ReadyCapture } from '../../../../shared/model/capture.ts';

/** Columns of pg_stat_statements have different names by version; the first existing one is used. */
const either = (...names: readonly string[]): string =>
  `round(coalesce(${names.map((name) => `to_jsonb(s)->>'${name}'`).join(', ')}, '0')::numeric, 3)`;

/** Text and tables of PostgreSQL 9.6 and later worth capturing in a run. */
export const POSTGRES_CAPTURES: readonly ReadyCapture[] = [
  {
    description: 'Calls, time, rows and blocks of each kind of statement. Needs the extension pg_stat_statements.',
    capture: {
      name: 'pg_stat_statements',
      statement: `SELECT query, ${either('total_exec_time', 'total_time')} AS time_ms, calls, rows,
  shared_blks_hit, shared_blks_read, shared_blks_dirtied, shared_blks_written, temp_blks_written,
  ${either('wal_bytes')} AS wal_bytes
FROM pg_stat_statements s`,
      as: 'difference',
      key: ['query'],
    },
  },
  {
    description: 'Each connection with its statement, wait event and blockers.',
    capture: {
      name: 'pg_stat_activity',
      statement: `SELECT pid, usename, application_name, state, wait_event_type, wait_event, pg_blocking_pids(pid)::text AS blocked_by,
  (now() - xact_start)::text AS transaction, (now() - query_start)::text AS since, query
FROM pg_stat_activity WHERE pid <> pg_backend_pid() ORDER BY xact_start NULLS LAST`,
      as: 'table',
      at: ['stall'],
    },
  },
  {
    description: 'Lock requests that are waiting.',
    capture: {
      name: 'locks waited for',
      statement: `SELECT w.pid, w.locktype, w.mode, w.relation::regclass::text AS relation, pg_blocking_pids(w.pid)::text AS blocked_by
FROM pg_locks w WHERE NOT w.granted`,
      as: 'table',
      at: ['stall'],
    },
  },
  {
    description: 'Reads, writes and vacuums of each table from start to end.',
    capture: {
      name: 'tables',
      statement: `SELECT schemaname || '.' || relname AS relation, seq_tup_read, idx_tup_fetch, n_tup_ins, n_tup_upd, n_tup_hot_upd, n_tup_del,
  autovacuum_count, autoanalyze_count
FROM pg_stat_user_tables`,
      as: 'difference',
      key: ['relation'],
    },
  },
];
