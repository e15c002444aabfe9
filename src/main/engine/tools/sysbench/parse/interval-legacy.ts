import { DECIMAL, decimal, END, ended, INTEGER, type Shape } from './interval-shape.ts';

const latency = (ms: string | undefined, percentile: string | undefined) =>
  percentile === undefined ? [] : [{ percentile: Number(percentile), ms: decimal(ms) }];

/**
 * Interval lines of sysbench 0.4 and 0.5. "Other" queries are not in them, so there is no `qps`;
 * `reads` and `writes` are per second with and without the `/s`; MB means 2^20 bytes.
 */
export const LEGACY_SHAPES: readonly Shape[] = [
  {
    pattern: new RegExp(
      `threads: ${INTEGER}, tps: ${DECIMAL}(?:, reads(?:/s)?: ${DECIMAL}, writes(?:/s)?: ${DECIMAL}` +
        `(?:,? response time: ${DECIMAL}ms \\(${INTEGER}%\\)(?:, ${DECIMAL}ms \\(${INTEGER}%\\))?)?` +
        `(?:, errors: ${DECIMAL}, reconnects: ${DECIMAL})?)?${END}`,
      'y',
    ),
    read: ([threads, tps, reads, writes, ms, percentile, secondMs, secondPercentile, errors, reconnects]) => ({
      metrics: {
        threads_running: decimal(threads),
        tps: decimal(tps),
        qps_read: decimal(reads),
        qps_write: decimal(writes),
        errors_per_s: decimal(errors),
        reconnects_per_s: decimal(reconnects),
      },
      latencies: [...latency(ms, percentile), ...latency(secondMs, secondPercentile)],
      progress: ended(decimal(tps), decimal(reads), decimal(writes)),
    }),
  },
  {
    pattern: new RegExp(
      `reads: ${DECIMAL} MB/s writes: ${DECIMAL} MB/s fsyncs: ${DECIMAL}/s(?: response time: ${DECIMAL}ms \\(${INTEGER}%\\))?${END}`,
      'y',
    ),
    read: ([read, write, fsyncs, ms, percentile]) => ({
      metrics: { read_mib_s: decimal(read), write_mib_s: decimal(write), fsyncs_per_s: decimal(fsyncs) },
      latencies: latency(ms, percentile),
      progress: (decimal(read) ?? 0) + (decimal(write) ?? 0) + (decimal(fsyncs) ?? 0),
    }),
  },
  {
    pattern: new RegExp(`${DECIMAL} MB/sec,`, 'y'),
    read: ([speed]) => ({ metrics: { transfer_mib_s: decimal(speed) }, latencies: [], progress: decimal(speed) }),
  },
];
