import type { SeriesRule } from '../../../../../shared/model/monitored.ts';
import { gauge, gauges, MIB, rate, rates } from '../../sampling.ts';
import { METRIC_GAUGES, STATUS_GAUGES } from './gauges.ts';

const COMMANDS = ['select', 'insert', 'update', 'delete', 'replace', 'commit', 'rollback'];
const ENDS = ['Com_commit', 'Com_rollback', 'Com_xa_commit', 'Com_xa_rollback'];

const WORK: readonly SeriesRule[] = [
  rate('statements', 'statements', 'Statements', ['Questions'], {
    main: true,
    means: 'statements',
    own: { direct: 2, onHost: 4 },
  }),
  rate('transactions', 'statements', 'Transactions (COMMIT, ROLLBACK)', ENDS, { means: 'transactions' }),
  ...COMMANDS.map((command) =>
    rate(`Com_${command}`, 'statements', command.toUpperCase(), [`Com_${command}`], { stack: 'commands' }),
  ),
  // MySQL's InnoDB counts rows itself, without those of temporary tables. MariaDB counts them for all engines, and temporary tables separately.
  ...[['Innodb_rows_read'], ['Rows_read']].map((of) =>
    rate('rows.read', 'statements', 'Rows read', of, { main: true, means: 'rows-read' }),
  ),
  ...[
    ['Innodb_rows_inserted', 'Innodb_rows_updated', 'Innodb_rows_deleted'],
    ['Handler_write', 'Handler_update', 'Handler_delete'],
  ].map((of) => rate('rows.written', 'statements', 'Rows written', of, { main: true, means: 'rows-written' })),
];

const SESSIONS: readonly SeriesRule[] = [
  gauge('connections', 'connections', 'Connections', ['Threads_connected'], {
    main: true,
    means: 'connections',
    limit: { of: 'variable.max_connections', words: 'max_connections' },
  }),
  {
    ...gauge('running', 'connections', 'Running sessions', [], { main: true, means: 'running' }),
    reading: { kind: 'gauge', of: ['Threads_running'], less: ['variable.own_sessions'] },
  },
  rate('connections.made', 'connections', 'Connections made', ['Connections'], { digits: 1, means: 'connects' }),
  rate(
    'connections.refused',
    'connections',
    'Connections refused (max_connections)',
    ['Connection_errors_max_connections'],
    {
      digits: 1,
      means: 'refused',
    },
  ),
  gauge('connections.queued', 'connections', 'Requests waiting for a thread of the pool', ['threadpool.queued'], {
    means: 'admission-waiters',
  }),
  gauge(
    'innodb.queued',
    'connections',
    'Sessions waiting to enter InnoDB (innodb_thread_concurrency)',
    ['innodb.queued'],
    { means: 'admission-waiters' },
  ),
  gauge('sessions.*', 'connections', 'Sessions: *', ['sessions.*']),
];

/** States of sessions that wait for locks other than row locks: tables of other engines, table changes, `GET_LOCK`. */
const LOCKED = [
  'Waiting for table level lock',
  'Waiting for table metadata lock',
  'Waiting for table flush',
  'Waiting for global read lock',
  'Waiting for backup lock',
  'Waiting for commit lock',
  'User lock',
];

const LOCKS: readonly SeriesRule[] = [
  gauge(
    'locks.waiting',
    'locks',
    'Sessions waiting for a lock',
    ['Innodb_row_lock_current_waits', ...LOCKED.map((state) => `sessions.${state}`)],
    { main: true, means: 'lock-waiters' },
  ),
  rate('locks.waits', 'locks', 'Row lock waits', ['Innodb_row_lock_waits'], { digits: 1, means: 'lock-waits' }),
  rate('locks.wait_ms', 'locks', 'Row lock wait time (reported when the wait ends)', ['Innodb_row_lock_time'], {
    unit: 'ms/s',
    main: true,
    means: 'lock-wait-time',
  }),
  ...['Innodb_deadlocks', 'innodb_metrics.lock_deadlocks'].map((name) =>
    rate('locks.deadlocks', 'locks', 'Deadlocks', [name], { digits: 2, means: 'deadlocks' }),
  ),
];

const REQUESTS = 'Innodb_buffer_pool_read_requests';

const CACHE: readonly SeriesRule[] = [
  {
    id: 'cache.hits',
    label: 'Buffer pool hits',
    unit: '%',
    lane: 'cache',
    reading: { kind: 'share', of: [REQUESTS], less: ['Innodb_buffer_pool_reads'], whole: [REQUESTS] },
    digits: 2,
    main: true,
    means: 'cache-hits',
    limit: { value: 100, words: 'everything from the buffer pool' },
  },
  rate('cache.misses', 'cache', 'Pages read', ['Innodb_pages_read'], { main: true, means: 'cache-misses' }),
  {
    id: 'cache.dirty',
    label: 'Dirty pages',
    unit: '%',
    lane: 'cache',
    reading: { kind: 'part', of: ['Innodb_buffer_pool_pages_dirty'], whole: ['Innodb_buffer_pool_pages_total'] },
    digits: 1,
    main: true,
    means: 'cache-dirty',
    limit: { value: 100, words: 'the whole buffer pool' },
  },
  gauge('cache.used_mib', 'cache', 'Data in the buffer pool', ['Innodb_buffer_pool_bytes_data'], {
    unit: 'MiB',
    scale: MIB,
    limit: { of: 'variable.innodb_buffer_pool_size', scale: MIB, words: 'innodb_buffer_pool_size' },
  }),
  gauge(
    'cache.transfers',
    'cache',
    'Buffer pool loads and dumps',
    ['Innodb_buffer_pool_load_status.at_work', 'Innodb_buffer_pool_dump_status.at_work'],
    { means: 'cache-transfers' },
  ),
  rate('cache.flushed', 'cache', 'Pages flushed', ['Innodb_buffer_pool_pages_flushed']),
  rate('cache.waits', 'cache', 'Waits for a free page', ['Innodb_buffer_pool_wait_free'], { digits: 1 }),
];

const MIB_PER_SECOND = { unit: 'MiB/s', scale: MIB, digits: 2 };

const DISK: readonly SeriesRule[] = [
  rate('data.read_mib_s', 'disk', 'InnoDB files read', ['Innodb_data_read'], MIB_PER_SECOND),
  rate('data.written_mib_s', 'disk', 'InnoDB files written', ['Innodb_data_written'], MIB_PER_SECOND),
  gauge('data.pending_reads', 'disk', 'Pending reads', ['Innodb_data_pending_reads'], { means: 'io-waiters' }),
  rate('data.fsyncs', 'disk', 'InnoDB fsyncs', ['Innodb_data_fsyncs']),
  rate('doublewrite.pages', 'disk', 'Doublewrite pages', ['Innodb_dblwr_pages_written']),
  rate('temporary.on_disk', 'disk', 'Temporary tables on disk', ['Created_tmp_disk_tables'], { digits: 1 }),
];

/**
 * Part of MySQL's reported capacity on disk that sessions can fill before they have to wait: two of 32 files stay free, 5 % of the rest is reserved
 * for the log writer, and 5 % of the remainder for sessions that are already writing (log0files_capacity.cc). The reserve for threads is a few
 * hundred KiB more and is ignored.
 */
const FILLED_BY_SESSIONS = (30 / 32) * 0.95 * 0.95;

/** Checkpoint age and its maximum: MariaDB, MySQL since 8.0.30, and others if the metric has been enabled. */
const AGES: readonly (readonly [age: string, most: string, scale?: number])[] = [
  ['Innodb_checkpoint_age', 'Innodb_checkpoint_max_age'],
  ['Innodb_redo_log_logical_size', 'Innodb_redo_log_capacity_resized', 1 / FILLED_BY_SESSIONS],
  ['innodb_metrics.log_lsn_checkpoint_age', 'innodb_metrics.log_max_modified_age_sync'],
];

const fileMs = (file: string): string[] => [`waits.wait/io/file/${file}.ms`];
/** In 5.6 and 5.7, an autocommit statement is in the state `query end`. */
const COMMITTING = [
  'waiting for handler commit',
  'Commit',
  'Commit_implicit',
  'Waiting for prior transaction to commit',
  'query end',
];

const LOG: readonly SeriesRule[] = [
  rate('log.mib_s', 'log', 'Redo log written', ['Innodb_os_log_written'], {
    ...MIB_PER_SECOND,
    main: true,
    means: 'log-mib',
  }),
  rate('log.syncs', 'log', 'Redo log fsyncs', ['Innodb_os_log_fsyncs'], { means: 'log-syncs' }),
  // MariaDB since 10.8 reports them together. If every commit waits for the disk, nearly all are fsyncs of the log.
  rate('log.syncs', 'log', 'InnoDB fsyncs (redo log and data files)', ['Innodb_data_fsyncs'], { means: 'log-syncs' }),
  ...AGES.map(
    ([age, most, scale]): SeriesRule => ({
      id: 'log.checkpoint_age',
      label: 'Checkpoint age',
      unit: '%',
      lane: 'log',
      reading: { kind: 'part', of: [age], whole: [most], ...(scale !== undefined && { scale }) },
      digits: 1,
      main: true,
      means: 'checkpoint-age',
      limit: { value: 100, words: 'writing waits for the checkpoint' },
    }),
  ),
  rate('log.buffer_waits', 'log', 'Log buffer waits', ['Innodb_log_waits'], {
    digits: 1,
    means: 'log-waits',
  }),
  rate('log.wait_ms', 'log', 'Redo log file time', fileMs('innodb/innodb_log_file'), {
    unit: 'ms/s',
    means: 'log-wait-time',
  }),
  rate('log.binary_ms', 'log', 'Binary log file time', fileMs('sql/binlog'), { unit: 'ms/s' }),
  gauge(
    'log.committing',
    'log',
    'Sessions committing',
    COMMITTING.map((state) => `sessions.${state}`),
    {
      means: 'log-waiters',
    },
  ),
  ...['Innodb_history_list_length', 'innodb_metrics.trx_rseg_history_len'].map((name) =>
    gauge('log.history', 'log', 'History list length', [name], { main: true }),
  ),
];

/** All other counters, by their own names. */
const OTHERS: readonly SeriesRule[] = [
  ...Object.entries(STATUS_GAUGES).flatMap(([lane, names]) => gauges(lane as keyof typeof STATUS_GAUGES, names)),
  ...gauges('cache', METRIC_GAUGES),
  ...gauges('own', ['variable.*']),
  ...rates('statements', ['Com_*', 'Handler_*', 'Select_*', 'Sort_*', 'Created_*', 'Rows_*', 'Slow_*', 'Qcache_*']),
  ...rates('locks', ['Innodb_row_lock_*', 'Table_locks_*', 'waits.wait/lock/*', 'waits.wait/synch/*']),
  ...rates('cache', ['Innodb_buffer_pool_*', 'Innodb_pages_*', 'Key_*', 'Aria_*', 'Rocksdb_*']),
  ...rates('log', ['Innodb_log_*', 'Innodb_os_log_*', 'Innodb_lsn_*', 'Innodb_redo_*', 'Binlog_*']),
  ...rates('log', ['innodb_metrics.log_*']),
  ...rates('disk', ['Innodb_data_*', 'Innodb_dblwr_*', 'waits.wait/io/*']),
  ...rates('connections', ['Aborted_*', 'Connection_errors_*', 'Connections', 'Threads_created', 'Bytes_*']),
  ...rates('cache', ['Innodb_*', 'innodb_metrics.*', 'Open*', 'Table_open_*']),
  ...rates('own', ['*']),
];

export const MYSQL_SERIES: readonly SeriesRule[] = [
  ...WORK,
  ...SESSIONS,
  ...LOCKS,
  ...CACHE,
  ...DISK,
  ...LOG,
  ...OTHERS,
];
