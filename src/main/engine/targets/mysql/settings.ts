import type { Durability } from '../../../../shared/model/target.ts';
import { durabilityOf, type Judged } from '../durability.ts';
import { dependents, settingsFrom, type Wanted } from '../server-facts.ts';
import type { SettingDependency } from '../target.ts';

/** A setting and its name before MySQL 5.7.20 and MariaDB 11.1. Some versions in between have both. */
const ISOLATION = { name: 'transaction_isolation', before: 'tx_isolation' };

/** Settings with the most influence on results, in the order shown. MariaDB and MySQL differ; a server shows those it has. */
const MYSQL_SETTINGS: readonly Wanted[] = [
  { name: 'innodb_buffer_pool_size', unit: 'bytes', why: 'Data beyond it is read from the disk.', needs: 'misses' },
  {
    name: 'innodb_flush_log_at_trx_commit',
    why: '1 waits for the disk at each commit, 0 and 2 about once a second.',
    needs: 'writes',
  },
  { name: 'sync_binlog', why: '1 waits for the disk at each commit when the binary log is on.', needs: 'writes' },
  { name: 'log_bin', why: 'A second log that records each change.', needs: 'writes' },
  { name: 'binlog_format', why: 'ROW logs changed rows, STATEMENT the statements.', needs: 'writes' },
  {
    name: 'innodb_doublewrite',
    why: 'Guards against half-written pages; each page is written twice.',
    needs: 'writes',
  },
  { name: 'innodb_flush_method', why: 'O_DIRECT keeps data out of the operating system cache.' },
  { name: 'innodb_data_file_buffering', why: 'ON also keeps data in the page cache of the operating system.' },
  { name: 'innodb_log_file_buffering', why: 'ON writes the log through the operating system cache.', needs: 'writes' },
  { name: 'innodb_data_file_write_through', why: 'ON waits for the disk at each write of data.', needs: 'writes' },
  { name: 'innodb_log_file_write_through', why: 'ON waits for the disk at each write of the log.', needs: 'writes' },
  { name: 'innodb_log_file_size', unit: 'bytes', why: 'A small log forces early write-back.', needs: 'writes' },
  {
    name: 'innodb_log_files_in_group',
    why: 'Number of log files: size × number is the log capacity.',
    needs: 'writes',
  },
  {
    name: 'innodb_redo_log_capacity',
    unit: 'bytes',
    why: 'Log capacity before write-back is forced.',
    needs: 'writes',
  },
  {
    name: 'Innodb_redo_log_capacity_resized',
    unit: 'bytes',
    why: 'Log capacity in effect: an explicit log file size overrides a default capacity.',
  },
  { name: 'innodb_io_capacity', unit: 'IOPS', why: 'Rate of background write-back.', needs: 'writes' },
  { name: 'innodb_io_capacity_max', unit: 'IOPS', why: 'Rate of write-back under pressure.', needs: 'writes' },
  { name: 'innodb_page_size', unit: 'bytes', why: 'Unit of reading and writing.' },
  {
    name: 'innodb_flush_neighbors',
    why: 'Also writes neighbouring pages: good for rotating disks, wasted on flash.',
    needs: 'rotating',
  },
  { name: 'innodb_adaptive_hash_index', why: 'Speeds up point reads, can become a hot spot.', needs: 'cached' },
  { name: 'innodb_thread_concurrency', why: 'Limit of threads inside InnoDB; 0 = no limit.' },
  { name: ISOLATION.name, why: 'REPEATABLE-READ and READ-COMMITTED lock differently.' },
  { name: ISOLATION.before, why: 'REPEATABLE-READ and READ-COMMITTED lock differently.' },
  { name: 'max_connections', why: 'More clients than this cannot connect.' },
  { name: 'query_cache_type', why: 'Serves repeated reads from memory: read benchmarks then measure the cache.' },
  { name: 'query_cache_size', unit: 'bytes', why: 'Size of the query cache; 0 = none.' },
  { name: 'performance_schema', why: 'Instruments the server, with some overhead.' },
  { name: 'thread_handling', why: 'pool-of-threads serves many connections with few threads.' },
];

/** The listed settings that the server has, each once. `status`: facts reported in addition to its variables. */
export function mysqlSettings(
  variables: ReadonlyMap<string, string>,
  status: ReadonlyMap<string, string>,
): ReturnType<typeof settingsFrom> {
  const found = new Map([...variables, ...status]);
  if (found.has(ISOLATION.name)) found.delete(ISOLATION.before);
  return settingsFrom(found, MYSQL_SETTINGS);
}

const isOn = (value: string | undefined): boolean => value !== undefined && ['ON', '1'].includes(value.toUpperCase());

/** From the manuals of MySQL and MariaDB: a setting has no effect while the one it depends on is off. */
const DEPENDENCIES: readonly [string, SettingDependency][] = [
  ...dependents(
    'log_bin',
    'sync_binlog binlog_format binlog_row_image binlog_cache_size binlog_stmt_cache_size binlog_checksum binlog_order_commits binlog_group_commit_sync_delay binlog_group_commit_sync_no_delay_count binlog_commit_wait_count binlog_commit_wait_usec binlog_transaction_compression binlog_transaction_dependency_tracking log_bin_compress binlog_row_event_max_size',
  ),
  ...dependents('query_cache_type', 'query_cache_size query_cache_limit query_cache_min_res_unit'),
  ...dependents('query_cache_size', 'query_cache_type query_cache_limit query_cache_min_res_unit'),
  ...dependents('innodb_adaptive_hash_index', 'innodb_adaptive_hash_index_parts'),
  ...dependents('innodb_undo_log_truncate', 'innodb_max_undo_log_size'),
  ...dependents('innodb_thread_concurrency', 'innodb_concurrency_tickets innodb_thread_sleep_delay'),
  ...dependents('slow_query_log', 'long_query_time log_slow_verbosity min_examined_row_limit'),
  ...[
    'thread_pool_size',
    'thread_pool_max_threads',
    'thread_pool_stall_limit',
    'thread_pool_oversubscribe',
    'thread_pool_idle_timeout',
  ].map((name): [string, SettingDependency] => [
    name,
    {
      setting: 'thread_handling',
      wanted: 'pool-of-threads',
      isMet: (value) => /pool-of-threads|loaded-dynamically/i.test(value),
    },
  ]),
];

export const mysqlDependencies = (name: string): SettingDependency[] =>
  DEPENDENCIES.flatMap(([dependent, on]) => (dependent === name.toLowerCase().replaceAll('-', '_') ? [on] : []));

/** A write to a table removes its entries from the query cache, so a result is never older than the data. */
export function mysqlCachesResults(
  setting: (name: string) => string | undefined,
): { by: string; stale: boolean } | undefined {
  const [type, size] = [setting('query_cache_type'), setting('query_cache_size')];
  // DEMAND, 2: only statements that request it are cached, and no tool does.
  if (type === undefined || !isOn(type) || !(Number(size) > 0 || /^[1-9]\d*[kmg]/i.test(size ?? ''))) return undefined;
  return { by: `query_cache_type = ${type}, query_cache_size = ${size}`, stale: false };
}

const isOff = (value: string): boolean => ['OFF', '0', 'DETECT_ONLY'].includes(value.toUpperCase());

/** The durability of each setting on its own, by the server's values. */
const JUDGES: readonly { name: string; judge(value: string): Judged['level'] | undefined }[] = [
  // 1 and (MariaDB) 3 wait at each commit; 0 and 2 write or wait about once a second.
  { name: 'innodb_flush_log_at_trx_commit', judge: (value) => (value === '1' || value === '3' ? 'safe' : 'relaxed') },
  { name: 'innodb_doublewrite', judge: (value) => (isOff(value) ? 'unsafe' : 'safe') },
  { name: 'innodb_flush_method', judge: (value) => (/nosync/i.test(value) ? 'unsafe' : undefined) },
  // MariaDB: no write waits for the disk.
  { name: 'debug_no_sync', judge: (value) => (isOn(value) ? 'unsafe' : undefined) },
  { name: 'Innodb_redo_log_enabled', judge: (value) => (isOff(value) ? 'unsafe' : undefined) },
  { name: 'log_bin', judge: (value) => (isOn(value) ? undefined : 'safe') },
];

/** A transaction missing from the binary log is rolled back when the server recovers. */
const judgeBinlog = (value: string): Judged['level'] => (value === '1' ? 'safe' : 'relaxed');

/** The durability that a value of this setting alone amounts to. Undefined if it does not affect it. */
export function mysqlSettingDurability(name: string, value: string): Judged['level'] | undefined {
  const plain = name.toLowerCase().replaceAll('-', '_');
  return plain === 'sync_binlog' ? judgeBinlog(value) : JUDGES.find((each) => each.name === plain)?.judge(value);
}

/**
 * Durability of InnoDB tables, by the server's own variables. With doublewrite, disk waits or the redo log disabled, a power cut can damage the
 * database itself; with a log written later, it loses the last second.
 */
export function mysqlDurability(
  variables: ReadonlyMap<string, string>,
  status: ReadonlyMap<string, string> = new Map(),
): Durability {
  const judged: Judged[] = JUDGES.flatMap(({ name, judge }) => {
    const value = variables.get(name) ?? status.get(name);
    const level = value === undefined ? undefined : judge(value);
    return value === undefined || level === undefined ? [] : [{ name, value, level }];
  });
  const flush = 'innodb_flush_log_at_trx_commit';
  return durabilityOf([...judged, ...binlogJudged(variables)], variables.has(flush) ? [] : [flush]);
}

export function binlogJudged(variables: ReadonlyMap<string, string>): Judged[] {
  const value = variables.get('sync_binlog');
  if (!isOn(variables.get('log_bin')) || value === undefined) return [];
  return [{ name: 'sync_binlog', value, level: judgeBinlog(value) }];
}

/** Whether a server is MySQL as built by its vendor or a distribution. Services and compatible servers have other defaults. */
export const isPlainMySql = (version: string, comment: string): boolean =>
  /^(MySQL |\(Ubuntu\)|\(Debian\))/.test(comment) && /^[\d.]+(-|$)/.test(version);

/** "MariaDB", "Percona Server" or "MySQL", from the version and its comment. */
export function mysqlFlavour(version: string, comment: string): string {
  if (/mariadb/i.test(`${version} ${comment}`)) return 'MariaDB';
  if (/percona/i.test(comment)) return 'Percona Server';
  return 'MySQL';
}
