export interface Row {
  pattern: RegExp;
  /** One key per group; `undefined` skips the group. */
  keys: readonly (string | undefined)[];
  /** Factor from the printed unit to the key's. */
  scale?: number;
  /** Occurs in reports whose last section is that of latencies. */
  endsWithLatency?: true;
}

export const MS_PER_S = 1000;

/** A printed figure, as a group. */
export const number = '(-?(?:\\d+(?:\\.\\d+)?|nan|inf)|N/A)';
/** `name:   123   (4.56 per sec.)` */
const perSecond = (name: string, total: string, rate: string): Row => ({
  pattern: new RegExp(`^\\s*${name}:\\s+${number}\\s+\\(${number} per sec\\.\\)$`),
  keys: [total, rate],
});
const plain = (name: string, key: string, unit = ''): Row => ({
  pattern: new RegExp(`^\\s*${name}:\\s+${number}${unit}$`),
  keys: [key],
});

const SQL: readonly Row[] = [
  plain('read', 'queries_read_total'),
  plain('write', 'queries_write_total'),
  plain('other', 'queries_other_total'),
  plain('total', 'queries_performed_total'),
  perSecond('transactions', 'transactions_total', 'tps'),
  perSecond('queries', 'queries_total', 'qps'),
  perSecond('ignored errors', 'ignored_errors_total', 'errors_per_s'),
  perSecond('reconnects', 'reconnects_total', 'reconnects_per_s'),
  perSecond('deadlocks', 'deadlocks_total', 'deadlocks_per_s'),
  perSecond('read/write requests', 'read_write_requests_total', 'read_write_requests_per_s'),
  perSecond('other operations', 'other_operations_total', 'other_operations_per_s'),
];
const FILES: readonly Row[] = [
  plain('reads/s', 'reads_per_s'),
  plain('writes/s', 'writes_per_s'),
  plain('fsyncs/s', 'fsyncs_per_s'),
];
const throughput11 = (name: string, rate: string, speed: string): Row => ({
  pattern: new RegExp(`^\\s*${name}:\\s+IOPS=${number} ${number} MiB/s \\(${number} MB/s\\)$`),
  keys: [rate, speed, undefined],
});
const THROUGHPUT: readonly Row[] = [
  plain('read, MiB/s', 'read_mib_s'),
  plain('written, MiB/s', 'write_mib_s'),
  throughput11('read', 'reads_per_s', 'read_mib_s'),
  throughput11('write', 'writes_per_s', 'write_mib_s'),
  { pattern: new RegExp(`^\\s*fsync:\\s+IOPS=${number}$`), keys: ['fsyncs_per_s'], endsWithLatency: true },
  plain('events/s \\(eps\\)', 'eps'),
  plain('time elapsed', 'total_time_s', 's'),
  plain('total number of events', 'events_total'),
];
const GENERAL: readonly Row[] = [
  plain('total time', 'total_time_s', 's'),
  plain('total number of events', 'events_total'),
  plain('total time taken by event execution', 'execution_time_total_s', 's?'),
];
const latency = (name: string): readonly Row[] => [
  plain(name, `latency_${name}_ms`, '(?:ms)?'),
  { ...plain(name, `latency_${name}_ms`, 's'), scale: MS_PER_S },
];
/** In milliseconds, with the unit in 0.4 and 0.5; seconds up to 0.4.8. */
export const LATENCY: readonly Row[] = ['min', 'avg', 'max', 'sum'].flatMap(latency);
export const FAIRNESS: readonly Row[] = [
  {
    pattern: new RegExp(`^\\s*events \\(avg/stddev\\):\\s+${number}/${number}$`),
    keys: ['events_per_thread_avg', 'events_per_thread_stddev'],
  },
  {
    pattern: new RegExp(`^\\s*execution time \\(avg/stddev\\):\\s+${number}/${number}$`),
    keys: ['execution_time_avg_s', 'execution_time_stddev_s'],
  },
];
/** Rows without a heading. */
export const UNHEADED: readonly Row[] = [
  {
    pattern: new RegExp(`^Total operations: ${number} \\(\\s*${number} per second\\)$`),
    keys: ['operations_total', 'ops'],
  },
  {
    pattern: new RegExp(`^Operations performed: ${number} \\(\\s*${number} ops/sec\\)$`),
    keys: ['operations_total', 'ops'],
  },
  {
    pattern: new RegExp(`^${number} Mi?B transferred \\(${number} Mi?B/sec\\)$`),
    keys: ['transferred_mib_total', 'transfer_mib_s'],
  },
  {
    pattern: new RegExp(
      `^Operations performed:\\s+${number} reads?, ${number} writes?, ${number} Other = ${number} Total$`,
      'i',
    ),
    keys: ['file_reads_total', 'file_writes_total', 'file_other_total', undefined],
  },
  { pattern: new RegExp(`^\\s*${number} Requests/sec executed$`), keys: ['ops'] },
  {
    pattern: new RegExp(`^Number of unfinished transactions on forced shutdown: ${number}$`),
    keys: ['unfinished_transactions_total'],
  },
];

/** Rows allowed after each heading. A heading alone does not identify a report: `General statistics:` is in all of them. */
export const SECTIONS: ReadonlyMap<string, readonly Row[]> = new Map(
  Object.entries<readonly Row[]>({
    'SQL statistics:': SQL,
    'OLTP test statistics:': SQL,
    'queries performed:': SQL,
    'File operations:': FILES,
    'Throughput:': THROUGHPUT,
    'CPU speed:': [plain('events per second', 'eps')],
    'General statistics:': GENERAL,
    // 0.4 as packaged by distributions.
    'Test execution summary:': GENERAL,
    'per-request statistics:': LATENCY,
    'Latency (ms):': LATENCY,
    'response time:': LATENCY,
    'Threads fairness:': FAIRNESS,
    // go-sysbench
    'Threads fairness (Event distribution by threads):': FAIRNESS,
    'Latency histogram (values are in milliseconds)': [],
  }),
);
