/** Scripts and built-in tests of sysbench 1.0 that the app offers, by what they need. */

/** Scripts over the tables `sbtest1` … `sbtestN` of `oltp_common.lua`. */
export const OLTP_SCRIPTS = [
  'oltp_read_write',
  'oltp_read_only',
  'oltp_write_only',
  'oltp_point_select',
  'oltp_insert',
  'oltp_delete',
  'oltp_update_index',
  'oltp_update_non_index',
] as const;
const SELECT_SCRIPTS = ['select_random_points', 'select_random_ranges'] as const;
/** These take the options of `oltp_common.lua`; `bulk_insert` takes none of them. */
export const TABLE_SCRIPTS = [...OLTP_SCRIPTS, ...SELECT_SCRIPTS] as const;
export const SQL_SCRIPTS = [...TABLE_SCRIPTS, 'bulk_insert'] as const;
const HOST_SCRIPTS = ['fileio', 'cpu', 'memory'] as const;
export const SCRIPTS = [...SQL_SCRIPTS, ...HOST_SCRIPTS] as const;
export type Script = (typeof SCRIPTS)[number];

const includes = (list: readonly string[], script: string): boolean => list.includes(script);

const READING: readonly Script[] = ['oltp_read_only', 'oltp_point_select', ...SELECT_SCRIPTS];

/** Whether a run of a script over tables changes their rows. */
export const writesTables = (script: Script): boolean => !READING.includes(script);
export const usesDatabase = (script: Script): boolean => includes(SQL_SCRIPTS, script);
export const usesTables = (script: Script): boolean => includes(TABLE_SCRIPTS, script);
