import type { Durability } from '../../../../shared/model/target.ts';
import { durabilityOf, type Judged } from '../durability.ts';

const MERGE_TREE = 'merge_tree_settings.';
const INSERTS = `${MERGE_TREE}fsync_after_insert`;
const LIFETIME = `${MERGE_TREE}old_parts_lifetime`;

/** Seconds after which Linux has written what was left to it: as it promises by default, and as ClickHouse's makers found under load. */
const WRITTEN_BACK = 30;
const WRITTEN_UNDER_LOAD = 480;

/** What each setting alone costs in a power cut, by the server's own values. */
const JUDGES: readonly { name: string; judge(value: string): Judged['level'] | undefined }[] = [
  { name: INSERTS, judge: (value) => (value === '1' ? 'safe' : 'relaxed') },
  // The part is renamed when it is whole; without the directory on the disk it may be there under its old name, and is thrown away.
  { name: `${MERGE_TREE}fsync_part_directory`, judge: (value) => (value === '1' ? 'safe' : 'relaxed') },
  // Files that define the tables: a half-written one keeps its table from being read.
  { name: 'fsync_metadata', judge: (value) => (value === '1' ? 'safe' : 'unsafe') },
];

/** An insert that is acknowledged from memory is lost even when only the server dies. */
function ofQueue(values: ReadonlyMap<string, string>): Judged[] {
  const wait = values.get('wait_for_async_insert');
  if (values.get('async_insert') !== '1' || wait === undefined) return [];
  return [{ name: 'wait_for_async_insert', value: wait, level: wait === '1' ? 'safe' : 'relaxed' }];
}

/** A merged part that no one has waited for replaces parts that were on the disk for long; they are kept for a while because of that. */
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
 * What a power cut costs MergeTree tables that have no settings of their own. `values`: of settings by the names of `clickhouseSettings`.
 * Without waiting for the disk the last inserts are lost; where a merge can take older rows with it, or a table's definition, it is unsafe.
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
