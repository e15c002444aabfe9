import { describe, expect, it } from 'vitest';
import { isMetric, operationLatency, percentileMetric } from '../../../../../shared/metrics/index.ts';
import { RECORDINGS, readOutput, readRecording, recordingNamed, type YcsbRecording } from '../testing/recordings.ts';

type Values = Record<string, unknown>;
type Figures = Record<string, number | null>;
interface Status {
  t_s: number;
  operations: number;
  current_ops_s: number | null;
  ops: Record<string, Figures>;
}

/** The expected finding with the reason, by the error class of the recording. */
const REASONS: Record<string, string> = {
  auth_failed: 'auth-failed',
  bad_option_value: 'bad-option-value',
  command_not_found: 'tool-missing',
  connection_lost: 'connection-lost',
  connection_refused: 'connection-refused',
  export_failed: 'export-failed',
  init_failed: 'binding-failed',
  insert_errors: 'insert-errors',
  killed_sigint: 'killed-by-signal',
  killed_sigterm: 'killed-by-signal',
  missing_option: 'missing-option',
  operation_errors: 'operations-failed',
  output_truncated: 'output-truncated',
  table_missing: 'table-missing',
  unknown_option: 'unknown-option',
};
/** Where the message is more specific than the class. */
const REASONS_OF: Record<string, string> = {
  'jdbc-maria-load-again': 'duplicate-key',
  'fault-bad-workload-class': 'workload-class-missing',
};
/** Runs that completed despite a disturbance: the finding that reports it. */
const DISTURBANCES: Record<string, string> = { server_stalled: 'no-progress', tool_stopped: 'seconds-repeated' };

const KINDS: Record<string, string> = {
  READ: 'read',
  UPDATE: 'update',
  INSERT: 'insert',
  SCAN: 'scan',
  'READ-MODIFY-WRITE': 'rmw',
};
const kindOf = (name: string): string | undefined => KINDS[name.replace(/^(Hdr|Raw|Bucket)/, '')];
const NO_LATENCY = ['Count', 'Min'];

/** Latencies of an operation in a status line, in milliseconds by metric id. */
function expectedLatencies(name: string, figures: Figures): Record<string, number> {
  const kind = kindOf(name);
  const metrics: Record<string, number> = {};
  for (const [key, value] of Object.entries(figures)) {
    if (kind === undefined || value === null || NO_LATENCY.includes(key)) continue;
    const id =
      key === 'Max'
        ? 'latency_max_ms'
        : key === 'Avg' || key === 'AverageLatency(us)'
          ? 'latency_avg_ms'
          : percentileMetric(Number(key));
    metrics[operationLatency(kind, id)] = Number(`${value}e-3`);
  }
  return metrics;
}

const LATENCIES: Record<string, string> = { Average: 'avg', Min: 'min', Max: 'max' };
const slug = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll('%', 'percent')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/_$/, '');

/** The expected report, by the keys of a summary. */
function expectedSummary(sections: Record<string, Record<string, number | null>>): Record<string, number> {
  const summary: Record<string, number> = {};
  for (const [section, rows] of Object.entries(sections)) {
    const failed = section.endsWith('-FAILED');
    const name = section.replace('-FAILED', '');
    const form = /^Raw/.test(name) ? '_raw' : '';
    const prefix = `${kindOf(name) ?? slug(name.replace(/^(Hdr|Raw)/, ''))}${form}${failed ? '_failed' : ''}`;
    const operation = 'Operations' in rows || 'Total Operations' in rows;
    for (const [row, value] of Object.entries(rows)) {
      if (value === null || row.startsWith('Below is')) continue;
      const latency = LATENCIES[row.replace('Latency(us)', '')];
      const percentile = /^(?:p([\d.]+)|([\d.]+)(?:th)?PercentileLatency\(us\))$/.exec(row);
      const idle = (rows.Operations ?? rows['Total Operations']) === 0;
      if (section === 'OVERALL')
        summary[row.startsWith('RunTime') ? 'total_time_s' : 'ops'] = row.startsWith('RunTime') ? value / 1000 : value;
      else if (!operation) summary[`${prefix}_${slug(row)}`] = value;
      else if (latency ?? percentile) {
        const id = latency ? `latency_${latency}_ms` : percentileMetric(Number(percentile?.[1] ?? percentile?.[2]));
        if (!idle) summary[`${prefix}_${id}`] = value / 1000;
      } else if (/Operations$/.test(row)) summary[`${prefix}_operations_total`] = value;
      else if (row.startsWith('Return=')) summary[`${prefix}_return_${slug(row.slice(7))}_total`] = value;
      else summary[`${prefix}_${slug(row)}`] = value;
    }
  }
  return summary;
}

/** Keys of a summary that are not printed rows. */
const DERIVED = /^(latency_|operations_failed_total$|.*_(points_total|rows)$)/;

describe.each(RECORDINGS.map((entry): [string, YcsbRecording] => [entry.name, entry]))('%s', (name, entry) => {
  const expected = entry.expected as Values & { first: Status | null; last: Status | null };
  const read = readRecording(entry);
  const codes = read.findings.map((finding) => finding.code);

  it('has a sample for each complete interval', () => {
    const lines = Math.max(Number(expected.status_lines_stderr), Number(expected.status_lines_stdout));
    // The first line has no interval, and the last one of a completed run covers a partial interval.
    const ended = !/^(killed_|output_truncated)/.test(String(expected.error_class));
    if (expected.error_class === 'tool_stopped')
      expect(read.samples.map(({ t }) => t)).toEqual([1, 2, 3, 4, 7, 8, 9, 10]);
    else expect(read.samples.length).toBe(Math.max(0, lines - 1 - (ended ? 1 : 0)));
    for (const { metrics } of read.samples)
      for (const [id, value] of Object.entries(metrics)) {
        expect(isMetric(id), id).toBe(true);
        expect(Number.isFinite(value) && value >= 0, id).toBe(true);
      }
    const times = read.samples.map(({ t }) => t);
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
  });

  it('includes the last line if it is a complete interval', () => {
    const wanted = expected.last;
    const last = read.samples.at(-1);
    if (!wanted || last?.t !== wanted.t_s || last.metrics.ops !== wanted.current_ops_s) return;
    for (const [operation, figures] of Object.entries(wanted.ops))
      expect(last.metrics).toMatchObject(expectedLatencies(operation, figures));
  });

  it('has the final report', () => {
    const sections = expected.summary as Record<string, Record<string, number | null>> | null;
    const exported = entry.exported === '' ? read : readOutput(entry.exported, entry.stderr, { exit: entry.exit });
    const own = Object.entries(exported.summary).filter(([key]) => !DERIVED.test(key));
    const wanted = sections ? expectedSummary(sections) : {};
    const printed = Object.entries(wanted).filter(([key]) => !DERIVED.test(key));
    expect(Object.fromEntries(own)).toEqual(Object.fromEntries(printed));
  });

  it('reports its failures and nothing else', () => {
    const wanted = String(expected.error_class);
    const reason = REASONS_OF[name] ?? REASONS[wanted];
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

  it('recognizes idle intervals', () => {
    const idle = read.samples.filter(({ metrics }) => metrics.ops === 0);
    expect(idle.map(({ t }) => t)).toEqual(expected.zero_ops_status_lines_t_s ?? []);
    for (const { metrics } of idle) expect(Object.keys(metrics).filter((id) => id.includes('latency'))).toEqual([]);
  });

  it('leaves nothing of YCSB unread', () => {
    const unexpected = read.unparsed.filter((line) => !line.startsWith('pipestatus ') && line !== expected.last_line);
    expect(unexpected).toEqual([]);
  });

  it('contains no password', () => {
    expect(JSON.stringify([read.findings, read.unparsed])).not.toContain('sb-Fixture-pw1');
  });
});

describe('figures of an interval', () => {
  it('are rates by kind, and overall latencies if they can be derived', () => {
    const [sample] = readRecording(recordingNamed('jdbc-maria-a')).samples;
    const {
      ops = 0,
      ops_read = 0,
      ops_update = 0,
      errors_per_s,
      latency_avg_ms = 0,
      latency_max_ms,
    } = sample?.metrics ?? {};
    expect(ops_read + ops_update).toBeGreaterThan(ops * 0.95);
    expect(errors_per_s).toBe(0);
    expect(latency_max_ms).toBe(
      Math.max(sample?.metrics.read_latency_max_ms ?? 0, sample?.metrics.update_latency_max_ms ?? 0),
    );
    const apart = [sample?.metrics.read_latency_avg_ms ?? 0, sample?.metrics.update_latency_avg_ms ?? 0];
    expect(latency_avg_ms).toBeGreaterThan(Math.min(...apart));
    expect(latency_avg_ms).toBeLessThan(Math.max(...apart));
    expect(sample?.metrics).not.toHaveProperty('latency_p99_ms');
  });

  it('are overall ones if there is only one kind', () => {
    for (const { metrics } of readRecording(recordingNamed('c-readonly')).samples)
      for (const [id, value] of Object.entries(metrics))
        if (id.startsWith('read_latency_')) expect(metrics[id.slice(5)], id).toBe(value);
  });

  it('do not count a read-modify-write twice', () => {
    for (const { metrics } of readRecording(recordingNamed('f-rmw')).samples) {
      expect(metrics).toHaveProperty('rmw_latency_p99_ms');
      expect(metrics).toHaveProperty('latency_max_ms');
      expect(metrics).not.toHaveProperty('latency_avg_ms');
    }
  });

  it('count failures, even if the rate of YCSB does not fall', () => {
    const { samples } = readRecording(recordingNamed('jdbc-pg-fault-server-kill'));
    const last = samples.at(-1)?.metrics;
    expect(last?.ops).toBeCloseTo(400, -1);
    expect(last).toMatchObject({ ops_read: 0, ops_update: 0 });
    expect(last?.errors_per_s).toBeCloseTo(400, -1);
  });

  it('are the same in a locale with decimal commas', () => {
    const [sample] = readRecording(recordingNamed('a-locale-de')).samples;
    const [line = ''] = recordingNamed('a-locale-de')
      .stderr.split('\n')
      .filter((each) => each.includes(' 1 sec: '));
    const average = /READ: .*?Avg=(\d+),(\d+)/.exec(line);
    expect(sample?.metrics.read_latency_avg_ms).toBeCloseTo(Number(`${average?.[1]}.${average?.[2]}`) / 1000, 6);
  });

  it('include raw points and rows of time series', () => {
    const raw = recordingNamed('a-raw');
    const points = raw.expected.raw_points as Record<string, { rows: number }>;
    const { summary } = readRecording(raw);
    expect(summary.read_points_total).toBe(points.READ?.rows);
    expect(summary.update_points_total).toBe(points.UPDATE?.rows);
    const series = recordingNamed('stdout-pipe');
    const rows = series.expected.numeric_rows as Record<string, { rows: number }>;
    expect(readRecording(series).summary.read_rows).toBe(rows.READ?.rows);
  });

  it('include both measurements when made together', () => {
    const status = '2026-11-21 00:11:25:835 1 sec: 1206 operations; 1200 current ops/sec; ';
    const hdr = (name: string) =>
      `[Hdr${name}: Count=600, Max=5083, Min=0, Avg=1490.5, 90=3055, 99=3199, 99.9=4283, 99.99=5083]`;
    const lines = [
      '2026-11-21 00:11:24:835 0 sec: 6 operations; ∞ current ops/sec; est completion in 0 second ',
      `${status}${hdr('READ')}`,
      `RawREAD count: 600, average latency(us): 1490.10 ${hdr('UPDATE')}`,
      ` ${hdr('CLEANUP')}`,
      ' ',
    ];
    const { samples, unparsed } = readOutput('', `${lines.join('\n')}\n`);
    expect(unparsed).toEqual([]);
    expect(samples).toHaveLength(1);
    expect(samples[0]?.metrics).toMatchObject({
      ops: 1200,
      ops_read: 600,
      read_latency_avg_ms: 1.4905,
      update_latency_p99_ms: 3.199,
    });
  });

  it('separate measured latency from intended latency', () => {
    const group = (name: string, us: number) =>
      `[${name}: Count=5, Max=${us}, Min=1, Avg=${us}, 90=${us}, 99=${us}, 99.9=${us}, 99.99=${us}]`;
    const line = `2026-11-21 00:11:25:835 1 sec: 100 operations; 100 current ops/sec; ${group('Intended-READ', 9000)} ${group('READ', 1000)} `;
    const { samples } = readOutput('', `2026-11-21 00:11:24:835 0 sec: 0 operations; \n${line}\n`);
    expect(samples[0]?.metrics).toMatchObject({
      ops_read: 5,
      read_latency_p99_ms: 1,
      read_intended_latency_p99_ms: 9,
      latency_p99_ms: 1,
    });
  });
});

describe('the text around status lines', () => {
  const clock = (second: number) => `2026-11-21 00:11:0${second}:000 ${second} sec: `;
  it('reports no stall while threads are still connecting', () => {
    const lines = [0, 1, 2].map((second) => `${clock(second)}0 operations; est completion in 0 second `);
    const { samples, findings } = readOutput(
      '',
      `${lines.join('\n')}\n${clock(3)}60 operations; 60 current ops/sec; \n`,
    );
    expect(samples.map(({ t, metrics }) => [t, metrics.ops])).toEqual([
      [1, 0],
      [2, 0],
      [3, 60],
    ]);
    expect(findings.map(({ code }) => code)).toEqual(['no-summary']);
  });
  it('includes messages of a slow workload start', () => {
    const notice = 'Loading workload...\n (might take a few minutes for large data sets)\nStarting test.\n';
    const { samples, unparsed } = readOutput(
      '',
      `${notice}${clock(0)}0 operations; \n${clock(1)}60 operations; 60 current ops/sec; \n`,
    );
    expect({ unparsed, seconds: samples.length }).toEqual({ unparsed: [], seconds: 1 });
  });
  it('includes the log of the Java virtual machine', () => {
    const line =
      '[0.070s][warning][perf,memops] Cannot use file /tmp/hsperfdata_root/27055 because it is locked (errno = 11)';
    expect(readOutput(`${line}\n`, `${line}\n`).unparsed).toEqual([]);
  });
  it('reports operations of other kinds and prefixed text once', () => {
    const line = (second: number) =>
      `odd ${clock(second)}${second}00 operations; 100 current ops/sec; [PAINT: Count=1, Max=1, Min=1, Avg=1, 90=1, 99=1, 99.9=1, 99.99=1] `;
    const { samples, unparsed } = readOutput('', `${[0, 1, 2].map(line).join('\n')}\n`);
    expect(samples.map(({ t }) => t)).toEqual([1, 2]);
    expect(unparsed).toEqual(['odd ', '[PAINT]']);
  });
  it('finds an error of another thread without an end', () => {
    const glued = `Error in processing update to table: usertablejava.sql.SQLException: Deadlock found${clock(1)}10 operations; 10 current ops/sec; `;
    const { samples, reason, unparsed } = readOutput('', `${clock(0)}0 operations; \n${glued}\n`);
    expect(samples).toEqual([{ t: 1, metrics: { ops: 10 } }]);
    expect(reason?.code).toBe('deadlock');
    expect(unparsed).toEqual([]);
  });
});

describe('a report as JSON', () => {
  it('may be a list or one object after another', () => {
    const { exported, stderr, expected } = recordingNamed('a-jsonarray-exportfile');
    const list = readOutput(exported, stderr, { exit: { code: 0 } });
    const objects = readOutput(
      `${exported
        .replace(/^\[ /, '')
        .replace(/\s*\]\s*$/, '')
        .replaceAll('}, {', '} {')}\n`,
      stderr,
      { exit: { code: 0 } },
    );
    expect(list.unparsed).toEqual([]);
    expect(list.ok).toBe(true);
    expect(objects.summary).toEqual(list.summary);
    expect(list.summary.ops).toBe(
      (expected.summary as Record<string, Record<string, number>>).OVERALL?.['Throughput(ops/sec)'],
    );
  });
  it('in a file is reported', () => {
    const { findings, ok } = readRecording(recordingNamed('a-jsonarray-exportfile'));
    expect(ok).toBe(true);
    expect(findings.map(({ code }) => code)).toContain('report-exported');
  });
});

describe('a load', () => {
  it('with fewer records than runs need fails', () => {
    const { stdout, stderr } = recordingNamed('load-hdr');
    const read = (recordcount: number) =>
      readOutput(stdout, stderr, { phase: 'prepare', exit: { code: 0 }, options: { recordcount } });
    expect(read(12_000)).toMatchObject({ ok: true });
    expect(read(12_001)).toMatchObject({ ok: false, reason: { code: 'load-incomplete' } });
  });
  it('reports retried inserts', () => {
    const { stdout, stderr } = recordingNamed('load-hdr');
    const retried = stderr.replace(
      'Starting test.\n',
      'Starting test.\nRetrying insertion, retry count: 1\nRetrying insertion, retry count: 1\n',
    );
    const { findings, ok } = readOutput(stdout, retried, { exit: { code: 0 } });
    expect(ok).toBe(true);
    expect(findings.find(({ code }) => code === 'insert-retries')?.message).toContain('2 times');
  });
});

describe('foreign files', () => {
  const { stdout, stderr } = recordingNamed('a-default');
  it('of several runs are reported, and only the first is read', () => {
    const alone = readOutput(stdout, stderr);
    const read = readOutput(stdout + stdout, stderr + stderr);
    expect(read.samples).toEqual(alone.samples);
    expect(read.summary).toEqual(alone.summary);
    expect(read.findings.map(({ code }) => code)).toEqual(['several-runs']);
    expect(readOutput(stderr + stdout + stderr + stdout, '').samples).toEqual(alone.samples);
  });
  it('of the first releases have 0 for success', () => {
    const older = stdout.replaceAll('Return=OK', 'Return=0');
    expect(older).not.toBe(stdout);
    expect(readOutput(older, stderr)).toMatchObject({ ok: true });
    expect(readOutput(stdout.replaceAll('Return=OK', 'Return=-1'), stderr).reason?.code).toBe('operations-failed');
  });
  it('without their last newline are complete', () => {
    expect(readOutput(stdout.trimEnd(), stderr).reason).toBeUndefined();
  });
  it('keep the figures of the last line, marked as a partial interval', () => {
    const lines = [
      '2026-11-21 00:11:24:835 0 sec: 0 operations; ',
      '2026-11-21 00:11:34:835 10 sec: 9000 operations; 900 current ops/sec; ',
      '2026-11-21 00:11:38:035 13 sec: 11880 operations; 900 current ops/sec; [CLEANUP: Count=1, Max=9, Min=1, Avg=5, 90=8, 99=9, 99.9=9, 99.99=9] ',
    ];
    const read = readOutput('', `${lines.join('\n')}\n`);
    expect(read.samples.map(({ t }) => t)).toEqual([10]);
    const partial = read.findings.find(({ code }) => code === 'last-interval-partial');
    expect(partial).toMatchObject({ severity: 'note', message: expect.stringContaining('2,880 operations') });
    expect(partial?.message).toContain('3.2 s');
  });
});
