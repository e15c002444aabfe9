import { describe, expect, it } from 'vitest';
import { readOutput, recordingNamed } from '../testing/recordings.ts';

const ENDED = { exit: { code: 0 } };
const recorded = (name: string): string => recordingNamed(name).stdout;

describe('a report of 0.4 in distribution packages', () => {
  const ours = recorded('v0.4-oltp-ro-p99');
  const theirs = ours
    .replace('General statistics:', 'Test execution summary:')
    .replace('    response time:', '    per-request statistics:');
  it('has other headings and the same figures', () => {
    expect(theirs).not.toBe(ours);
    const read = readOutput(theirs, '', ENDED);
    expect(read.unparsed).toEqual([]);
    expect(read.summary).toEqual(readOutput(ours, '', ENDED).summary);
    expect(read.summary).toMatchObject({ total_time_s: 6.0027, latency_max_ms: 31.27, latency_p99_ms: 4.29 });
  });
  it('may have its latencies in seconds', () => {
    const older = theirs.replace(/(\d+\.\d+)ms$/gm, (_, ms) => `${(Number(ms) / 1000).toFixed(5)}s`);
    // Interval lines had no latency.
    const { summary } = readOutput(older.replace(/ response time: .*/g, ''), '', ENDED);
    expect(summary.latency_avg_ms).toBeCloseTo(1.55, 9);
    expect(summary.latency_p99_ms).toBeCloseTo(4.29, 9);
    expect(summary.latency_max_ms).toBeCloseTo(31.27, 9);
  });
});

describe('a script of 0.5 without commits', () => {
  const line = (t: number, tps: string, reads: string, writes: string): string =>
    `[${String(t).padStart(4)}s] threads: 8, tps: ${tps}, reads: ${reads}, writes: ${writes}, response time: 1.97ms (95%), errors: 0.00, reconnects:  0.00\n`;
  const statements = Array.from({ length: 10 }, (_, index) => line(index + 1, '0.00', '0.00', '4300.12')).join('');
  it('has no stall and no transaction rate', () => {
    const { samples, findings } = readOutput(statements, '');
    expect(samples).toHaveLength(10);
    for (const { metrics } of samples) {
      expect(metrics).toMatchObject({ qps_write: 4300.12, latency_p95_ms: 1.97 });
      expect(metrics).not.toHaveProperty('tps');
    }
    expect(findings.map(({ code }) => code)).toContain('transactions-uncounted');
    expect(findings.map(({ code }) => code)).not.toContain('no-progress');
  });
  it('is distinguished from a stall if transactions were counted before', () => {
    const { samples, findings } = readOutput(
      `${line(1, '300.00', '4200.00', '1200.00')}${line(2, '0.00', '40.00', '0.00')}${line(3, '0.00', '0.00', '0.00').replace('1.97', '0.00')}`,
      '',
    );
    expect(samples.map(({ metrics }) => metrics.tps)).toEqual([300, 0, 0]);
    expect(samples[2]?.metrics).not.toHaveProperty('latency_p95_ms');
    expect(findings.find(({ code }) => code === 'no-progress')?.message).toContain('second 3)');
    expect(findings.map(({ code }) => code)).not.toContain('transactions-uncounted');
  });
  it('in 1.x has statements while no transaction ends: no stall and no latency', () => {
    const long =
      '[ 1s ] thds: 2 tps: 0.00 qps: 90.00 (r/w/o: 90.00/0.00/0.00) lat (ms,95%): 0.00 err/s: 0.00 reconn/s: 0.00\n';
    const { samples, findings } = readOutput(long, '');
    expect(samples[0]?.metrics).toMatchObject({ tps: 0, qps: 90 });
    expect(samples[0]?.metrics).not.toHaveProperty('latency_p95_ms');
    expect(findings.map(({ code }) => code)).not.toContain('no-progress');
  });
});

describe('output without its last newline', () => {
  it.each(['mariadb-rw-t1', 'v0.4-oltp-ro-p99', 'v0.5-fileio-rndrw', 'fileio-run-rndrd-t4', 'cpu-t2-hist'])(
    'that is otherwise complete is read in full: %s',
    (name) => {
      const whole = readOutput(recorded(name), '');
      expect(readOutput(recorded(name).trimEnd(), '')).toEqual(whole);
    },
  );
  it('that ends with a line of a second includes that second', () => {
    const line = '[ 1s ] thds: 2 eps: 900.50 lat (ms,95%): 2.10';
    expect(readOutput(line, '').samples).toHaveLength(1);
    expect(readOutput(line, '').reason?.code).toBe('no-summary');
  });
  it('that ends within a figure is truncated', () => {
    for (const line of [
      '[ 1s ] thds: 2 eps: 900.50 lat (ms,95%): 2.1',
      '[ 1s ] reads: 1.50 MiB/s writes: 1.00 MiB/s fsyncs: 64.00/s latency (ms,95%): 0.42',
    ]) {
      const read = readOutput(line, '');
      expect(read.samples).toEqual([]);
      expect(read.unparsed).toEqual([line]);
      expect(read.reason?.code).toBe('output-truncated');
    }
    const report = recorded('mariadb-rw-t1').trimEnd().slice(0, -1);
    expect(readOutput(report, '').reason?.code).toBe('output-truncated');
  });
});

it('lines of several runs without headers are separated when their time restarts', () => {
  const lines =
    recorded('mariadb-rw-t1')
      .match(/^\[ .*\n/gm)
      ?.join('') ?? '';
  const once = readOutput(lines, '');
  const twice = readOutput(lines + lines, '');
  expect(twice.samples).toEqual(once.samples);
  expect(twice.findings.find(({ code }) => code === 'several-runs')?.message).toContain('2 runs');
  expect(once.findings.map(({ code }) => code)).not.toContain('several-runs');
});

describe('asynchronous fileio', () => {
  it('has latencies of submission, with one finding', () => {
    const codes = readOutput(recorded('fileio-run-rndrw-async'), '', ENDED).findings.map(({ code }) => code);
    expect(codes).toEqual(['latency-of-submission']);
    for (const name of ['fileio-run-rndrw-mmap', 'fileio-run-rndrw-rate'])
      expect(readOutput(recorded(name), '', ENDED).findings.map(({ code }) => code)).not.toContain(
        'latency-of-submission',
      );
  });
});

it('ignored errors are reported without a kind or a restart', () => {
  const { findings } = readOutput(recorded('pgsql-fault-deadlocks'), '', ENDED);
  const message = findings.find(({ code }) => code === 'errors-ignored')?.message;
  expect(message).toContain('does not report which');
  expect(message).not.toContain('started again');
  const ofLibrary = readOutput(recorded('pgsql-fault-deadlocks'), '', { ...ENDED, options: { script: 'tpcc' } });
  expect(ofLibrary.findings.find(({ code }) => code === 'errors-ignored')?.message).toContain(
    'without rollbacks requested by the script',
  );
});
