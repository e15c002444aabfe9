import { describe, expect, it } from 'vitest';
import { isMetric } from '../../../../../shared/metrics/index.ts';
import type { Recording } from '../../testing/recordings.ts';
import { RECORDINGS, readOutput, readRecording, recordingNamed, stepOf } from '../testing/bench.ts';

type Values = Record<string, unknown>;

/** The expected finding with the reason, by the error class of the recording. */
const REASONS: Record<string, string> = {
  auth_failed: 'auth-failed',
  connection_lost: 'connection-lost',
  connection_lost_some_clients: 'connection-lost',
  connection_refused: 'connection-refused',
  killed_sigint: 'killed-by-signal',
  killed_sigkill: 'killed-by-signal',
  permission_denied: 'permission-denied',
  query_canceled: 'query-canceled',
  script_error: 'script-error',
  sql_error: 'sql-error',
  table_missing: 'table-missing',
  too_many_connections: 'too-many-connections',
  unknown_option: 'unknown-option',
};
/** Runs that completed despite a disturbance: findings, at least one of which reports it. */
const DISTURBANCES: Record<string, readonly string[]> = {
  server_stalled: ['no-progress'],
  transactions_failed_or_retried: ['transactions-failed', 'transactions-retried'],
};

const SAMPLE_KEYS: Record<string, string> = {
  tps: 'tps',
  lat_ms: 'latency_avg_ms',
  stddev_ms: 'latency_stddev_ms',
  lag_ms: 'lag_avg_ms',
  failed: 'errors_per_s',
  skipped: 'skipped_per_s',
  retries: 'retries_per_s',
};

const SUMMARY_KEYS: Record<string, string> = {
  scaling_factor: 'scaling_factor',
  clients: 'clients',
  threads: 'threads',
  max_tries: 'max_tries',
  duration_s: 'planned_s',
  transactions: 'transactions_total',
  transactions_planned: 'transactions_planned_total',
  transactions_per_client: 'transactions_per_client',
  failed: 'failed_total',
  serialization_failures: 'serialization_failures_total',
  deadlock_failures: 'deadlock_failures_total',
  retried: 'retried_total',
  retries: 'retries_total',
  skipped: 'skipped_total',
  above_latency_limit: 'above_limit_total',
  latency_avg_ms: 'latency_avg_ms',
  latency_stddev_ms: 'latency_stddev_ms',
  lag_avg_ms: 'lag_avg_ms',
  lag_max_ms: 'lag_max_ms',
  initial_connection_ms: 'connection_initial_ms',
  average_connection_ms: 'connection_avg_ms',
  tps: 'tps',
};
const SCRIPT_KEYS: Record<string, string> = {
  weight: 'weight',
  transactions: 'transactions_total',
  tps: 'tps',
  failed: 'failed_total',
  latency_avg_ms: 'latency_avg_ms',
};

function expectedSample(expected: Values): { t: number; metrics: Values } {
  const idle = expected.tps === 0;
  const metrics: Values = {};
  for (const [key, id] of Object.entries(SAMPLE_KEYS))
    if (typeof expected[key] === 'number' && !(idle && key.endsWith('_ms'))) metrics[id] = expected[key];
  return { t: Number(expected.t_s), metrics };
}

/** Figures of the whole run, and of each script if there are several. */
function expectedSummary(expected: Values): Values {
  const summary: Values = {};
  for (const [key, value] of Object.entries(expected)) {
    const id = SUMMARY_KEYS[key];
    if (id) summary[id] = value;
    else if (key === 'scripts')
      for (const script of value as Values[])
        for (const [own, name] of Object.entries(SCRIPT_KEYS)) summary[`script_${script.n}_${name}`] = script[own];
    else if (!['query_mode', 'transaction_type', 'statements'].includes(key))
      throw new Error(`nothing compares ${key}`);
  }
  return summary;
}

function statementsOf(expected: Values): number {
  const scripts = (expected.scripts ?? []) as Values[];
  return scripts.reduce((sum, script) => sum + Number(script.statements), Number(expected.statements ?? 0));
}

const own = (key: string): boolean => !/_statement_|^script_\d+_(latency_stddev_ms|ret|ser|dead)/.test(key);

it('has recordings to read', () => {
  expect(RECORDINGS.length).toBeGreaterThan(40);
});

describe.each(RECORDINGS.map((entry): [string, Recording] => [entry.name, entry]))('%s', (name, entry) => {
  const { expected } = entry;
  const read = readRecording(entry);
  const codes = read.findings.map((finding) => finding.code);

  it('has the printed samples', () => {
    // Per-second rows of a preparation are not intervals of a run.
    const intervals = read.samples.filter(({ metrics }) => metrics.rows_per_s === undefined);
    expect(intervals.length).toBe(expected.interval_samples);
    for (const [at, key] of [
      [0, 'first'],
      [-1, 'last'],
    ] as const)
      if (expected[key]) expect(intervals.at(at)).toEqual(expectedSample(expected[key] as Values));
    for (const { metrics } of read.samples)
      for (const [id, value] of Object.entries(metrics)) {
        expect(isMetric(id), id).toBe(true);
        expect(Number.isFinite(value), id).toBe(true);
      }
    const idle = read.samples.filter(({ metrics }) => metrics.tps === 0);
    expect(idle.map(({ t }) => t)).toEqual(expected.zero_intervals_t_s ?? []);
    for (const { metrics } of idle) expect(metrics).not.toHaveProperty('latency_avg_ms');
  });

  it('has the final report', () => {
    const wanted = expected.summary as Values | null;
    if (wanted) {
      expect(Object.fromEntries(Object.entries(read.summary).filter(([key]) => own(key)))).toEqual(
        expectedSummary(wanted),
      );
      const statements = Object.keys(read.summary).filter((key) => /_statement_\d+_latency_ms$/.test(key));
      expect(statements.length).toBe(statementsOf(wanted));
    } else if (stepOf(entry) === 'run') expect(read.summary).toEqual({});
  });

  it('reports its failures and nothing else', () => {
    const wanted = String(expected.error_class);
    // When asked for its version it runs nothing, which is not a run.
    const reason = name === 'version' ? 'no-summary' : REASONS[wanted];
    const disturbances = DISTURBANCES[wanted];
    expect(wanted === 'none' || reason !== undefined || disturbances !== undefined, wanted).toBe(true);
    if (disturbances) expect(disturbances.some((code) => codes.includes(code))).toBe(true);
    expect(read.reason?.code).toBe(reason);
    expect(read.ok).toBe(reason === undefined);
    expect(new Set(codes).size, 'each code told once').toBe(codes.length);
    if (reason) {
      expect(codes).toContain(reason);
      expect(read.reason?.next).toMatch(/[.)]$/);
    } else expect(read.findings.filter((finding) => finding.severity === 'error')).toEqual([]);
    for (const { message } of read.findings) expect(message).toMatch(/^[^\n]+\.$/);
  });

  it('leaves nothing unread', () => {
    expect(read.unparsed).toEqual([]);
  });
});

describe('prepare', () => {
  it('counts rows and times its steps', () => {
    for (const entry of RECORDINGS.filter(({ expected }) => expected.init_progress)) {
      const { last } = entry.expected.init_progress as { last: { done: number } };
      const { summary } = readRecording(entry);
      expect(summary.rows_inserted_total, entry.name).toBe(last.done);
      const done = entry.expected.init_done as { total_s: number; steps: Record<string, number> } | undefined;
      if (!done) continue;
      expect(summary.total_time_s).toBe(done.total_s);
      for (const [part, seconds] of Object.entries(done.steps))
        expect(summary[`${part.replaceAll(/[ -]/g, '_')}_s`], part).toBe(seconds);
    }
  });
  it('without an end line is incomplete', () => {
    const { stderr } = recordingNamed('init-s5');
    const cut = stderr.slice(0, stderr.indexOf('vacuuming'));
    expect(readOutput('', cut, { phase: 'prepare', exit: { code: 0 } }).reason?.code).toBe('no-summary');
  });
});

describe('a progress line', () => {
  const samples = (...lines: string[]) => readOutput('', lines.map((line) => `${line}\n`).join('')).samples;
  it('of older versions has no failures', () => {
    expect(samples('progress: 1.0 s, 10.0 tps, lat 1.500 ms stddev 0.100')).toEqual([
      { t: 1, metrics: { tps: 10, latency_avg_ms: 1.5, latency_stddev_ms: 0.1 } },
    ]);
  });
  it('has no value for an invalid number', () => {
    const [sample] = samples('progress: 1.0 s, 1.0 tps, lat 3.000 ms stddev NaN, 2 failed, 0 retried, 0 retries');
    expect(sample).toEqual({ t: 1, metrics: { tps: 1, latency_avg_ms: 3, errors_per_s: 2, retries_per_s: 0 } });
  });
  it('of a longer interval is converted to rates per second', () => {
    const read = samples(
      'progress: 5.0 s, 2.0 tps, lat 1.000 ms stddev 0.100, 10 failed, lag 0.500 ms, 20 skipped',
      'progress: 10.0 s, 2.0 tps, lat 1.000 ms stddev 0.100, 5 failed, lag 0.500 ms, 0 skipped',
    );
    expect(read.map(({ metrics }) => [metrics.errors_per_s, metrics.skipped_per_s])).toEqual([
      [2, 4],
      [1, 0],
    ]);
  });
  it('after an unreadable one has no rates from counters', () => {
    const line = 'progress: 3.0 s, 2.0 tps, lat 1.000 ms stddev 0.100, 4 failed';
    expect(samples('progress: 2.0 s, 2.0 t\uFFFDs', line)[0]?.metrics).not.toHaveProperty('errors_per_s');
  });
  it('with clock times is converted to the time of the run', () => {
    const at = (second: string) => `progress: ${second} s, 2.0 tps, lat 1.000 ms stddev 0.100, 0 failed`;
    expect(samples(at('1795219286.362'), at('1795219287.362')).map(({ t }) => t)).toEqual([1, 2]);
  });
  it('on standard output, as in a terminal recording, is read too', () => {
    const { stdout, stderr } = recordingNamed('tpcb-c1');
    const merged = readOutput(stderr + stdout, '');
    expect(merged.samples).toEqual(readOutput(stdout, stderr).samples);
    expect(merged).toMatchObject({ ok: true, unparsed: [] });
  });
});

describe('findings next to a result', () => {
  it('report more clients than branches', () => {
    const { stdout, stderr } = recordingNamed('tpcb-c4-j2');
    const crowded = stdout.replace('scaling factor: 5', 'scaling factor: 2');
    const codes = (text: string) => readOutput(text, stderr).findings.map(({ code }) => code);
    expect(codes(crowded)).toEqual(['clients-above-scale']);
    expect(codes(stdout)).toEqual([]);
    expect(codes(crowded.replace('<builtin: TPC-B (sort of)>', '<builtin: select only>'))).toEqual([]);
  });
  it('do not report more clients than branches under a rate limit', () => {
    const { stdout, stderr } = recordingNamed('select-log-rate');
    const books = stdout.replace(/transaction type: .*/, 'transaction type: <builtin: TPC-B (sort of)>');
    const crowded = books.replace(/scaling factor: \d+/, 'scaling factor: 1').replace(/clients: \d+/, 'clients: 64');
    const codes = (text: string) => readOutput(text, stderr).findings.map(({ code }) => code);
    expect(codes(crowded)).not.toContain('clients-above-scale');
    expect(codes(crowded.replace(/rate limit schedule lag: .*\n/, ''))).toContain('clients-above-scale');
  });
  it('name the slowest statement', () => {
    const { findings } = readRecording(recordingNamed('custom-weights-r-log'));
    const slow = findings.find(({ code }) => code === 'slowest-statement');
    expect(slow).toMatchObject({ severity: 'note', evidence: expect.stringContaining('pg_sleep') });
  });
  it('count the clients that aborted', () => {
    const { findings } = readRecording(recordingNamed('fault-terminate-backend'));
    expect(findings.find(({ code }) => code === 'clients-aborted')?.message).toContain('1 of 4 clients');
  });
  it('use the aggregated logs after the report', () => {
    const { stdout, stderr } = recordingNamed('tpcb-c1');
    const rows = ['1795219378 8 233 51989 20 228 0 0 0 0 0 1 1 0 0', '1795219379 0 0 0 0 0 0 0 0 0 0 0 0 0 0'];
    const logs = `Aggregated log of pgbench:\n${rows.join('\n')}\nAggregated log of pgbench:\n1795219378 3 9 9 35 7228\n`;
    const read = readOutput(stdout + logs, stderr);
    expect(read.unparsed).toEqual([]);
    expect(read.summary).toMatchObject({ latency_min_ms: 0.02, latency_max_ms: 7.228 });
  });
});

describe('the report of an older version', () => {
  it('is read, excluding connection time if both are printed', () => {
    const stdout = [
      'transaction type: <builtin: select only>',
      'scaling factor: 1',
      'query mode: simple',
      'number of clients: 2',
      'number of threads: 1',
      'duration: 2 s',
      'number of transactions actually processed: 100',
      'latency average = 0.100 ms',
      'tps = 49.000000 (including connections establishing)',
      'tps = 50.000000 (excluding connections establishing)',
      '',
    ].join('\n');
    const read = readOutput(stdout, '', { exit: { code: 0 } });
    expect(read).toMatchObject({ ok: true, unparsed: [], summary: { tps: 50, tps_with_connecting: 49 } });
  });
});

describe('foreign files', () => {
  const { stdout, stderr } = recordingNamed('tpcb-c1');
  const other = recordingNamed('select-c16-prepared');
  it('of several runs are reported, and only the first is read', () => {
    const alone = readOutput(stderr + stdout, '');
    for (const read of [
      readOutput(stderr + stdout + other.stderr + other.stdout, ''),
      readOutput(stdout + other.stdout, stderr + other.stderr),
    ]) {
      expect(read.samples).toEqual(alone.samples);
      expect(read.summary).toEqual(alone.summary);
      expect(read.findings.map(({ code }) => code)).toEqual(['several-runs']);
    }
    expect(alone.findings).toEqual([]);
  });
  it('without their last newline are complete', () => {
    expect(readOutput(stdout.trimEnd(), stderr)).toEqual(readOutput(stdout, stderr));
    expect(readOutput(stdout.trimEnd().slice(0, -1), stderr).reason?.code).toBe('output-truncated');
  });
});

it('reads transactions by latency and second, if counted after the run', () => {
  const { stdout, stderr } = recordingNamed('tpcb-c4-j2');
  const rows = ['1795219338 250 3', '1795219337 1000 90', '1795219338 8060928 1', '1795219337 2000 10'];
  const mark = 'Latencies of pgbench by second and microseconds:';
  const read = readOutput(`${stdout}${[mark, ...rows].join('\n')}\n`, stderr, { exit: { code: 0 } });
  expect(read.ok).toBe(true);
  expect(read.unparsed).toEqual(readOutput(stdout, stderr, { exit: { code: 0 } }).unparsed);
  expect(read.latencies).toEqual({
    latency: [
      {
        from: 0,
        to: 1,
        histogram: [
          { ms: 1, count: 90 },
          { ms: 2, count: 10 },
        ],
      },
      {
        from: 1,
        to: 2,
        histogram: [
          { ms: 0.25, count: 3 },
          { ms: 8060.928, count: 1 },
        ],
      },
    ],
  });
  // Without the mark, these are unknown lines.
  expect(readOutput(`${stdout}${rows[0]}\n`, stderr, { exit: { code: 0 } }).latencies).toBeUndefined();
});
