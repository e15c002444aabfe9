import type { ReadyCapture } from '../../../../shared/model/capture.ts';

/** Converts picoseconds of performance_schema to milliseconds. */
const MS = 'DIV 1000000 / 1000';

/** Columns of performance_schema's statement tables. */
const SUMS = `SUM_TIMER_WAIT ${MS} AS time_ms, COUNT_STAR AS calls, SUM_ROWS_SENT AS rows_sent, SUM_ROWS_EXAMINED AS rows_examined,
  SUM_ROWS_AFFECTED AS rows_changed, SUM_LOCK_TIME ${MS} AS lock_ms, SUM_CREATED_TMP_DISK_TABLES AS tables_on_disk, SUM_ERRORS AS errors`;

/** Text and tables of MySQL 5.6 and later and of MariaDB worth capturing in a run. */
export const MYSQL_CAPTURES: readonly ReadyCapture[] = [
  {
    description:
      'Calls, time and rows of each kind of statement. Needs performance_schema, off by default in MariaDB. The server counts all executions of prepared statements in one row; for one row per kind, set the tool to send plain statements (sysbench: db-ps-mode: disable).',
    capture: {
      name: 'statement digests',
      statement: `SELECT COALESCE(TRIM(DIGEST_TEXT), '(without a digest)') AS query, ${SUMS}
FROM performance_schema.events_statements_summary_by_digest
UNION ALL SELECT '(prepared statements)', ${SUMS}
FROM performance_schema.events_statements_summary_global_by_event_name WHERE EVENT_NAME = 'statement/com/Execute'`,
      as: 'difference',
      key: ['query'],
    },
  },
  {
    description: 'InnoDB status report: transactions, locks, I/O, log and buffer pool.',
    capture: { name: 'InnoDB status', statement: 'SHOW ENGINE INNODB STATUS', as: 'text', at: ['stall', 'end'] },
  },
  {
    description: 'Each connection with its statement and state.',
    capture: { name: 'process list', statement: 'SHOW FULL PROCESSLIST', as: 'table', at: ['stall'] },
  },
  {
    description: 'Open InnoDB transactions with the locks they wait for.',
    capture: {
      name: 'InnoDB transactions',
      statement: 'SELECT * FROM information_schema.INNODB_TRX ORDER BY trx_started',
      as: 'table',
      at: ['stall'],
    },
  },
  {
    description:
      'How often and how long the server waited for locks, mutexes and files. Needs performance_schema with its wait instruments.',
    capture: {
      name: 'waits',
      statement: `SELECT EVENT_NAME AS event, SUM_TIMER_WAIT ${MS} AS time_ms, COUNT_STAR AS waits
FROM performance_schema.events_waits_summary_global_by_event_name WHERE COUNT_STAR > 0 AND EVENT_NAME <> 'idle'`,
      as: 'difference',
      key: ['event'],
    },
  },
  {
    description: 'Every counter of the server from start to end.',
    capture: {
      name: 'status counters',
      statement: "SHOW GLOBAL STATUS WHERE Value REGEXP '^[0-9]+$'",
      as: 'difference',
      key: ['Variable_name'],
    },
  },
  {
    description: 'Time of one statement by stage: replace SELECT 1 with another statement.',
    capture: {
      name: 'profile of a statement',
      first: ['SET profiling = 1', 'SELECT 1'],
      statement: 'SHOW PROFILE',
      as: 'table',
      at: ['end'],
    },
  },
];
