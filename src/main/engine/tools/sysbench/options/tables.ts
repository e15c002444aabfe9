import { z } from 'zod';
import { option } from '../../tool.ts';
import { OLTP_SCRIPTS, SBTEST_SCRIPTS, TRANSACTION_SCRIPTS } from '../scripts/index.ts';

const tableScripts = { option: 'script', in: SBTEST_SCRIPTS };
const transactions = { option: 'script', in: TRANSACTION_SCRIPTS };
const reading = { option: 'script', in: ['oltp_read_write', 'oltp_read_only', 'reads_outside'] };
const writing = { option: 'script', in: ['oltp_read_write', 'oltp_write_only', 'reads_outside'] };

const count = (title: string, description: string, fallback: number, when: typeof reading) =>
  option(z.int().min(0).default(fallback), { title, description, unit: 'queries', group: 'Transaction', when });

/** The data, and the content of a transaction of the `oltp_*` scripts. */
export const tableOptions = {
  tables: option(z.int().min(1).max(100_000).default(1), {
    title: 'Tables',
    main: true,
    description:
      'Number of tables sbtest1 … sbtestN, of sets of tables (tpcc), or of tables to fill (insert_rows). More tables spread contention; their total size relative to the server’s cache determines whether disk or memory is measured. (select_random_* uses only one table.)',
    unit: 'tables',
    group: 'Data',
    when: { option: 'script', in: [...OLTP_SCRIPTS, 'lookups', 'reads_outside', 'tpcc', 'insert_rows'] },
  }),
  'table-size': option(z.int().min(1).default(10_000), {
    title: 'Rows per table',
    main: true,
    description: 'Rows per table, about 240 bytes each with indexes. Changing it requires new data.',
    unit: 'rows',
    group: 'Data',
    when: { option: 'script', in: [...SBTEST_SCRIPTS, 'key_popularity'] },
  }),
  'auto-inc': option(z.boolean().default(true), {
    title: 'Automatic ids',
    description:
      'Let the server number new rows (AUTO_INCREMENT, SERIAL). When off, sysbench chooses the ids, and a repeated run with the same seed on the same data meets duplicates.',
    group: 'Data',
    when: tableScripts,
  }),
  'create-secondary': option(z.boolean().default(true), {
    title: 'Secondary index',
    description:
      'Create an index on column k in addition to the primary key. oltp_update_index and select_random_* use that index.',
    group: 'Data',
    when: tableScripts,
  }),
  secondary: option(z.boolean().default(false), {
    title: 'Plain index for ids',
    description: 'Use an ordinary index on the id column instead of a primary key.',
    group: 'Data',
    when: tableScripts,
  }),
  'skip-trx': option(z.boolean().default(false), {
    title: 'Skip transactions',
    main: true,
    description:
      'Run each statement on its own (autocommit) without BEGIN and COMMIT. With oltp_read_write and several threads its delete-then-insert pairs collide and end the run with error 1062.',
    group: 'Transaction',
    when: transactions,
  }),
  'point-selects': count('Point selects', 'Single rows read by primary key.', 10, reading),
  'range-selects': option(z.boolean().default(true), {
    title: 'Range selects',
    description: 'Run the four kinds of range queries below.',
    group: 'Transaction',
    when: reading,
  }),
  'range-size': option(z.int().min(1).default(100), {
    title: 'Range size',
    description: 'Rows that each range query covers.',
    unit: 'rows',
    group: 'Transaction',
    when: reading,
  }),
  'simple-ranges': count('Simple ranges', 'Ranges read in key order, without sorting or summing.', 1, reading),
  'sum-ranges': count('Sum ranges', 'Ranges summed up on the server (SELECT SUM).', 1, reading),
  'order-ranges': count('Ordered ranges', 'Ranges sorted on the server (ORDER BY).', 1, reading),
  'distinct-ranges': count(
    'Distinct ranges',
    'Ranges without duplicates (SELECT DISTINCT), usually through a temporary table.',
    1,
    reading,
  ),
  'index-updates': count('Index updates', 'Updates of the indexed column k.', 1, writing),
  'non-index-updates': count('Other updates', 'Updates of a column without an index.', 1, writing),
  'delete-inserts': count(
    'Delete and insert',
    'Pairs that delete a row and insert it again with the same id.',
    1,
    writing,
  ),
  'random-points': option(z.int().min(1).default(10), {
    title: 'Points per query',
    main: true,
    description: 'Values in the IN list of each query.',
    group: 'Transaction',
    when: { option: 'script', in: ['select_random_points'] },
  }),
  'number-of-ranges': option(z.int().min(1).default(10), {
    title: 'Ranges per query',
    main: true,
    description: 'BETWEEN conditions in each query.',
    group: 'Transaction',
    when: { option: 'script', in: ['select_random_ranges'] },
  }),
  delta: option(z.int().min(1).default(5), {
    title: 'Width of a range',
    description: 'Size of each BETWEEN range.',
    unit: 'rows',
    group: 'Transaction',
    when: { option: 'script', in: ['select_random_ranges'] },
  }),
};
