import type { Durability, TargetDescription } from '../../../../shared/model/target.ts';
import type { ServerSetting, SettingChange } from '../../../../shared/model/target-details.ts';
import { durabilityOf, type Judged } from '../durability.ts';
import type { MySqlConnection } from '../mysql/connection.ts';
import { bySettingName, settingOf, type Wanted } from '../server-facts.ts';
import { CODES, clickhouseCode } from './failure.ts';

/**
 * Settings with the most influence on results, in the order shown. Session settings have their plain names. Server and MergeTree settings are
 * prefixed with their system table, since some names occur in two.
 */
export const CLICKHOUSE_SETTINGS: readonly Wanted[] = [
  { name: 'max_threads', why: 'Threads per query.' },
  { name: 'max_memory_usage', unit: 'bytes', why: 'Memory limit per query; 0 = no limit.' },
  { name: 'server_settings.max_server_memory_usage', unit: 'bytes', why: 'Memory limit of the server.' },
  { name: 'server_settings.mark_cache_size', unit: 'bytes', why: 'Marks beyond it are read from the disk.' },
  { name: 'use_uncompressed_cache', why: '1 caches decompressed data: repeated reads then measure the cache.' },
  { name: 'use_query_cache', why: '1 serves repeated queries from memory: they then measure the cache.' },
  {
    name: 'use_query_condition_cache',
    why: '1 caches which granules a condition excludes: repeated queries are faster.',
  },
  { name: 'server_settings.max_concurrent_queries', why: 'More queries than this are refused; 0 = no limit.' },
  { name: 'server_settings.max_connections', why: 'More clients than this cannot connect.' },
  {
    name: 'server_settings.background_pool_size',
    why: 'Threads of merges and mutations, in addition to those of queries.',
  },
  { name: 'max_insert_block_size', unit: 'rows', why: 'Rows per part written by an insert.' },
  { name: 'async_insert', why: '1 batches small inserts in memory before writing.' },
  { name: 'wait_for_async_insert', why: '0 acknowledges an asynchronous insert before it is written.' },
  { name: 'merge_tree_settings.fsync_after_insert', why: '1 waits for the disk at each insert.' },
  { name: 'merge_tree_settings.fsync_part_directory', why: '1 waits for the disk at each change of a directory.' },
  {
    name: 'merge_tree_settings.old_parts_lifetime',
    unit: 's',
    why: 'How long source parts stay on disk after a merge.',
  },
  {
    name: 'merge_tree_settings.min_bytes_for_wide_part',
    unit: 'bytes',
    why: 'Smaller parts keep all columns in one file.',
  },
  { name: 'merge_tree_settings.index_granularity', unit: 'rows', why: 'Smallest number of rows read at once.' },
  {
    name: 'min_bytes_to_use_direct_io',
    unit: 'bytes',
    why: 'Larger reads bypass the page cache.',
  },
  { name: 'compile_expressions', why: '1 compiles frequent expressions: first executions are slower.' },
];

/** Reports that tables of the target's database have durability settings of their own. Empty if none has. */
export async function tableSettings(connection: MySqlConnection): Promise<TargetDescription['settings']> {
  const [[apart, all] = []] = await connection.query(
    `SELECT countIf(match(engine_full, 'fsync_|old_parts_lifetime')), count() FROM system.tables
     WHERE database = currentDatabase() AND endsWith(engine, 'MergeTree')`,
  );
  if (Number(apart ?? 0) === 0) return [];
  const why = 'SETTINGS of such a table override the durability of the server.';
  return [{ name: 'tables with durability settings of their own', value: `${apart} of ${all}`, why }];
}

type Columns = readonly (string | undefined)[];

/** The three system tables with settings, and how their columns show when a change takes effect. */
const TABLES: readonly {
  table: string;
  prefix: string;
  last: string;
  change(last: string | undefined): SettingChange | undefined;
}[] = [
  {
    table: 'settings',
    prefix: '',
    last: 'readonly',
    // 1: this account may not change it. Whether others could is not reported.
    change: (readonly) => (readonly === '0' ? 'dynamic' : undefined),
  },
  {
    table: 'server_settings',
    prefix: 'server_settings.',
    last: 'changeable_without_restart',
    change: (how) => (how === undefined ? undefined : how === 'No' ? 'restart' : 'reload'),
  },
  {
    table: 'merge_tree_settings',
    prefix: 'merge_tree_settings.',
    last: 'readonly',
    // Settings of a table, changed by ALTER TABLE … MODIFY SETTING; the others are fixed at its creation.
    change: (readonly) => (readonly === undefined ? undefined : readonly === '0' ? 'dynamic' : 'fixed'),
  },
];

/** Every effective setting, as this server reports it. Aliases and obsolete ones are omitted. */
export async function clickhouseSettings(connection: MySqlConnection): Promise<ServerSetting[]> {
  const found: ServerSetting[] = [];
  for (const { table, prefix, last, change } of TABLES) {
    const rows = await systemRows(connection, table, [
      'name',
      'value',
      'default',
      'changed',
      'alias_for',
      'is_obsolete',
      last,
    ]);
    for (const [name = '', value = '', standard, changed, alias = '', obsolete, ends] of rows as Columns[]) {
      if (alias !== '' || obsolete === '1') continue;
      const source = changed === undefined ? undefined : changed === '0' ? 'default' : 'changed';
      found.push(settingOf(`${prefix}${name}`, value, { default: standard, source, change: change(ends) }));
    }
  }
  return found.sort(bySettingName);
}

const MERGE_TREE = 'merge_tree_settings.';
const INSERTS = `${MERGE_TREE}fsync_after_insert`;
const LIFETIME = `${MERGE_TREE}old_parts_lifetime`;

/** Seconds until Linux has written back dirty pages: its default, and the time that the ClickHouse developers observed under load. */
const WRITTEN_BACK = 30;
const WRITTEN_UNDER_LOAD = 480;

/** The durability of each setting on its own, by the server's values. */
const JUDGES: readonly { name: string; judge(value: string): Judged['level'] | undefined }[] = [
  { name: INSERTS, judge: (value) => (value === '1' ? 'safe' : 'relaxed') },
  // A completed part is renamed. Unless the directory is synced, a power cut may leave it under its old name, and it is discarded.
  { name: `${MERGE_TREE}fsync_part_directory`, judge: (value) => (value === '1' ? 'safe' : 'relaxed') },
  // Files that define the tables: a partially written one makes its table unreadable.
  { name: 'fsync_metadata', judge: (value) => (value === '1' ? 'safe' : 'unsafe') },
];

/** An insert acknowledged from memory is lost even if only the server crashes. */
function ofQueue(values: ReadonlyMap<string, string>): Judged[] {
  const wait = values.get('wait_for_async_insert');
  if (values.get('async_insert') !== '1' || wait === undefined) return [];
  return [{ name: 'wait_for_async_insert', value: wait, level: wait === '1' ? 'safe' : 'relaxed' }];
}

/** A merged part that was not synced replaces parts that have long been on disk. For this reason the old ones are retained for a while. */
function ofMerges(values: ReadonlyMap<string, string>): Judged[] {
  const every = ['min_rows_to_fsync_after_merge', 'min_compressed_bytes_to_fsync_after_merge']
    .map((name) => `${MERGE_TREE}${name}`)
    .find((name) => values.get(name) === '1');
  if (every !== undefined) return [{ name: every, value: '1', level: 'safe' }];
  const value = values.get(LIFETIME);
  if (value === undefined) return [];
  const seconds = Number(value);
  const level = seconds >= WRITTEN_UNDER_LOAD ? 'safe' : seconds >= WRITTEN_BACK ? 'relaxed' : 'unsafe';
  return [{ name: LIFETIME, value, level }];
}

/**
 * Durability of MergeTree tables without settings of their own. `values`: settings by the names of `clickhouseSettings`. Without syncing, the last
 * inserts are lost. It is unsafe if a merge can lose older rows as well, or if a table's definition can be lost.
 */
export function clickhouseDurability(values: ReadonlyMap<string, string>): Durability {
  const judged = JUDGES.flatMap(({ name, judge }): Judged[] => {
    const value = values.get(name);
    const level = value === undefined ? undefined : judge(value);
    return value === undefined || level === undefined ? [] : [{ name, value, level }];
  });
  const missing = values.has(INSERTS) ? [] : [INSERTS];
  // There are no transactions.
  return durabilityOf([...judged, ...ofQueue(values), ...ofMerges(values)], missing, {
    one: 'insert',
    last: 'acknowledged inserts',
  });
}

/** Value of a system table's column. Undefined if the version has no such column, or if the value is NULL. */
type TableValue = string | undefined;

/** Columns of a system table in the server's version. Empty if the table is missing or the account may not read it. */
export async function systemColumns(connection: MySqlConnection, table: string): Promise<ReadonlySet<string>> {
  const rows = await connection.query(
    `SELECT name FROM system.columns WHERE database = 'system' AND table = '${table}'`,
  );
  return new Set(rows.map(([name]) => String(name)));
}

/**
 * Rows of a system table by the wanted columns, as far as the server's version has them. Empty if the table is missing or the account may not read
 * it. `rest`: SQL after the table name. `also`: expressions that every version knows, after the columns.
 */
export async function systemRows(
  connection: MySqlConnection,
  table: string,
  wanted: readonly string[],
  rest = '',
  also: readonly string[] = [],
): Promise<TableValue[][]> {
  try {
    const names = await systemColumns(connection, table);
    const there = wanted.filter((name) => names.has(name));
    if (there.length === 0) return [];
    const columns = [...there.map((name) => `\`${name}\``), ...also].join(', ');
    const rows = await connection.query(`SELECT ${columns} FROM system.${table} ${rest}`);
    return rows.map((row) => [
      ...wanted.map((name) => textOf(row[there.indexOf(name)])),
      ...also.map((_expression, at) => textOf(row[there.length + at])),
    ]);
  } catch (error) {
    const code = clickhouseCode(error);
    if (code === CODES.unknownTable || code === CODES.accessDenied) return [];
    throw error;
  }
}

const textOf = (value: unknown): TableValue => (value === undefined || value === null ? undefined : String(value));
