import type { ReadyCapture } from '../../../../shared/model/capture.ts';

/** Tables of ClickHouse that are worth keeping of a run. */
export const CLICKHOUSE_CAPTURES: readonly ReadyCapture[] = [
  {
    description: 'Every counter of the server from start to end.',
    capture: {
      name: 'events',
      statement: 'SELECT event, value FROM system.events',
      as: 'difference',
      key: ['event'],
    },
  },
  {
    description: 'Queries that are running, with what they have read and the memory that they use.',
    capture: {
      name: 'processes',
      statement: 'SELECT query_id, elapsed, read_rows, memory_usage, query FROM system.processes',
      as: 'table',
      at: ['stall'],
    },
  },
  {
    description: 'Merges of parts that are running.',
    capture: {
      name: 'merges',
      statement: 'SELECT database, table, elapsed, progress, num_parts, memory_usage FROM system.merges',
      as: 'table',
      at: ['stall', 'end'],
    },
  },
];
