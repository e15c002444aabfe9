import { describe, expect, it } from 'vitest';
import { readOutput } from '../testing/recordings.ts';

const samplesOf = (line: string, options = {}) => readOutput(`${line}\n`, '', { options }).samples;

describe('interval lines of every version', () => {
  it.each([
    [
      '[  26s] threads: 10000, tps: 0.00, reads: 33367.48, writes: 0.00, response time: 3681.42ms (95%), errors: 0.00, reconnects:  0.00',
      26,
      {
        threads_running: 10000,
        qps_read: 33367.48,
        qps_write: 0,
        latency_p95_ms: 3681.42,
        errors_per_s: 0,
        reconnects_per_s: 0,
      },
    ],
    ['[   1s] threads: 4, tps: 95.07', 1, { threads_running: 4, tps: 95.07 }],
    [
      '[1000s] threads: 4, tps: 95.07, reads/s: 1331.04, writes/s: 0.00',
      1000,
      { threads_running: 4, tps: 95.07, qps_read: 1331.04, qps_write: 0 },
    ],
    [
      '[10000s] threads: 4, tps: 95.07, reads/s: 1331.04, writes/s: 0.00 response time: 5.38ms (95%), 9.10ms (99%)',
      10000,
      { threads_running: 4, tps: 95.07, qps_read: 1331.04, qps_write: 0, latency_p95_ms: 5.38, latency_p99_ms: 9.1 },
    ],
    [
      '[ 1s ] threads: 4 tps: 10.00 qps: 200.00 (r/w/o: 140.00/40.00/20.00) latency: 5.00ms (95%) errors/s: 0.00 reconnects/s: 0.00',
      1,
      {
        ...{ threads_running: 4, tps: 10, qps: 200, qps_read: 140, qps_write: 40, qps_other: 20 },
        ...{ latency_p95_ms: 5, errors_per_s: 0, reconnects_per_s: 0 },
      },
    ],
    [
      '[ 1s ] threads: 4 tps: 10.00 qps: 200.00 (r/w/o: 140.00/40.00/20.00) latency (ms,99%): 5.00 errors/s: 1.00 reconnects/s: 2.00',
      1,
      {
        ...{ threads_running: 4, tps: 10, qps: 200, qps_read: 140, qps_write: 40, qps_other: 20 },
        ...{ latency_p99_ms: 5, errors_per_s: 1, reconnects_per_s: 2 },
      },
    ],
    [
      '[ 1s ] threads: 2 events/s: 900.50 latency (ms,95%): 2.10',
      1,
      { threads_running: 2, eps: 900.5, latency_p95_ms: 2.1 },
    ],
    [
      '[   3s] reads: 1.50 MB/s writes: 1.00 MB/s fsyncs: 64.00/s',
      3,
      { read_mib_s: 1.5, write_mib_s: 1, fsyncs_per_s: 64 },
    ],
    [
      '[ 3s ] reads: 1.50 MiB/s writes: 1.00 MiB/s fsyncs: 64.00/s response time: 0.420ms (95%)',
      3,
      { read_mib_s: 1.5, write_mib_s: 1, fsyncs_per_s: 64, latency_p95_ms: 0.42 },
    ],
    [
      '[ 3s ] reads: 1.50 MiB/s writes: 1.00 MiB/s fsyncs: 64.00/s latency: 0.420 ms (99th pct.)',
      3,
      { read_mib_s: 1.5, write_mib_s: 1, fsyncs_per_s: 64, latency_p99_ms: 0.42 },
    ],
    ['[   2s] 8123.45 MB/sec,', 2, { transfer_mib_s: 8123.45 }],
    ['[ 2s ] 8123.45 MiB/sec', 2, { transfer_mib_s: 8123.45 }],
  ])('%s', (line, t, metrics) => {
    expect(samplesOf(line)).toEqual([{ t, metrics }]);
  });

  it('separates a line from the output of a script before it', () => {
    const read = readOutput('progress 24000 tps: 12.00 [ 2s ] thds: 2 eps: 900.50 lat (ms,95%): 2.10\n', '');
    expect(read.samples).toEqual([{ t: 2, metrics: { threads_running: 2, eps: 900.5, latency_p95_ms: 2.1 } }]);
    expect(read.unparsed).toEqual(['progress 24000 tps: 12.00']);
  });

  it('separates two lines that lost their line end', () => {
    const one = '[ 2s ] thds: 2 eps: 900.50 lat (ms,95%): 2.10';
    expect(samplesOf(`${one}${one.replace('2s', '3s')}`).map(({ t }) => t)).toEqual([2, 3]);
  });
});

describe('invalid values', () => {
  it('omits a latency of 0.00 if nothing ended, but not if events were that fast', () => {
    const line = (tps: string) =>
      `[ 1s ] thds: 4 tps: ${tps} qps: 0.00 (r/w/o: 0.00/0.00/0.00) lat (ms,95%): 0.00 err/s: 0.00 reconn/s: 0.00`;
    expect(samplesOf(line('0.00'))[0]?.metrics).not.toHaveProperty('latency_p95_ms');
    expect(samplesOf(line('6916008.01'))[0]?.metrics).toHaveProperty('latency_p95_ms', 0);
  });

  it('omits a percentile that is turned off', () => {
    expect(samplesOf('[ 1s ] thds: 2 eps: 900.50 lat (ms,0%): 0.00')).toEqual([
      { t: 1, metrics: { threads_running: 2, eps: 900.5 } },
    ]);
  });

  it('omits wrapped counters and nan, with a finding', () => {
    const wrapped = readOutput('[ 1s ] thds: 2 eps: 18522351404547694592.00 lat (ms,95%): nan\n', '');
    expect(wrapped.samples).toEqual([{ t: 1, metrics: { threads_running: 2 } }]);
    expect(wrapped.findings.map(({ code }) => code)).toContain('values-implausible');
  });

  it('omits latencies of a report without events', () => {
    const report =
      'General statistics:\n    total time:                          0.0003s\n    total number of events:              0\n' +
      '    response time:\n         min:                             18446744073709.55ms\n         avg:  0.00ms\n         max:  0.00ms\n' +
      'Threads fairness:\n    events (avg/stddev):           0.0000/0.00\n    execution time (avg/stddev):   0.0000/0.00\n';
    const read = readOutput(report, '', { exit: { code: 0 } });
    expect(Object.keys(read.summary).filter((key) => key.startsWith('latency_'))).toEqual([]);
    expect(read.reason?.code).toBe('no-events');
  });
});

describe('queue lines', () => {
  const line = '[ 1s ] thds: 2 eps: 900.50 lat (ms,95%): 2.10\n';
  const header = 'Target transaction rate: 100/sec\n';
  it('become part of the sample before them', () => {
    const { samples } = readOutput(`${header}${line}[ 1s ] queue length: 3 concurrency: 2\n`, '');
    expect(samples[0]?.metrics).toMatchObject({ queue_length: 3, queue_concurrency: 2 });
  });
  it('may be absent', () => {
    expect(readOutput(`${header}${line}${line.replace('1s', '2s')}`, '').samples.map(({ t }) => t)).toEqual([1, 2]);
  });
  it('without a sample are unread', () => {
    expect(readOutput('[ 1s ] queue length: 3, concurrency: 2\n', '').unparsed).toEqual([
      '[ 1s ] queue length: 3, concurrency: 2',
    ]);
  });
});

describe('reporters of scripts', () => {
  it('read JSON with other lines in between, and use the percentile of the options', () => {
    const text =
      '[\n  {\n    "time":    1,\n    "threads": 4,\nmy own line\n    "tps": 10.00,\n    "qps": {\n      "total": 20.00,\n' +
      '      "reads": 20.00,\n      "writes": 0.00,\n      "other": 0.00\n    },\n    "latency": 1.52,\n    "errors": 0.00,\n' +
      '    "reconnects": 0.00\n  }\n]\n';
    const read = readOutput(text, '', { options: { percentile: 99 } });
    expect(read.samples).toEqual([
      {
        t: 1,
        metrics: {
          ...{ threads_running: 4, tps: 10, qps: 20, qps_read: 20, qps_write: 0, qps_other: 0 },
          ...{ latency_p99_ms: 1.52, errors_per_s: 0, reconnects_per_s: 0 },
        },
      },
    ]);
    expect(read.unparsed).toEqual(['my own line']);
  });

  it('leave JSON of another kind and an unfinished object unread', () => {
    const read = readOutput('[\n  {\n    "x": 1\n  },\n  {\n    "time": 1,\n', '');
    expect(read.samples).toEqual([]);
    expect(read.unparsed.join('')).toContain('"time": 1');
  });

  it('compute rates from a printed statistics table', () => {
    const header = 'S;time_total,time_interval,threads_running,events,reads,writes,other,errors,reconnects,latency_pct';
    const [sample] = readOutput(`${header}\nS;2.0,0.5,4,100,50,20,10,1,0,0.002\nS;nonsense\n`, '').samples;
    expect(sample).toEqual({
      t: 2,
      metrics: {
        ...{ threads_running: 4, tps: 200, qps: 160, qps_read: 100, qps_write: 40, qps_other: 20 },
        ...{ latency_p95_ms: 2, errors_per_s: 2, reconnects_per_s: 0 },
      },
    });
  });
});

describe('faults', () => {
  const reason = (stdout: string, stderr = '', exit: { code?: number; signal?: string } = { code: 1 }, options = {}) =>
    readOutput(stdout, stderr, { exit, options }).reason;

  it('are identified by their number, in any language of the server', () => {
    const line =
      "FATAL: mysql_stmt_execute() returned error 1146 (Tabelle 'x.sbtest1' existiert nicht) for query 'SELECT 1'\n";
    expect(reason(line)?.code).toBe('table-missing');
    expect(reason("FATAL: error 2003: Can't connect\nFATAL: Thread initialization failed!\n")?.code).toBe(
      'connection-refused',
    );
    expect(
      reason("FATAL: `thread_run' function failed: x.lua:1: SQL error, errno = 0, state = '40P01': …\n")?.code,
    ).toBe('deadlock');
  });
  it('distinguish a lost connection of PostgreSQL from a cancelled statement', () => {
    const withState = (state: string): string =>
      `FATAL: \`thread_run' function failed: x.lua:1: SQL error, errno = 0, state = '${state}': …\n`;
    for (const state of ['08006', '57P01', '57P02', '57P05'])
      expect(reason(withState(state))?.code).toBe('connection-lost');
    expect(reason(withState('57014'))?.code).toBe('tool-error');
  });
  it('include the continuation lines of a message', () => {
    const text =
      'FATAL: Connection to database failed: connection to server failed: FATAL:  password authentication failed for user "u"\n' +
      'password retrieved from file "/x/pgpass"\n\nFATAL: Thread initialization failed!\n';
    expect(readOutput(text, '', { exit: { code: 1 } })).toMatchObject({
      unparsed: [],
      reason: { code: 'auth-failed' },
    });
  });
  it('keep the message of sysbench if it has no meaning of its own', () => {
    expect(reason('FATAL: something new\n')).toMatchObject({ code: 'tool-error', evidence: 'FATAL: something new' });
  });
  it('name the likely cause of a crash', () => {
    expect(
      reason('Threads started!\n', '', { signal: 'SIGSEGV' }, { 'mysql-ignore-errors': '1213,2013' })?.next,
    ).toContain('reconnect');
    expect(reason('Threads started!\n', '', { code: 139 })?.next).toContain('PostgreSQL');
    expect(reason('Threads started!\n', '', { code: 139 }, { script: 'cpu' })?.next).toContain('dmesg');
  });
  it('include messages of the shell', () => {
    expect(reason('', 'sh: 1: exec: sysbench: not found\n', { code: 127 })?.code).toBe('tool-missing');
    expect(reason('', "sh: 1: cd: can't cd to /data/kneepoint-fileio\n", { code: 2 })?.code).toBe('files-missing');
    expect(reason('', '', { code: 127 })?.code).toBe('tool-missing');
    expect(reason('', '', { code: 3 })?.code).toBe('exit-code');
  });
  it('are reported once, even if both streams contain them', () => {
    const line = "FATAL: error 2003: Can't connect to MySQL server on '10.0.0.2' (111)\n";
    const { findings } = readOutput(line, line, { phase: 'run', exit: { code: 1 } });
    expect(findings.map(({ code }) => code)).toEqual(['connection-refused']);
  });
  it('do not fail a run that completed', () => {
    const done =
      'General statistics:\n    total number of events:              5\nThreads fairness:\n    execution time (avg/stddev):   7.9890/0.00\n';
    const read = readOutput(`WARNING: something\n${done}`, 'some library: deadlock avoided\n', { exit: { code: 0 } });
    expect(read.ok).toBe(true);
    expect(read.findings.map(({ code, severity }) => [code, severity])).toContainEqual(['tool-warning', 'warn']);
  });
});
