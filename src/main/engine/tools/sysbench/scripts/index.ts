import type { ToolStatements } from '../../tool.ts';

/** Scripts and built-in tests of sysbench 1.0 that the app offers, by their requirements. */

/** Scripts that use the tables `sbtest1` … `sbtestN` of `oltp_common.lua`. */
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
/** These accept the options of `oltp_common.lua`; `bulk_insert` accepts none of them. */
export const TABLE_SCRIPTS = [...OLTP_SCRIPTS, ...SELECT_SCRIPTS] as const;

/** Scripts of the app's own library in `workloads/sysbench`, by their tables. */
const SBTEST_LIBRARY = ['lookups', 'reads_outside'] as const;
export const LIBRARY_SCRIPTS = [
  'tpcc',
  'insert_rows',
  ...SBTEST_LIBRARY,
  'object_history',
  'many_schemas',
  'key_popularity',
] as const;
export type LibraryScript = (typeof LIBRARY_SCRIPTS)[number];
/** A user's Lua script. */
export const OWN_SCRIPT = 'own';

/** Scripts that share the tables `sbtest1` … `sbtestN`. */
export const SBTEST_SCRIPTS = [...TABLE_SCRIPTS, ...SBTEST_LIBRARY] as const;
/** Scripts that choose rows by `--rand-type`. */
export const RANDOM_SCRIPTS = [
  ...SBTEST_SCRIPTS,
  'object_history',
  'many_schemas',
  'key_popularity',
  OWN_SCRIPT,
] as const;
export const SQL_SCRIPTS = [...TABLE_SCRIPTS, 'bulk_insert', ...LIBRARY_SCRIPTS, OWN_SCRIPT] as const;
const HOST_SCRIPTS = ['fileio', 'cpu', 'memory'] as const;
export const SCRIPTS = [...SQL_SCRIPTS, ...HOST_SCRIPTS] as const;
export type Script = (typeof SCRIPTS)[number];

const includes = (list: readonly string[], script: string): boolean => list.includes(script);

const READING: readonly Script[] = ['oltp_read_only', 'oltp_point_select', ...SELECT_SCRIPTS];

/** Scripts with several statements per transaction. `skip-trx` removes the transactions of the first three. */
export const TRANSACTION_SCRIPTS: readonly Script[] = ['oltp_read_write', 'oltp_read_only', 'oltp_write_only'];
const OWN_TRANSACTIONS: readonly Script[] = ['reads_outside', 'tpcc', 'object_history'];
/** Those of them whose reads are all outside of transactions. */
const READS_APART: readonly Script[] = ['oltp_write_only', 'reads_outside'];

/** How a script sends its statements. Undefined for a user's script. */
export function statementsOf(
  script: Script,
  { skipTrx, prepares }: { skipTrx: boolean; prepares: boolean },
): ToolStatements | undefined {
  if (!usesDatabase(script) || script === OWN_SCRIPT) return undefined;
  const transactions = OWN_TRANSACTIONS.includes(script) || (TRANSACTION_SCRIPTS.includes(script) && !skipTrx);
  return {
    transactions,
    readsInTransactions: transactions && !READS_APART.includes(script),
    // Library scripts send text, even if sysbench would prepare statements.
    prepared: prepares && includes(SBTEST_SCRIPTS, script) && script !== 'lookups',
  };
}

/** Whether a run of a script modifies the rows of its tables. */
export const writesTables = (script: Script): boolean => !READING.includes(script);
export const usesDatabase = (script: Script): boolean => includes(SQL_SCRIPTS, script);
/** Whether a script uses the tables `sbtest1` … `sbtestN`. */
export const usesTables = (script: Script): boolean => includes(SBTEST_SCRIPTS, script);
export const isLibraryScript = (script: Script): script is LibraryScript => includes(LIBRARY_SCRIPTS, script);
