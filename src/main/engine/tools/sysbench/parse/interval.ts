import { DECIMAL, decimal, END, ended, type Figures, INTEGER, ownMetricsAt, type Shape } from './series.ts';

/** One statement found in a line; `t` in seconds of sysbench's counter. */
export type Interval =
  | ({ kind: 'sample'; t: number } & Figures)
  | { kind: 'queue'; t: number; length: number; concurrency: number }
  | { kind: 'metrics'; t: number; metrics: Record<string, number> }
  | { kind: 'checkpoint'; t: number };

const latency = (ms: string | undefined, percentile: string | undefined) =>
  percentile === undefined ? [] : [{ percentile: Number(percentile), ms: decimal(ms) }];

/**
 * Interval lines of sysbench 0.4 and 0.5. They do not contain "other" queries, so there is no `qps`. `reads` and `writes` are per second with and
 * without the `/s`; MB means 2^20 bytes.
 */
const LEGACY_SHAPES: readonly Shape[] = [
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

/** Interval lines of 1.0.x and 1.1, and of the development versions before 1.0. */
const SHAPES: readonly Shape[] = [
  {
    pattern: new RegExp(
      `(?:thds|threads): ${INTEGER} tps: ${DECIMAL} qps: ${DECIMAL} \\(r/w/o: ${DECIMAL}/${DECIMAL}/${DECIMAL}\\) ` +
        `(?:lat|latency) \\(ms,${INTEGER}%\\): ${DECIMAL} (?:err|errors)/s:? ${DECIMAL} (?:reconn|reconnects)/s: ${DECIMAL}${END}`,
      'y',
    ),
    read: ([threads, tps, qps, read, write, other, percentile, latency, errors, reconnects]) => ({
      metrics: {
        threads_running: decimal(threads),
        tps: decimal(tps),
        qps: decimal(qps),
        qps_read: decimal(read),
        qps_write: decimal(write),
        qps_other: decimal(other),
        errors_per_s: decimal(errors),
        reconnects_per_s: decimal(reconnects),
      },
      latencies: [{ percentile: Number(percentile), ms: decimal(latency) }],
      progress: ended(decimal(tps), decimal(qps)),
    }),
  },
  {
    pattern: new RegExp(
      `threads: ${INTEGER} tps: ${DECIMAL} qps: ${DECIMAL} \\(r/w/o: ${DECIMAL}/${DECIMAL}/${DECIMAL}\\) ` +
        `latency: ${DECIMAL}ms \\(${INTEGER}%\\) errors/s: ${DECIMAL} reconnects/s: ${DECIMAL}${END}`,
      'y',
    ),
    read: ([threads, tps, qps, read, write, other, latency, percentile, errors, reconnects]) => ({
      metrics: {
        threads_running: decimal(threads),
        tps: decimal(tps),
        qps: decimal(qps),
        qps_read: decimal(read),
        qps_write: decimal(write),
        qps_other: decimal(other),
        errors_per_s: decimal(errors),
        reconnects_per_s: decimal(reconnects),
      },
      latencies: [{ percentile: Number(percentile), ms: decimal(latency) }],
      progress: ended(decimal(tps), decimal(qps)),
    }),
  },
  {
    pattern: new RegExp(
      `(?:thds|threads): ${INTEGER} (?:eps|events/s): ${DECIMAL} (?:lat|latency) \\(ms,${INTEGER}%\\): ${DECIMAL}${END}`,
      'y',
    ),
    read: ([threads, eps, percentile, latency]) => ({
      metrics: { threads_running: decimal(threads), eps: decimal(eps) },
      latencies: [{ percentile: Number(percentile), ms: decimal(latency) }],
      progress: decimal(eps),
    }),
  },
  {
    pattern: new RegExp(
      `reads: ${DECIMAL} MiB/s writes: ${DECIMAL} MiB/s fsyncs: ${DECIMAL}/s (?:latency \\(ms,${INTEGER}%\\): ${DECIMAL}${END}|` +
        `(?:response time|latency): ${DECIMAL} ?ms \\(${INTEGER}(?:%|th pct\\.)\\))`,
      'y',
    ),
    read: ([read, write, fsyncs, percentile, latency, oldLatency, oldPercentile]) => ({
      metrics: { read_mib_s: decimal(read), write_mib_s: decimal(write), fsyncs_per_s: decimal(fsyncs) },
      latencies: [{ percentile: Number(percentile ?? oldPercentile), ms: decimal(latency ?? oldLatency) }],
      progress: (decimal(read) ?? 0) + (decimal(write) ?? 0) + (decimal(fsyncs) ?? 0),
    }),
  },
  {
    pattern: new RegExp(`${DECIMAL} MiB/sec${END}`, 'y'),
    read: ([speed]) => ({ metrics: { transfer_mib_s: decimal(speed) }, latencies: [], progress: decimal(speed) }),
  },
  ...LEGACY_SHAPES,
];

/** 0.x pads the second to four columns and has no blank before the bracket: `[   1s] `; 1.x: `[ 1s ] `. */
const PREFIX = /\[ *(\d{1,9})s ?\] /g;
const QUEUE = new RegExp(`queue length: ${INTEGER},? concurrency: ${INTEGER}${END}`, 'y');
const CHECKPOINT = /Checkpoint report:/y;

function statementAt(line: string, at: number, t: number): { interval: Interval; end: number } | undefined {
  QUEUE.lastIndex = at;
  const queue = QUEUE.exec(line);
  if (queue)
    return {
      interval: { kind: 'queue', t, length: Number(queue[1]), concurrency: Number(queue[2]) },
      end: QUEUE.lastIndex,
    };
  const own = ownMetricsAt(line, at);
  if (own) return { interval: { kind: 'metrics', t, metrics: own.metrics }, end: own.end };
  CHECKPOINT.lastIndex = at;
  if (CHECKPOINT.test(line)) return { interval: { kind: 'checkpoint', t }, end: CHECKPOINT.lastIndex };
  for (const shape of SHAPES) {
    shape.pattern.lastIndex = at;
    const match = shape.pattern.exec(line);
    if (match) return { interval: { kind: 'sample', t, ...shape.read(match.slice(1)) }, end: shape.pattern.lastIndex };
  }
  return undefined;
}

/** All interval statements in a line, in any position: a script's own output can precede one on the same line. `rest` is the remaining text. */
export function findIntervals(line: string): { intervals: Interval[]; rest: string } {
  const intervals: Interval[] = [];
  let rest = '';
  let read = 0;
  for (const prefix of line.matchAll(PREFIX)) {
    if (prefix.index < read) continue;
    const found = statementAt(line, prefix.index + prefix[0].length, Number(prefix[1]));
    if (!found) continue;
    intervals.push(found.interval);
    rest += line.slice(read, prefix.index);
    read = found.end;
  }
  return { intervals, rest: (rest + line.slice(read)).trim() };
}
