import type { SeriesRule } from '../../../../../shared/model/monitored.ts';
import { gauges, rates } from '../../sampling.ts';
import { METRIC_GAUGES, STATUS_GAUGES } from './gauges.ts';

const MIB = 1 / 1024 ** 2;
const DONE_BY = ['select', 'insert', 'update', 'delete', 'replace', 'commit', 'rollback'];
/** Files of the redo log and of the binary log. */
const LOG_FILES = ['waits.wait/io/file/innodb/innodb_log_file', 'waits.wait/io/file/sql/binlog'];
const logFiles = (what: string): string[] => LOG_FILES.map((file) => `${file}.${what}`);

const WORK: readonly SeriesRule[] = [
  {
    id: 'statements',
    label: 'Statements',
    unit: '/s',
    lane: 'statements',
    reading: { kind: 'rate', of: ['Questions'] },
    digits: 0,
    main: true,
    means: 'statements',
  },
  {
    id: 'transactions',
    label: 'Transactions ended by COMMIT or ROLLBACK',
    unit: '/s',
    lane: 'statements',
    reading: { kind: 'rate', of: ['Com_commit', 'Com_rollback', 'Com_xa_commit', 'Com_xa_rollback'] },
    digits: 0,
    means: 'transactions',
  },
  ...DONE_BY.map(
    (command): SeriesRule => ({
      id: `Com_${command}`,
      label: command.toUpperCase(),
      unit: '/s',
      lane: 'statements',
      reading: { kind: 'rate', of: [`Com_${command}`] },
      digits: 0,
      stack: 'commands',
    }),
  ),
  // InnoDB of MySQL counts rows itself, without those of temporary tables; MariaDB for all engines, and tables of one statement apart.
  ...[['Innodb_rows_read'], ['Rows_read']].map(
    (of): SeriesRule => ({
      id: 'rows.read',
      label: 'Rows read',
      unit: '/s',
      lane: 'statements',
      reading: { kind: 'rate', of },
      digits: 0,
      main: true,
      means: 'rows-read',
    }),
  ),
  ...[
    ['Innodb_rows_inserted', 'Innodb_rows_updated', 'Innodb_rows_deleted'],
    ['Handler_write', 'Handler_update', 'Handler_delete'],
  ].map(
    (of): SeriesRule => ({
      id: 'rows.written',
      label: 'Rows written',
      unit: '/s',
      lane: 'statements',
      reading: { kind: 'rate', of },
      digits: 0,
      main: true,
      means: 'rows-written',
    }),
  ),
];

const SESSIONS: readonly SeriesRule[] = [
  {
    id: 'connections',
    label: 'Connections',
    unit: '',
    lane: 'connections',
    reading: { kind: 'gauge', of: ['Threads_connected'] },
    digits: 0,
    main: true,
    means: 'connections',
    limit: { of: 'variable.max_connections', words: 'max_connections' },
  },
  {
    id: 'running',
    label: 'Running sessions, with ours',
    unit: '',
    lane: 'connections',
    reading: { kind: 'gauge', of: ['Threads_running'] },
    digits: 0,
    main: true,
    means: 'running',
  },
  {
    id: 'sessions.*',
    label: 'Sessions: *',
    unit: '',
    lane: 'connections',
    reading: { kind: 'gauge', of: ['sessions.*'] },
    digits: 0,
  },
];

const LOCKS: readonly SeriesRule[] = [
  {
    id: 'locks.waiting',
    label: 'Waiting for a row lock',
    unit: '',
    lane: 'locks',
    reading: { kind: 'gauge', of: ['Innodb_row_lock_current_waits'] },
    digits: 0,
    main: true,
    means: 'lock-waiters',
  },
  {
    id: 'locks.waits',
    label: 'Row lock waits',
    unit: '/s',
    lane: 'locks',
    reading: { kind: 'rate', of: ['Innodb_row_lock_waits'] },
    means: 'lock-waits',
  },
  {
    id: 'locks.wait_ms',
    label: 'Time of row lock waits that have ended',
    unit: 'ms/s',
    lane: 'locks',
    reading: { kind: 'rate', of: ['Innodb_row_lock_time'] },
    digits: 0,
    main: true,
    means: 'lock-wait-time',
  },
  ...['Innodb_deadlocks', 'innodb_metrics.lock_deadlocks'].map(
    (name): SeriesRule => ({
      id: 'locks.deadlocks',
      label: 'Deadlocks',
      unit: '/s',
      lane: 'locks',
      reading: { kind: 'rate', of: [name] },
      means: 'deadlocks',
    }),
  ),
];

const CACHE: readonly SeriesRule[] = [
  {
    id: 'cache.hits',
    label: 'Buffer pool hits',
    unit: '%',
    lane: 'cache',
    reading: {
      kind: 'share',
      of: ['Innodb_buffer_pool_read_requests'],
      less: ['Innodb_buffer_pool_reads'],
      whole: ['Innodb_buffer_pool_read_requests'],
    },
    digits: 2,
    main: true,
    means: 'cache-hits',
    limit: { value: 100, words: 'everything from memory' },
  },
  {
    id: 'cache.misses',
    label: 'Pages read',
    unit: '/s',
    lane: 'cache',
    reading: { kind: 'rate', of: ['Innodb_pages_read'] },
    digits: 0,
    main: true,
    means: 'cache-misses',
  },
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
  {
    id: 'cache.used_mib',
    label: 'Data in the buffer pool',
    unit: 'MiB',
    lane: 'cache',
    reading: { kind: 'gauge', of: ['Innodb_buffer_pool_bytes_data'], scale: MIB },
    digits: 0,
    limit: { of: 'variable.innodb_buffer_pool_size', scale: MIB, words: 'innodb_buffer_pool_size' },
  },
  {
    id: 'cache.flushed',
    label: 'Pages flushed',
    unit: '/s',
    lane: 'cache',
    reading: { kind: 'rate', of: ['Innodb_buffer_pool_pages_flushed'] },
    digits: 0,
  },
];

const DISK: readonly SeriesRule[] = [
  {
    id: 'data.read_mib_s',
    label: 'Data files read',
    unit: 'MiB/s',
    lane: 'disk',
    reading: { kind: 'rate', of: ['Innodb_data_read'], scale: MIB },
    digits: 2,
  },
  {
    id: 'data.written_mib_s',
    label: 'Data files and log written',
    unit: 'MiB/s',
    lane: 'disk',
    reading: { kind: 'rate', of: ['Innodb_data_written'], scale: MIB },
    digits: 2,
  },
  {
    id: 'data.pending_reads',
    label: 'Reads under way',
    unit: '',
    lane: 'disk',
    reading: { kind: 'gauge', of: ['Innodb_data_pending_reads'] },
    digits: 0,
    means: 'io-waiters',
  },
  {
    id: 'data.fsyncs',
    label: 'fsync calls of InnoDB',
    unit: '/s',
    lane: 'disk',
    reading: { kind: 'rate', of: ['Innodb_data_fsyncs'] },
    digits: 0,
  },
  {
    id: 'temporary.on_disk',
    label: 'Temporary tables on disk',
    unit: '/s',
    lane: 'disk',
    reading: { kind: 'rate', of: ['Created_tmp_disk_tables'] },
  },
];

const AGES = [
  ['Innodb_checkpoint_age', 'Innodb_checkpoint_max_age'],
  ['Innodb_redo_log_logical_size', 'Innodb_redo_log_capacity_resized'],
  ['innodb_metrics.log_lsn_checkpoint_age', 'innodb_metrics.log_max_modified_age_sync'],
] as const;

const LOG: readonly SeriesRule[] = [
  {
    id: 'log.mib_s',
    label: 'Redo log written',
    unit: 'MiB/s',
    lane: 'log',
    reading: { kind: 'rate', of: ['Innodb_os_log_written'], scale: MIB },
    digits: 2,
    main: true,
    means: 'log-mib',
  },
  {
    id: 'log.syncs',
    label: 'fsync calls of the redo log',
    unit: '/s',
    lane: 'log',
    reading: { kind: 'rate', of: ['Innodb_os_log_fsyncs'] },
    digits: 0,
    means: 'log-syncs',
  },
  ...AGES.map(
    ([age, most]): SeriesRule => ({
      id: 'log.checkpoint_age',
      label: 'Checkpoint age',
      unit: '% of the redo log',
      lane: 'log',
      reading: { kind: 'part', of: [age], whole: [most] },
      digits: 1,
      main: true,
      means: 'checkpoint-age',
      limit: { value: 100, words: 'writing waits for the checkpoint' },
    }),
  ),
  {
    id: 'log.buffer_waits',
    label: 'Waits for room in the log buffer',
    unit: '/s',
    lane: 'log',
    reading: { kind: 'rate', of: ['Innodb_log_waits'] },
    means: 'log-waits',
  },
  {
    id: 'log.wait_ms',
    label: 'Time in files of the redo and the binary log',
    unit: 'ms/s',
    lane: 'log',
    reading: { kind: 'rate', of: logFiles('ms') },
    digits: 0,
    means: 'log-wait-time',
  },
  {
    id: 'log.committing',
    label: 'Sessions that commit',
    unit: '',
    lane: 'log',
    reading: {
      kind: 'gauge',
      of: ['waiting for handler commit', 'Commit', 'Commit_implicit', 'Waiting for prior transaction to commit'].map(
        (state) => `sessions.${state}`,
      ),
    },
    digits: 0,
    means: 'log-waiters',
  },
  ...['Innodb_history_list_length', 'innodb_metrics.trx_rseg_history_len'].map(
    (name): SeriesRule => ({
      id: 'log.history',
      label: 'Undo records not purged',
      unit: '',
      lane: 'log',
      reading: { kind: 'gauge', of: [name] },
      digits: 0,
      main: true,
    }),
  ),
];

/** Whatever else there is, by its own name. */
const OTHERS: readonly SeriesRule[] = [
  ...Object.entries(STATUS_GAUGES).flatMap(([lane, names]) => gauges(lane as keyof typeof STATUS_GAUGES, names)),
  ...gauges('cache', METRIC_GAUGES),
  ...gauges('own', ['variable.*']),
  ...rates('statements', ['Com_*', 'Handler_*', 'Select_*', 'Sort_*', 'Created_*', 'Rows_*', 'Slow_*', 'Qcache_*']),
  ...rates('locks', ['Innodb_row_lock_*', 'Table_locks_*', 'waits.wait/lock/*', 'waits.wait/synch/*']),
  ...rates('cache', ['Innodb_buffer_pool_*', 'Innodb_pages_*', 'Key_*', 'Aria_*', 'Rocksdb_*']),
  ...rates('log', [
    'Innodb_log_*',
    'Innodb_os_log_*',
    'Innodb_lsn_*',
    'Innodb_redo_*',
    'Binlog_*',
    'innodb_metrics.log_*',
  ]),
  ...rates('disk', ['Innodb_data_*', 'Innodb_dblwr_*', 'waits.wait/io/*']),
  ...rates('connections', [
    'Aborted_*',
    'Connection_errors_*',
    'Connections',
    'Threads_created',
    'Threadpool_*',
    'Bytes_*',
  ]),
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
