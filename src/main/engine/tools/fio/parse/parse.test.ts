import { describe, expect, it } from 'vitest';
import { isMetric } from '../../../../../shared/metrics/index.ts';
import type { Recording } from '../../testing/recordings.ts';
import { RECORDINGS, readOutput, readRecording, recordingNamed } from '../testing/recordings.ts';
import { TextReader } from './text-report.ts';

/** The expected finding with the reason, by the error class of the recording. */
const REASONS: Record<string, string> = {
  bad_engine: 'bad-engine',
  bad_option_value: 'bad-option-value',
  direct_io_unsupported: 'direct-io-unsupported',
  disk_full: 'disk-full',
  file_missing: 'files-missing',
  killed_sighup: 'killed-by-signal',
  killed_sigkill: 'killed-by-signal',
  no_jobs: 'no-jobs',
  no_such_directory: 'directory-missing',
  output_truncated: 'output-truncated',
  stopped_by_sigint_with_report: 'killed-by-signal',
  stopped_by_sigterm_with_report: 'killed-by-signal',
  unknown_option: 'unknown-option',
};
/** These print no report on standard output, and succeed. */
const NO_REPORT = ['version', 'output-file-json'];

const MIB = 1_048_576;
const MS = 1_000_000;

interface ExpectedJob {
  jobname: string;
  groupid: number;
  error: number;
  [direction: string]: unknown;
}
interface ExpectedDirection {
  io_bytes: number;
  total_ios: number;
  runtime_ms: number;
  iops: number;
  clat_ns_mean: number;
  clat_ns_max: number;
  lat_ns_mean: number;
  lat_ns_max: number;
  percentiles_ns?: Record<string, number>;
}
type Interval = Record<string, { ios: number; bytes: number; dt_ms: number } | number>;

const directionOf = (job: ExpectedJob, direction: string): ExpectedDirection | undefined =>
  job[direction] as ExpectedDirection | undefined;

it('has recordings to read', () => {
  expect(RECORDINGS.length).toBeGreaterThan(45);
});

describe.each(RECORDINGS.map((entry): [string, Recording] => [entry.name, entry]))('%s', (name, entry) => {
  const { expected } = entry;
  const read = readRecording(entry);
  const codes = read.findings.map((finding) => finding.code);

  it('has a sample for each second in its documents', () => {
    for (const { t, metrics } of read.samples) {
      expect(t).toBeGreaterThan(0);
      for (const [id, value] of Object.entries(metrics)) {
        expect(isMetric(id), id).toBe(true);
        expect(Number.isFinite(value) && value >= 0, id).toBe(true);
      }
    }
    const documents = Number(expected.documents ?? 0);
    // Documents of one second each, except the last; without an interval there is only the last.
    const regular = entry.argv.some((word) => word.includes('--status-interval')) && documents > 0;
    // The last document of a truncated run, or of one whose disk was full near the end of a second, covers that second.
    const whole = /^(killed_|output_truncated|disk_full)/.test(String(expected.error_class));
    if (regular) expect(read.samples.length).toBe(whole ? documents : documents - 1);
    else if (name !== 'fault-sigusr1-json') expect(read.samples).toEqual([]);
  });

  it('has the difference between two documents in each sample', () => {
    const intervals = (expected.intervals ?? []) as Interval[];
    if (read.samples.length === 0 || name === 'fault-sigusr1-json') return;
    read.samples.forEach(({ metrics }, index) => {
      const interval = intervals[index];
      const before = intervals[index - 1];
      const wall = before ? (Number(interval?.timestamp_ms) - Number(before.timestamp_ms)) / 1000 : undefined;
      for (const direction of ['read', 'write']) {
        const moved = interval?.[direction];
        if (typeof moved !== 'object' || moved.ios === 0) continue;
        const longest = Math.max(
          ...Object.values(interval ?? {}).map((part) => (typeof part === 'object' ? part.dt_ms : 0)),
        );
        // When jobs wait for others, a part of the interval belongs to no job, and only the host's clock covers it.
        const seconds = longest < 700 && wall !== undefined ? wall : longest / 1000;
        // The recording contains the time of one job; others differ from it by some milliseconds.
        const off = (value: number | undefined, wanted: number): number => Math.abs((value ?? 0) / wanted - 1);
        expect(off(metrics[`iops_${direction}`], moved.ios / seconds), `${direction} ${index}`).toBeLessThan(0.01);
        expect(off(metrics[`${direction}_mib_s`], moved.bytes / MIB / seconds)).toBeLessThan(0.01);
      }
      expect(metrics.latency_avg_ms).toBeGreaterThan(0);
    });
  });

  it('has the final figures', () => {
    const jobs = ((expected.last as { jobs?: ExpectedJob[] } | undefined)?.jobs ?? []) as ExpectedJob[];
    const total = jobs.reduce(
      (sum, job) =>
        sum + ['read', 'write', 'mixed'].reduce((ios, kind) => ios + (directionOf(job, kind)?.total_ios ?? 0), 0),
      0,
    );
    if (jobs.length > 0) expect(read.summary.ios_total).toBe(total);
    jobs.forEach((job, index) => {
      const prefix = jobs.length > 1 ? `job_${index + 1}_` : '';
      const kinds = ['read', 'write', 'mixed'].filter((kind) => directionOf(job, kind));
      for (const kind of kinds) {
        const wanted = directionOf(job, kind) as ExpectedDirection;
        const latency = `${prefix}${kinds.length > 1 ? `${kind}_` : ''}latency_`;
        expect(read.summary[`${prefix}iops_${kind}`]).toBeCloseTo(wanted.iops, 4);
        expect(read.summary[`${prefix}ios_${kind}_total`]).toBe(wanted.total_ios);
        expect(read.summary[`${prefix}${kind}_mib_total`]).toBeCloseTo(wanted.io_bytes / MIB, 6);
        expect(read.summary[`${latency}avg_ms`]).toBeCloseTo(wanted.lat_ns_mean / MS, 9);
        expect(read.summary[`${latency}max_ms`]).toBeCloseTo(wanted.lat_ns_max / MS, 9);
        const p99 = wanted.percentiles_ns?.['99.000000'];
        if (p99 === undefined || entry.argv.includes('--lat_percentiles=1')) continue;
        expect(read.summary[`${latency.replace('latency_', 'completion_latency_')}p99_ms`]).toBeCloseTo(p99 / MS, 9);
        expect(read.summary).not.toHaveProperty(`${latency}p99_ms`);
      }
    });
  });

  it('reports its failures and nothing else', () => {
    const wanted = String(expected.error_class);
    const reason = NO_REPORT.includes(name) ? 'no-summary' : REASONS[wanted];
    expect(wanted === 'none' || reason !== undefined, wanted).toBe(true);
    expect(read.reason?.code).toBe(reason);
    expect(read.ok).toBe(reason === undefined);
    expect(new Set(codes).size, 'each code told once').toBe(codes.length);
    const errors = read.findings.filter((finding) => finding.severity === 'error').map(({ code }) => code);
    expect(errors).toEqual(reason ? [reason] : []);
    if (reason) expect(read.reason?.next).toMatch(/[.)]$/);
    for (const { message } of read.findings) expect(message).toMatch(/^[^\n]+\.$/);
  });

  it('leaves nothing of the report of fio unread', () => {
    if (expected.error_class === 'output_truncated' || name === 'fault-no-args') return;
    expect(read.unparsed).toEqual([]);
  });
});

describe('second by second', () => {
  const bins = readRecording(recordingNamed('randwrite-libaio-16k-qd8-jsonplus'));
  it('has percentiles of each second if fio prints bins', () => {
    expect(bins.samples.map(({ t }) => t)).toEqual([0.898, 1.897, 2.897, 3.898]);
    for (const { metrics } of bins.samples) {
      const {
        completion_latency_p50_ms: p50 = 0,
        completion_latency_p95_ms: p95 = 0,
        completion_latency_p99_ms: p99 = 0,
        latency_max_ms: max = Number.POSITIVE_INFINITY,
      } = metrics;
      expect(p50).toBeGreaterThan(0);
      expect(p95).toBeGreaterThan(p50);
      expect(p99).toBeGreaterThan(p95);
      expect(max).toBeGreaterThan(p99);
    }
    // In the first second the difference is the document itself, with the percentiles printed by fio.
    expect(bins.samples[0]?.metrics).toMatchObject({
      latency_avg_ms: expect.closeTo(0.279397979996, 9),
      completion_latency_p50_ms: 0.191488,
      completion_latency_p95_ms: 0.444416,
      completion_latency_p99_ms: 2.179072,
      completion_latency_p999_ms: 6.651904,
      latency_max_ms: 11.548074,
    });
  });
  it('has no percentiles if fio prints only those of the whole run', () => {
    const { samples } = readRecording(recordingNamed('randread-libaio-4k-qd1-json'));
    expect(samples).toHaveLength(6);
    for (const { metrics } of samples) expect(Object.keys(metrics).filter((id) => /_p\d+_/.test(id))).toEqual([]);
  });
  it('separates reads from writes if there are both', () => {
    const [sample] = readRecording(recordingNamed('randrw-libaio-16k-nj4-nogroup-json')).samples;
    const { iops = 0, iops_read: reads = 0, iops_write: writes = 0 } = sample?.metrics ?? {};
    expect(iops).toBeCloseTo(reads + writes, 6);
    expect(sample?.metrics).toMatchObject({
      read_latency_avg_ms: expect.any(Number),
      write_latency_avg_ms: expect.any(Number),
    });
  });
  it('has every job and every group separately, adding up to the whole', () => {
    const sumOf = (metrics: Record<string, number>, pattern: RegExp): number =>
      Object.entries(metrics)
        .filter(([id]) => pattern.test(id))
        .reduce((sum, [, value]) => sum + value, 0);
    const jobs = readRecording(recordingNamed('randrw-libaio-16k-nj4-nogroup-json')).samples;
    for (const { metrics } of jobs) {
      expect(sumOf(metrics, /^job_[1-4]_iops$/)).toBeCloseTo(metrics.iops ?? Number.NaN, 6);
      expect(sumOf(metrics, /^job_\d+_write_mib_s$/)).toBeCloseTo(metrics.write_mib_s ?? Number.NaN, 6);
      expect(Object.keys(metrics).filter((id) => id.startsWith('group_'))).toEqual([]);
    }
    const groups = readRecording(recordingNamed('jobfile-groups-json')).samples;
    expect(groups.length).toBeGreaterThan(1);
    for (const { metrics } of groups)
      expect(sumOf(metrics, /^group_[0-2]_iops$/)).toBeCloseTo(metrics.iops ?? Number.NaN, 6);
    const [one] = readRecording(recordingNamed('randwrite-libaio-16k-qd8-jsonplus')).samples;
    expect(Object.keys(one?.metrics ?? {}).filter((id) => /^(job|group)_/.test(id))).toEqual([]);
  });
  it('has the CPU time of each second', () => {
    const { samples } = readRecording(recordingNamed('randwrite-libaio-16k-qd8-jsonplus'));
    const document = /"job_runtime" : (\d+),\s+"usr_cpu" : ([\d.]+)/g;
    const output = recordingNamed('randwrite-libaio-16k-qd8-jsonplus').stdout;
    const runtimes = [...output.toString().matchAll(document)].map(
      ([, ran, user]) => [Number(ran), Number(user)] as const,
    );
    const [[ran0, user0] = [0, 0], [ran1, user1] = [0, 0]] = runtimes;
    expect(samples[0]?.metrics.cpu_user_pct).toBeCloseTo(user0, 6);
    expect(samples[1]?.metrics.cpu_user_pct).toBeCloseTo((user1 * ran1 - user0 * ran0) / (ran1 - ran0), 6);
    for (const { metrics } of samples)
      expect((metrics.cpu_user_pct ?? Number.NaN) + (metrics.cpu_system_pct ?? Number.NaN)).toBeLessThan(105);
  });
  it('counts fsyncs', () => {
    const { samples, summary } = readRecording(recordingNamed('randwrite-fsync1-json'));
    expect(samples[1]?.metrics.fsyncs_per_s).toBeCloseTo((3512 - 1173) / 1.0, 6);
    expect(samples[0]?.metrics.sync_latency_avg_ms).toBeCloseTo(0.713500117647, 9);
    expect(summary).toMatchObject({ fsyncs_total: 26_812, sync_latency_p99_ms: 2.113536 });
  });
  it('counts calls of fdatasync, which fio leaves out of its total', () => {
    const recording = recordingNamed('randwrite-fsync1-json');
    const stdout = recording.stdout.toString().replace(/("sync" : \{\s+"total_ios" : )\d+/g, (_, start) => `${start}0`);
    const { samples, summary } = readOutput(stdout, '');
    expect(samples[1]?.metrics.fsyncs_per_s).toBeCloseTo((3512 - 1173) / 1.0, 6);
    expect(summary).toMatchObject({ fsyncs_total: 26_812, sync_latency_p99_ms: 2.113536 });
  });
  it('has figures of each group, and overall ones only if the groups ran together', () => {
    const { summary, findings } = readRecording(recordingNamed('jobfile-groups-json'));
    expect(summary).toMatchObject({ group_0_ios_read_total: 51_000, group_2_ios_write_total: 36_782 });
    expect(summary).not.toHaveProperty('iops');
    expect(findings.find(({ code }) => code === 'jobs-named')?.message).toContain('1 A, 2 B, 3 C');
  });
});

/** A document with one reading job. */
function documentOf(at: number, ios: number, runtime: number): string {
  const times = { min: 1, max: 9, mean: 5, stddev: 1, N: ios };
  const idle = { min: 0, max: 0, mean: 0, stddev: 0, N: 0 };
  const direction = (count: number, clat: unknown) => ({
    io_bytes: count * 4096,
    bw_bytes: 1,
    iops: 1,
    runtime,
    total_ios: count,
    clat_ns: clat,
  });
  const job = {
    jobname: 'x',
    groupid: 0,
    error: 0,
    usr_cpu: 1,
    sys_cpu: 2,
    read: direction(ios, times),
    write: direction(0, idle),
    trim: direction(0, idle),
  };
  return `${JSON.stringify({ timestamp_ms: at, jobs: [job] }, undefined, 2)}\n`;
}

describe('documents', () => {
  it('with restarted counters, as after a ramp, have no negative rate', () => {
    const output = [
      documentOf(10_900, 900, 900),
      documentOf(11_900, 1900, 1900),
      documentOf(12_900, 500, 999),
      documentOf(13_900, 1500, 1999),
    ].join('');
    const { samples } = readOutput(output, '');
    expect(samples.map(({ t, metrics }) => [t, Math.round(metrics.iops ?? Number.NaN)])).toEqual([
      [0.9, 1000],
      [1.9, 1000],
      [2.9, 501],
      [3.9, 1000],
    ]);
  });
  it('during a stall report zero completed I/Os and no latency', () => {
    const output = documentOf(10_900, 900, 900) + documentOf(11_900, 900, 1900);
    const { samples, findings } = readOutput(output, '');
    expect(samples[1]).toEqual({ t: 1.9, metrics: { iops: 0, iops_read: 0, read_mib_s: 0 } });
    expect(findings.map(({ code }) => code)).toContain('no-progress');
  });
  it('before the first I/O are not samples, and the clock starts with the load', () => {
    const { samples } = readOutput(documentOf(9900, 0, 0) + documentOf(10_900, 800, 800), '');
    expect(samples.map(({ t }) => t)).toEqual([0.8]);
  });
  it('may have messages before, between and inside them', () => {
    const { stdout } = recordingNamed('randread-libaio-4k-qd1-json');
    const whole = readOutput(stdout, '');
    let line = 0;
    const mixed = stdout.replaceAll('\n', () =>
      line++ % 97 === 0 ? '\nfio: cache invalidation of x failed: y\n' : '\n',
    );
    expect(mixed.length).toBeGreaterThan(stdout.length + 500);
    expect(readOutput(mixed, '')).toEqual(whole);
  });
  it('without an end lose their own seconds only', () => {
    const { stdout } = recordingNamed('randread-libaio-4k-qd1-json');
    const whole = readOutput(stdout, '').samples;
    const second = stdout.indexOf('\n{\n') + 1;
    const cut =
      stdout.slice(0, second + 800).replace(/[^\n]*$/, '') + stdout.slice(stdout.indexOf('\n{\n', second) + 1);
    const read = readOutput(cut, '', { exit: { code: 0 } });
    expect(read.samples).toEqual([whole[0], ...whole.slice(3)]);
    expect(read).toMatchObject({ ok: true });
    expect(read.findings.map(({ code }) => code)).toEqual(['seconds-missing']);
  });
  it('may be on one line each', () => {
    const lines = [documentOf(10_900, 900, 900), documentOf(11_900, 1900, 1900)].map((text) =>
      JSON.stringify(JSON.parse(text)),
    );
    expect(readOutput(`${lines.join('\n')}\n`, '').samples).toHaveLength(2);
  });
});

/** Adjusts the host's clock by some ms after the document with this number, as a user or a time server would. */
function withClockSet(stdout: string, behind: number, by: number): string {
  let documents = 0;
  return stdout.replace(/"timestamp(_ms)?" : (\d+)/g, (whole, ms: string | undefined, text: string) => {
    if (ms === undefined) documents += 1;
    if (documents <= behind) return whole;
    return `"timestamp${ms ?? ''}" : ${Number(text) + (ms ? by : Math.floor(by / 1000))}`;
  });
}

describe('a host clock that is set during a run', () => {
  const HOUR = 3_600_000;
  const SEVERAL = RECORDINGS.filter(({ expected }) => Number(expected.documents ?? 0) > 3);
  it.each(SEVERAL.map(({ name }): [string] => [name]))('changes no figure of %s', (name) => {
    const { stdout, expected } = recordingNamed(name);
    const whole = readOutput(stdout, '');
    // After the document at which one group of jobs replaces another, the length of an ordinary interval is used.
    const changing =
      { 'jobfile-groups-json': [3], 'jobfile-several-json': [6], 'latency-target-json': [5] }[name] ?? [];
    for (const by of [3 * HOUR, -HOUR, 5000, -5000, 45 * 24 * HOUR])
      for (let behind = 1; behind < Number(expected.documents) - 1; behind += 1) {
        if (changing.includes(behind)) continue;
        const read = readOutput(withClockSet(stdout, behind, by), '');
        expect(read.samples, `set by ${by} behind ${behind}`).toEqual(whole.samples);
        const runtimes = read.findings.filter(({ code }) => code === 'clock-set');
        expect(runtimes.map(({ severity }) => severity)).toEqual(['note']);
        expect(read.findings.filter(({ code }) => code !== 'clock-set')).toEqual(whole.findings);
      }
  });
  it.each([
    ['jobfile-groups-json', 3],
    ['jobfile-several-json', 6],
    ['latency-target-json', 5],
  ])('keeps the seconds in place if jobs of %s follow each other or restart', (name, behind) => {
    const { stdout } = recordingNamed(name);
    const whole = readOutput(stdout, '').samples;
    const { samples } = readOutput(withClockSet(stdout, behind, 3 * HOUR), '');
    expect(samples).toHaveLength(whole.length);
    for (const [index, { t, metrics }] of samples.entries()) {
      expect(Math.abs(t - (whole[index]?.t ?? 0))).toBeLessThan(0.5);
      expect((metrics.iops ?? 0) / (whole[index]?.metrics.iops ?? 1)).toBeCloseTo(1, 1);
    }
  });
  it('is reported with offset and time', () => {
    const { stdout } = recordingNamed('randread-libaio-4k-qd1-json');
    const { findings } = readOutput(withClockSet(stdout, 3, 3 * HOUR), '', { exit: { code: 0 } });
    expect(findings.find(({ code }) => code === 'clock-set')?.message).toMatch(/forward by 3 h at second 4\./);
  });
  it('is not reported for one or two late documents from a busy host', () => {
    const { stdout } = recordingNamed('randread-libaio-4k-qd1-json');
    const whole = readOutput(stdout, '').samples;
    for (const [behind, late] of [
      [3, 1],
      [4, 2],
    ] as const)
      for (const by of [1600, 2500]) {
        const text = withClockSet(withClockSet(stdout, behind, by), behind + late, -by);
        const read = readOutput(text, '', { exit: { code: 0 } });
        expect(
          read.findings.filter(({ code }) => code === 'clock-set'),
          `${late} late by ${by} ms`,
        ).toEqual([]);
        expect(read.samples).toEqual(whole);
      }
  });
  it('is not reported for an ordinary run', () => {
    for (const entry of RECORDINGS)
      expect(readRecording(entry).findings.filter(({ code }) => code === 'clock-set')).toEqual([]);
  });
});

it('calculates rates over the actual time of an interval', () => {
  const output = [documentOf(10_900, 900, 900), documentOf(13_300, 3300, 3300), documentOf(14_100, 4100, 4100)].join(
    '',
  );
  expect(readOutput(output, '').samples.map(({ t, metrics }) => [t, metrics.iops])).toEqual([
    [0.9, 1000],
    [3.3, 1000],
    [4.1, 1000],
  ]);
});

describe('versions before 3.18', () => {
  const older = (stdout: string): string => stdout.replaceAll('fio-3.33', 'fio-3.16').replace(/,\n\s+"N" : \d+/g, '');
  it('do not count the I/Os of a latency, and are read like the others', () => {
    for (const name of ['randread-libaio-4k-qd1-json', 'randwrite-fsync1-json', 'randrw-libaio-16k-nj4-nogroup-json']) {
      const { stdout, exit } = recordingNamed(name);
      const whole = readOutput(stdout, '', { exit });
      const read = readOutput(older(stdout), '', { exit });
      expect(read).toMatchObject({ ok: true, unparsed: [] });
      expect(read.samples).toHaveLength(whole.samples.length);
      read.samples.forEach(({ t, metrics }, index) => {
        expect(t).toBe(whole.samples[index]?.t);
        expect(Object.keys(metrics)).toEqual(Object.keys(whole.samples[index]?.metrics ?? {}));
        // The last I/Os of a document are counted slightly before their latencies.
        expect(metrics.latency_avg_ms).toBeCloseTo(whole.samples[index]?.metrics.latency_avg_ms ?? Number.NaN, 2);
      });
    }
  });
  it('are the only ones without that count', () => {
    const { stdout } = recordingNamed('randread-libaio-4k-qd1-json');
    expect(readOutput(stdout.replace(/,\n\s+"N" : \d+/g, ''), '').samples).toEqual([]);
  });
});

describe('latency', () => {
  const { stdout, exit } = recordingNamed('randread-libaio-buffered-json');
  it('is that of the whole I/O, as a buffered engine waits while submitting', () => {
    const { samples, summary } = readOutput(stdout, '', { exit });
    const documents = [...stdout.matchAll(/"lat_ns" : \{\s+"min" : \d+,\s+"max" : \d+,\s+"mean" : ([\d.]+)/g)];
    const reads = documents.filter((_, index) => index % 4 === 0).map(([, mean]) => Number(mean) / MS);
    expect(summary.latency_avg_ms).toBeCloseTo(reads.at(-1) ?? Number.NaN, 9);
    expect(summary.latency_p50_ms).toBeGreaterThan((summary.latency_avg_ms ?? 0) / 10);
    // Its two parts are present as well, and add up to it.
    const parts = ['submission_latency_avg_ms', 'completion_latency_avg_ms'];
    expect(Object.keys(summary).filter((id) => /completion|submission/.test(id))).toEqual(parts);
    for (const metrics of [summary, ...samples.map((sample) => sample.metrics)]) {
      const sum = parts.reduce((total, id) => total + (metrics[id] ?? Number.NaN), 0);
      expect(sum / (metrics.latency_avg_ms ?? Number.NaN)).toBeCloseTo(1, 2);
    }
    for (const { metrics } of samples) {
      expect(metrics.latency_avg_ms).toBeGreaterThan(0.01);
      expect(metrics.latency_p99_ms).toBeGreaterThan(metrics.latency_p50_ms ?? Number.NaN);
    }
  });
});

describe('the other formats', () => {
  it('for people are read up to the last report', () => {
    for (const entry of RECORDINGS.filter(({ expected }) => expected.normal)) {
      const normal = entry.expected.normal as {
        job_blocks: number;
        last: { issued: number[]; read?: { runtime_ms: number } };
      };
      const reader = new TextReader();
      for (const line of entry.stdout.split(/[\r\n]+/)) reader.line(line);
      expect(reader.blocks, entry.name).toBe(normal.job_blocks);
      const runtime = normal.last.read?.runtime_ms;
      if (entry.name === 'randread-normal-interval' && runtime)
        expect(readRecording(entry).summary.iops_read).toBeCloseTo(((normal.last.issued[0] ?? 0) * 1000) / runtime, 6);
    }
  });
  it('for scripts are read if rows can be separated', () => {
    for (const entry of RECORDINGS.filter(({ expected }) => expected.terse)) {
      const terse = entry.expected.terse as { rows: number; last: Record<string, number> };
      const reader = new TextReader();
      for (const line of entry.stdout.split('\n').slice(0, -1)) reader.line(line);
      expect(reader.rows, entry.name).toBe(terse.rows);
      if (entry.name === 'randread-terse-interval')
        expect(readRecording(entry).summary).toEqual({
          iops: terse.last.read_iops,
          iops_read: terse.last.read_iops,
          read_mib_s: ((terse.last.read_kib ?? 0) / 1024 / (terse.last.read_runtime_ms ?? 1)) * 1000,
        });
    }
    const { summary } = readRecording(recordingNamed('randrw-terse-v2-minimal'));
    expect(summary).toMatchObject({ iops_read: 3469 + 3397, iops_write: 3468 + 3432 });
  });
  it('have no seconds, and that is reported', () => {
    const { findings } = readRecording(recordingNamed('randread-normal-interval'));
    expect(findings.map(({ code }) => code)).toEqual(['no-series']);
  });
});

it('warns that a synchronous engine has no queue', () => {
  const { findings } = readRecording(recordingNamed('randread-psync-qd8-json-note'));
  expect(findings.map(({ code }) => code)).toEqual(['queue-depth-capped']);
});
