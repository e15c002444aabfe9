import { describe, expect, it } from 'vitest';
import { isMetric, percentileMetric } from '../../../../../shared/metrics/index.ts';
import type { Recording } from '../../testing/recordings.ts';
import { RECORDINGS, readOutput, readRecording, recordingNamed, stepOf } from '../testing/recordings.ts';

type Values = Record<string, unknown>;

/** The expected finding with the reason, by the error class of the recording. */
const REASONS: Record<string, string> = {
  access_denied_to_database: 'database-access-denied',
  auth_failed: 'auth-failed',
  bad_driver: 'bad-driver',
  bad_option_value: 'bad-option-value',
  column_count_mismatch: 'column-count-mismatch',
  command_not_found: 'tool-missing',
  connection_lost: 'connection-lost',
  connection_refused: 'connection-refused',
  disk_full: 'disk-full',
  duplicate_key: 'duplicate-key',
  event_queue_full: 'event-queue-full',
  files_missing: 'files-missing',
  files_too_small: 'files-too-small',
  forced_shutdown: 'forced-shutdown',
  killed_sighup: 'killed-by-signal',
  killed_sigint: 'killed-by-signal',
  killed_sigkill: 'killed-by-signal',
  killed_sigterm: 'killed-by-signal',
  missing_command: 'missing-command',
  missing_option: 'missing-option',
  output_truncated: 'output-truncated',
  script_error: 'script-error',
  table_exists: 'table-exists',
  table_missing: 'table-missing',
  tls_failed: 'tls-failed',
  too_many_connections: 'too-many-connections',
  tool_crashed_on_connection_loss: 'tool-crashed',
  tool_crashed_on_reconnect: 'tool-crashed',
  unknown_command: 'unknown-command',
  unknown_database: 'database-missing',
  unknown_host: 'unknown-host',
  unknown_option: 'unknown-option',
};
/** Runs that completed despite a disturbance: the finding that reports it. */
const DISTURBANCES: Record<string, string> = {
  server_stalled: 'no-progress',
  reconnected: 'reconnected',
  deadlocks_ignored: 'errors-ignored',
  tool_stopped: 'seconds-repeated',
};

const SAMPLE_KEYS: Record<string, string> = {
  threads: 'threads_running',
  tps: 'tps',
  qps: 'qps',
  reads_per_s: 'qps_read',
  writes_per_s: 'qps_write',
  other_per_s: 'qps_other',
  errors_per_s: 'errors_per_s',
  reconnects_per_s: 'reconnects_per_s',
  eps: 'eps',
  read_mib_s: 'read_mib_s',
  write_mib_s: 'write_mib_s',
  read_mb_s: 'read_mib_s',
  write_mb_s: 'write_mib_s',
  fsyncs_per_s: 'fsyncs_per_s',
  mib_per_s: 'transfer_mib_s',
  queue_length: 'queue_length',
  concurrency: 'queue_concurrency',
};

const SUMMARY_KEYS: Record<string, string> = {
  queries_read: 'queries_read_total',
  queries_write: 'queries_write_total',
  queries_other: 'queries_other_total',
  queries_total: 'queries_performed_total',
  transactions: 'transactions_total',
  tps: 'tps',
  queries: 'queries_total',
  qps: 'qps',
  ignored_errors: 'ignored_errors_total',
  ignored_errors_per_s: 'errors_per_s',
  reconnects: 'reconnects_total',
  reconnects_per_s: 'reconnects_per_s',
  total_time_s: 'total_time_s',
  total_events: 'events_total',
  lat_min_ms: 'latency_min_ms',
  lat_avg_ms: 'latency_avg_ms',
  lat_max_ms: 'latency_max_ms',
  lat_sum_ms: 'latency_sum_ms',
  events_avg: 'events_per_thread_avg',
  events_stddev: 'events_per_thread_stddev',
  execution_time_s_avg: 'execution_time_avg_s',
  execution_time_s_stddev: 'execution_time_stddev_s',
  event_execution_time_s: 'execution_time_total_s',
  reads_per_s: 'reads_per_s',
  writes_per_s: 'writes_per_s',
  fsyncs_per_s: 'fsyncs_per_s',
  read_mib_s: 'read_mib_s',
  written_mib_s: 'write_mib_s',
  cpu_events_per_s: 'eps',
  eps: 'eps',
  rw_requests: 'read_write_requests_total',
  rw_requests_per_s: 'read_write_requests_per_s',
  other_operations: 'other_operations_total',
  other_operations_per_s: 'other_operations_per_s',
  deadlocks: 'deadlocks_total',
  deadlocks_per_s: 'deadlocks_per_s',
  memory_operations: 'operations_total',
  memory_ops_per_s: 'ops',
  memory_mib_transferred: 'transferred_mib_total',
  memory_mib_per_s: 'transfer_mib_s',
  file_reads: 'file_reads_total',
  file_writes: 'file_writes_total',
  file_other: 'file_other_total',
  requests_per_s: 'ops',
  unfinished_on_forced_shutdown: 'unfinished_transactions_total',
};
/** `4.3139Gb` in the old fileio report, in MiB. */
const SIZES: Record<string, string> = {
  read: 'read_mib_total',
  written: 'written_mib_total',
  total_transferred: 'transferred_mib_total',
  throughput: 'transfer_mib_s',
};

/** The expected sample. Latencies of 0.00 in an idle interval, and disabled ones, are not values. */
function expectedSample(expected: Values): { t: number; metrics: Values } {
  const metrics: Values = {};
  for (const [key, id] of Object.entries(SAMPLE_KEYS)) if (key in expected) metrics[id] = expected[key];
  const rates = ['tps', 'eps', 'read_mib_s', 'write_mib_s', 'fsyncs_per_s', 'read_mb_s', 'write_mb_s'];
  const idle = !rates.some((key) => Number(expected[key] ?? 0) > 0);
  const percentile = Number(expected.lat_pct ?? 95);
  if ('lat_ms' in expected && percentile > 0 && !(expected.lat_ms === 0 && idle))
    metrics[percentileMetric(percentile)] = expected.lat_ms;
  Object.assign(metrics, expected.own);
  return { t: Number(expected.t_s), metrics };
}

function expectedSummary(expected: Values): Record<string, number> {
  const summary: Record<string, number> = {};
  for (const [key, value] of Object.entries(expected)) {
    const id = SUMMARY_KEYS[key];
    const size = SIZES[key];
    if (id) summary[id] = Number(value);
    else if (size) summary[size] = Number.parseFloat(String(value)) * (String(value).includes('Gb') ? 1024 : 1);
    else if (key === 'histogram') {
      const { rows, count } = value as { rows: number; count: number };
      Object.assign(summary, { histogram_rows: rows, histogram_events_total: count });
      Object.assign(summary, expected.histogram_percentiles);
    } else if (key === 'own') {
      Object.assign(summary, value);
    } else if (!['t_s', 'lat_pct', 'lat_pct_ms', 'histogram_percentiles'].includes(key))
      throw new Error(`nothing compares ${key}`);
  }
  if (Number(expected.lat_pct) > 0) summary[percentileMetric(Number(expected.lat_pct))] = Number(expected.lat_pct_ms);
  return summary;
}

function rounded(values: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, Number(value.toFixed(4))]));
}

const progress = (metrics: Record<string, number>): number | undefined => metrics.tps ?? metrics.eps;

describe.each(RECORDINGS.map((entry): [string, Recording] => [entry.name, entry]))('%s', (name, entry) => {
  const { expected } = entry;
  const read = readRecording(entry);
  const codes = read.findings.map((finding) => finding.code);

  it('has the printed samples', () => {
    expect(read.samples.length).toBe(expected.interval_samples);
    for (const [at, key] of [
      [0, 'first'],
      [-1, 'last'],
    ] as const) {
      const wanted = expected[key] as Values | null;
      if (wanted && 't_s' in wanted) expect(read.samples.at(at)).toEqual(expectedSample(wanted));
    }
    for (const sample of read.samples)
      for (const id of Object.keys(sample.metrics)) expect(isMetric(id), id).toBe(true);
  });

  it('has the final report and the checkpoints', () => {
    const wanted = expected.summary as Values | null;
    // sysbench resets its counters after a checkpoint.
    const { counted_from_s: counted, ...summary } = read.summary;
    expect(counted).toBe(wanted ? (expected.checkpoints as { t_s: number }[]).at(-1)?.t_s : undefined);
    if (wanted) expect(rounded(summary)).toEqual(rounded(expectedSummary(wanted)));
    else if (stepOf(entry) === 'run') expect(read.summary).toEqual({});
    const checkpoints = expected.checkpoints as Values[];
    expect((read.checkpoints ?? []).map(({ t, summary }) => ({ t, summary: rounded(summary) }))).toEqual(
      checkpoints.map((checkpoint) => ({ t: checkpoint.t_s, summary: rounded(expectedSummary(checkpoint)) })),
    );
  });

  it('reports its failures and nothing else', () => {
    const wanted = String(expected.error_class);
    // 0.4 exits with code 1 for --help.
    const reason = name === 'v0.4-help' ? 'exit-code' : REASONS[wanted];
    const disturbance = DISTURBANCES[wanted];
    expect(wanted === 'none' || reason !== undefined || disturbance !== undefined, wanted).toBe(true);
    if (disturbance) expect(codes).toContain(disturbance);
    expect(read.reason?.code).toBe(reason);
    expect(read.ok).toBe(reason === undefined);
    expect(new Set(codes).size, 'each code told once').toBe(codes.length);
    if (reason) {
      expect(codes).toContain(reason);
      expect(read.reason?.next).toMatch(/\.$|\)$/);
    } else expect(read.findings.filter((finding) => finding.severity === 'error')).toEqual([]);
  });

  it('recognizes idle, disturbed and missing seconds', () => {
    const at = (test: (metrics: Record<string, number>) => boolean) =>
      read.samples.filter(({ metrics }) => test(metrics)).map(({ t }) => t);
    if (expected.zero_intervals_t_s)
      expect(at((metrics) => progress(metrics) === 0)).toEqual(expected.zero_intervals_t_s);
    for (const [key, id] of [
      ['intervals_with_errors', 'errors_per_s'],
      ['intervals_with_reconnects', 'reconnects_per_s'],
    ] as const)
      if (expected[key])
        expect(
          read.samples.filter(({ metrics }) => (metrics[id] ?? 0) > 0).map(({ t, metrics }) => [t, metrics[id]]),
        ).toEqual(expected[key]);
    expect(codes.includes('seconds-missing')).toBe('missing_timestamps' in expected);
    expect(codes.includes('seconds-repeated')).toBe('repeated_timestamps' in expected);
  });

  it('leaves nothing of sysbench unread', () => {
    const foreign = /^my stat: |^SUMMARY \{|^pipestatus /;
    const unexpected = read.unparsed.filter((line) => !foreign.test(line) && line !== expected.last_line);
    expect(unexpected, name).toEqual([]);
  });
});

describe('prepare', () => {
  it('counts tables and rows, even with two messages on one line', () => {
    for (const entry of RECORDINGS.filter(({ expected }) => expected.rows_inserted)) {
      const rows = Object.values(entry.expected.rows_inserted as Record<string, number>);
      const { summary } = readRecording(entry);
      expect(summary.rows_inserted_total, entry.name).toBe(rows.reduce((sum, count) => sum + count, 0));
      expect(summary.tables_created_total, entry.name).toBe((entry.expected.tables_created as string[]).length);
    }
  });
  it('reads the bytes written by fileio', () => {
    const { summary } = readRecording(recordingNamed('fileio-fsync-prepare'));
    expect(summary).toEqual({ bytes_written_total: 67_108_864, total_time_s: 0.09, write_mib_s: 686.46 });
  });
});

describe('output of several runs', () => {
  const whole = (name: string) => recordingNamed(name).stdout;
  const first = readOutput(whole('mariadb-rw-t1'), '', { exit: { code: 0 } });
  it.each(['cpu-rate', 'mariadb-rw-t1', 'v0.4-fileio-rndrw'])('is read as the first one, with %s after it', (name) => {
    const read = readOutput(whole('mariadb-rw-t1') + whole(name), '', { exit: { code: 0 } });
    expect(read.samples).toEqual(first.samples);
    expect(read.summary).toEqual(first.summary);
    expect(read.ok).toBe(true);
    expect(read.findings.filter(({ code }) => code === 'several-runs')).toEqual([
      expect.objectContaining({ severity: 'warn', message: expect.stringContaining('contains 2 runs') }),
    ]);
  });
  it('is read as the first one if that was killed', () => {
    const killed = whole('mariadb-rw-t1').replace(/SQL statistics:[\s\S]*/, '');
    const read = readOutput(killed + whole('mariadb-rw-t1'), '', { exit: { code: 0 } });
    expect(read.samples).toEqual(first.samples);
    expect(read).toMatchObject({ ok: false, reason: { code: 'no-summary' } });
    expect(first.findings.map(({ code }) => code)).not.toContain('several-runs');
  });
});

/** The output of 1.1 for `fileio run`: no general statistics and no fairness of threads. */
const fileio11 = (percentile: string): string =>
  recordingNamed('fileio-run-rndrw-rate')
    .stdout.replace('sysbench 1.0.20', 'sysbench 1.1.0')
    .replace(
      /File operations:[\s\S]*/,
      `Throughput:
         read:  IOPS=2620.41 40.94 MiB/s (42.93 MB/s)
         write: IOPS=1746.93 27.30 MiB/s (28.62 MB/s)
         fsync: IOPS=5589.60

Latency (ms):
         min:                                  0.00
         avg:                                  0.10
         max:                                 14.35
${percentile}
         sum:                               9972.97

`,
    );

it.each(['         95th percentile:                      0.39', '         percentile stats:               disabled'])(
  'the report of fileio 1.1 ends with its latencies: %s',
  (percentile) => {
    const read = readOutput(fileio11(percentile), '', { exit: { code: 0 } });
    expect(read).toMatchObject({ ok: true, unparsed: [] });
    expect(read.summary).toMatchObject({
      reads_per_s: 2620.41,
      write_mib_s: 27.3,
      fsyncs_per_s: 5589.6,
      latency_max_ms: 14.35,
    });
    const cut = fileio11(percentile).replace(/ +sum:[\s\S]*/, '');
    expect(readOutput(cut, '', { exit: { code: 0 } })).toMatchObject({ ok: false, reason: { code: 'no-summary' } });
  },
);
