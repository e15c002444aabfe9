import type { SeriesRule } from '../../../../../shared/model/monitored.ts';
import { gauge, gauges, MIB, rate, rates } from '../../sampling.ts';

const ofDatabase = (...columns: string[]): string[] => columns.map((column) => `pg_stat_database.${column}`);

const WORK: readonly SeriesRule[] = [
  rate('transactions', 'statements', 'Transactions', ofDatabase('xact_commit', 'xact_rollback'), {
    main: true,
    means: 'transactions',
    // One for a whole sample, or one for each of its parts.
    own: { direct: 1, onHost: 12 },
  }),
  rate('rollbacks', 'statements', 'Rolled back', ofDatabase('xact_rollback')),
  rate('rows.read', 'statements', 'Rows read', ofDatabase('tup_returned'), {
    main: true,
    means: 'rows-read',
  }),
  rate('rows.written', 'statements', 'Rows written', ofDatabase('tup_inserted', 'tup_updated', 'tup_deleted'), {
    main: true,
    means: 'rows-written',
  }),
  ...['inserted', 'updated', 'deleted'].map((what) =>
    rate(`rows.${what}`, 'statements', `Rows ${what}`, ofDatabase(`tup_${what}`), { stack: 'rows' }),
  ),
];

const SESSIONS: readonly SeriesRule[] = [
  gauge('connections', 'connections', 'Connections', ['backends.client backend', 'backends.not told'], {
    main: true,
    means: 'connections',
    limit: { of: 'setting.max_connections', words: 'max_connections' },
  }),
  rate('connections.made', 'connections', 'Connections made', ofDatabase('sessions'), {
    digits: 1,
    means: 'connects',
  }),
  gauge('running', 'connections', 'Running sessions', ['sessions.active'], { main: true, means: 'running' }),
  ...['active', 'idle', 'idle in transaction', 'idle in transaction (aborted)'].map((state) =>
    gauge(`sessions.${state}`, 'connections', `Sessions: ${state}`, [`sessions.${state}`], { stack: 'sessions' }),
  ),
  gauge('backends.*', 'connections', 'Backends: *', ['backends.*']),
  gauge('encryption.*', 'connections', 'Connections by encryption: *', ['encryption.*']),
  gauge('transactions.oldest_seconds', 'connections', 'Oldest transaction', ['transactions.oldest_seconds'], {
    unit: 's',
    digits: 1,
  }),
];

/** Waits for files and locks of the log, by their names in all versions. */
export const LOG_FILES = ['WALWrite', 'WALSync', 'WalWrite', 'WalSync'].map((event) => `wait_event.IO.${event}`);
export const LOG_LOCKS = [
  'WALWrite',
  'WALInsert',
  'WALBufMapping',
  'WALInsertLock',
  'WALWriteLock',
  'WALBufMappingLock',
].map((event) => `wait_event.LWLock.${event}`);

const WAITS: readonly SeriesRule[] = [
  gauge('waits.Lock', 'locks', 'Sessions waiting for a lock', ['waits.Lock'], {
    main: true,
    means: 'lock-waiters',
    stack: 'waits',
  }),
  gauge('waits.none', 'locks', 'Active without waiting', ['waits.none'], { stack: 'waits' }),
  gauge('waits.*', 'locks', 'Waiting: *', ['waits.*'], { stack: 'waits' }),
  gauge('wait_event.*', 'locks', 'Waiting: *', ['wait_event.*']),
  rate('locks.deadlocks', 'locks', 'Deadlocks', ofDatabase('deadlocks'), { digits: 2, means: 'deadlocks' }),
  {
    id: 'io.waiting',
    label: 'Sessions waiting for data files',
    unit: '',
    lane: 'disk',
    reading: { kind: 'gauge', of: ['waits.IO'], less: LOG_FILES },
    digits: 0,
    means: 'io-waiters',
  },
  gauge('log.waiting', 'log', 'Sessions waiting for WAL', [...LOG_LOCKS, ...LOG_FILES], { means: 'log-waiters' }),
];

const CACHE: readonly SeriesRule[] = [
  {
    id: 'cache.hits',
    label: 'Shared buffer hits',
    unit: '%',
    lane: 'cache',
    reading: { kind: 'share', of: ofDatabase('blks_hit'), whole: ofDatabase('blks_hit', 'blks_read') },
    digits: 2,
    main: true,
    means: 'cache-hits',
    limit: { value: 100, words: 'everything from shared buffers' },
  },
  rate('cache.misses', 'cache', 'Blocks read (not in shared buffers)', ofDatabase('blks_read'), {
    main: true,
    means: 'cache-misses',
  }),
  // Version 17 moved writes by processes to pg_stat_io.
  rate('cache.written_by_checkpoints', 'cache', 'Pages written by checkpoints', [
    'pg_stat_checkpointer.buffers_written',
  ]),
  rate('cache.written_by_checkpoints', 'cache', 'Pages written by checkpoints', [
    'pg_stat_bgwriter.buffers_checkpoint',
  ]),
  rate('cache.written_by_sessions', 'cache', 'Pages written by sessions', [
    'pg_stat_io.relation.client backend.writes',
  ]),
  rate('cache.written_by_sessions', 'cache', 'Pages written by sessions', ['pg_stat_bgwriter.buffers_backend']),
  rate('cache.evicted', 'cache', 'Pages evicted by sessions', ['pg_stat_io.relation.client backend.evictions']),
  rate('temporary.mib_s', 'disk', 'Temporary files', ofDatabase('temp_bytes'), {
    unit: 'MiB/s',
    scale: MIB,
    digits: 2,
  }),
];

const LOG: readonly SeriesRule[] = [
  rate('log.mib_s', 'log', 'WAL written', ['wal.bytes'], {
    unit: 'MiB/s',
    scale: MIB,
    digits: 2,
    main: true,
    means: 'log-mib',
  }),
  // Version 18 reports them by kind of process, earlier versions as a total.
  rate('log.syncs', 'log', 'WAL fsyncs', ['pg_stat_wal.wal_sync'], { means: 'log-syncs' }),
  rate(
    'log.syncs',
    'log',
    'WAL fsyncs',
    ['client backend', 'background worker', 'walwriter', 'checkpointer', 'autovacuum worker', 'walsender'].map(
      (kind) => `pg_stat_io.wal.${kind}.fsyncs`,
    ),
    { means: 'log-syncs' },
  ),
  rate('log.buffers_full', 'log', 'WAL buffers full', ['pg_stat_wal.wal_buffers_full'], { means: 'log-waits' }),
  rate('log.full_pages', 'log', 'Full-page images', ['pg_stat_wal.wal_fpi']),
  gauge('log.since_checkpoint_mib', 'log', 'WAL since the last checkpoint', ['wal.since_checkpoint_bytes'], {
    unit: 'MiB',
    scale: MIB,
    main: true,
    limit: { of: 'setting.max_wal_size_bytes', scale: MIB, words: 'max_wal_size' },
  }),
  ...(
    [
      ['pg_stat_checkpointer.num_requested', 'requested'],
      ['pg_stat_bgwriter.checkpoints_req', 'requested'],
      ['pg_stat_checkpointer.num_timed', 'timed'],
      ['pg_stat_bgwriter.checkpoints_timed', 'timed'],
    ] as const
  ).map(([name, why]) => rate(`log.checkpoints_${why}`, 'log', `Checkpoints, ${why}`, [name], { digits: 2 })),
];

const POOLER: readonly SeriesRule[] = [
  gauge('pool.waiting', 'connections', 'Clients waiting for the pool', ['pgbouncer.pools.cl_waiting'], {
    main: true,
    means: 'pool-waiters',
  }),
  gauge('pool.longest_wait', 'connections', 'Longest wait for the pool', ['pgbouncer.pools.maxwait_seconds'], {
    unit: 's',
    digits: 2,
  }),
  gauge('pool.clients', 'connections', 'Pool clients with a connection', ['pgbouncer.pools.cl_active'], {
    limit: { of: 'pgbouncer.setting.max_client_conn', words: 'max_client_conn' },
  }),
  gauge('pool.in_use', 'connections', 'Pool connections in use', ['pgbouncer.pools.sv_active'], {
    limit: { of: 'pgbouncer.setting.default_pool_size', words: 'default_pool_size, for each database and user' },
  }),
  rate('pool.wait_ms', 'connections', 'Pool wait time', ['pgbouncer.stats.total_wait_time'], {
    unit: 'ms/s',
    scale: 1 / 1000,
  }),
  rate('statements', 'statements', 'Statements through the pool', ['pgbouncer.stats.total_query_count'], {
    main: true,
    means: 'statements',
    own: { direct: 1, onHost: 0 },
  }),
];

/** All other counters, by their own names. */
const OTHERS: readonly SeriesRule[] = [
  ...gauges('connections', ['pg_stat_database.numbackends']),
  ...gauges('own', [
    'wal.since_checkpoint_bytes',
    'transactions.oldest_snapshot_age',
    'sessions.*',
    'setting.*',
    'pgbouncer.pools.*',
    'pgbouncer.setting.*',
    'replication.*',
  ]),
  ...rates('statements', ['pg_stat_database.*']),
  ...rates('disk', ['pg_stat_io.*']),
  ...rates('log', ['pg_stat_wal.*', 'pg_stat_checkpointer.*', 'wal.bytes']),
  ...rates('cache', ['pg_stat_bgwriter.*']),
  ...rates('connections', ['pgbouncer.stats.*']),
];

export const POSTGRES_SERIES: readonly SeriesRule[] = [
  ...WORK,
  ...SESSIONS,
  ...POOLER,
  ...WAITS,
  ...CACHE,
  ...LOG,
  ...OTHERS,
];
