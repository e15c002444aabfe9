import { describe, expect, it } from 'vitest';
import { percentileMetric } from '../../../../../shared/metrics/index.ts';
import { readOutput } from '../testing/recordings.ts';

interface Job {
  name?: string;
  group?: number;
  pid?: number;
  rows: readonly string[];
  issued?: string;
}

const LATENCIES = [
  '    slat (usec): min=2, max=310, avg= 6.50, stdev= 3.10',
  '    clat (usec): min=30, max=9120, avg=406.00, stdev=98.40',
  '     lat (usec): min=35, max=9127, avg=412.50, stdev=99.10',
];

/** A report in fio's normal format, of 3 s. */
const printed = (...jobs: readonly Job[]): string =>
  [
    'fio-3.36',
    'Starting 1 process',
    '',
    ...jobs.flatMap(({ name = 'job1', group = 0, pid = 4100 + group, rows, issued }) => [
      `${name}: (groupid=${group}, jobs=1): err= 0: pid=${pid}: Mon Mar  2 09:15:04 2026`,
      ...rows,
      '  cpu          : usr=3.10%, sys=9.20%, ctx=8112, majf=0, minf=21',
      ...(issued ? [`     issued rwts: total=${issued} short=0,0,0,0 dropped=0,0,0,0`] : []),
    ]),
    '',
    ...[...new Set(jobs.map(({ group = 0 }) => group))].flatMap((group) => [
      `Run status group ${group} (all jobs):`,
      '   READ: bw=20.0MiB/s (21.0MB/s), 20.0MiB/s-20.0MiB/s (21.0MB/s-21.0MB/s), io=60MiB (63MB), run=3000-3000msec',
    ]),
    '',
  ].join('\n');

const summaryOf = (...jobs: readonly Job[]): Record<string, number> => {
  const { summary, unparsed } = readOutput(printed(...jobs), '', { exit: { code: 0 } });
  expect(unparsed).toEqual([]);
  return summary;
};
const row = (kind: string, iops: string, bandwidth: string): string =>
  `  ${kind}: IOPS=${iops}, BW=${bandwidth}(60MiB/3000msec)`;

describe('the rate of a report for people', () => {
  it.each<[string, string, number]>([
    ['of 1024', '20.0MiB/s (21.0MB/s)', 20],
    ['of 1000, with kb_base=1000', '21.0MB/s (20.0MiB/s)', 20],
    ['in bits', '160Mibit/s (168Mbit/s)', 20],
    ['in bits of 1000', '168Mbit/s (160Mibit/s)', 20],
    ['in KiB', '512KiB/s (524kB/s)', 0.5],
    ['in bytes', '524288B/s (524kB/s)', 0.5],
    ['in GiB', '1.5GiB/s (1611MB/s)', 1536],
    ['in Gibit', '16.0Gibit/s (17.2Gbit/s)', 2048],
    ['alone', '20.0MiB/s ', 20],
    ['alone, as 2.99 had it', '20.0MB/s ', 20],
  ])('%s is read in MiB', (_, bandwidth, mib) => {
    expect(summaryOf({ rows: [row('read', '5120', bandwidth)] }).read_mib_s).toBeCloseTo(mib, 3);
  });
  it.each([
    ['34.5k', 34_500],
    ['34.5K', 34_500],
    ['1.2M', 1_200_000],
    ['999', 999],
  ])('of I/Os may be abbreviated: %s', (text, iops) => {
    expect(summaryOf({ rows: [row('read', text, '20.0MiB/s (21.0MB/s)')] }).iops).toBeCloseTo(iops, 3);
  });
});

describe('a latency of a report for people', () => {
  it.each<[string, number, number]>([
    ['min=30, max=9120, avg=406.00', 9.12, 0.406],
    ['min=30, max=1992.5K, avg=406.00', 1992.5, 0.406],
    ['min=30, max=1.2M, avg=406.00', 1200, 0.406],
    ['min=30, max=12.5k, avg=1.41k', 12.5, 1.41],
    ['min=1.1K, max=1.2M, avg=1.5K', 1200, 1.5],
    ['min=   30, max= 9120, avg= 406.0', 9.12, 0.406],
  ])('is read from an abbreviated figure: %s', (figures, max, avg) => {
    const rows = [row('read', '5120', '20.0MiB/s (21.0MB/s)'), `     lat (usec): ${figures}, stdev=99.10`];
    const summary = summaryOf({ rows });
    expect(summary.latency_max_ms).toBeCloseTo(max, 6);
    expect(summary.latency_avg_ms).toBeCloseTo(avg, 6);
  });
  it('may have abbreviated percentiles', () => {
    const percentiles = ['    lat percentiles (usec):', '     | 50.00th=[  371], 99.00th=[ 1.8K], 99.99th=[17.1M]'];
    const rows = [row('read', '5120', '20.0MiB/s (21.0MB/s)'), ...percentiles];
    expect(summaryOf({ rows })).toMatchObject({
      latency_p50_ms: 0.371,
      latency_p99_ms: 1.8,
      [percentileMetric(99.99)]: 17_100,
    });
  });
});

describe('groups, directions and clients of a report for people', () => {
  const BW = '20.0MiB/s (21.0MB/s)';
  it('of stages have their own figures and no overall ones', () => {
    const summary = summaryOf(
      { rows: [row('read', '5120', BW), ...LATENCIES], issued: '15360,0,0,0' },
      { name: 'b', group: 1, rows: [row('write', '7680', '30.0MiB/s (31.5MB/s)')], issued: '0,23040,0,0' },
    );
    expect(summary).toMatchObject({ group_0_iops_read: 5120, group_1_iops_write: 7680, group_1_write_mib_s: 30 });
    expect(summary).toMatchObject({ group_0_latency_avg_ms: expect.closeTo(0.4125, 9), job_2_iops: 7680 });
    expect(summary).not.toHaveProperty('iops');
  });
  it('that discard are counted', () => {
    const rows = [row('read', '5000', BW), row('trim', '1000', '4.0MiB/s (4.2MB/s)')];
    expect(summaryOf({ rows, issued: '15000,0,3000,0' })).toMatchObject({ iops_trim: 1000, trim_mib_s: 4, iops: 6000 });
  });
  it('in a single direction (unified_rw_reporting=1) are the sum', () => {
    expect(summaryOf({ rows: [row('mixed', '5120', BW), ...LATENCIES], issued: '10000,5360,0,0' })).toMatchObject({
      ...{ iops_mixed: 5120, mixed_mib_s: 20, iops: 5120, latency_avg_ms: expect.closeTo(0.4125, 9) },
    });
  });
  it('next to a single direction (unified_rw_reporting=both) are counted once', () => {
    const rows = [row('read', '3000', BW), row('write', '1000', BW), row('mixed', '4000', '40.0MiB/s (41.9MB/s)')];
    const summary = summaryOf({ rows, issued: '9000,3000,0,0' });
    expect(summary).toMatchObject({ iops: 4000, iops_read: 3000, iops_write: 1000 });
    expect(summary).not.toHaveProperty('iops_mixed');
  });
  it('of clients are added without their sum', () => {
    const jobs = [4000, 3000].map((iops, at) => ({ pid: 4100 + at, rows: [row('read', String(iops), BW)] }));
    expect(summaryOf(...jobs, { name: 'All clients', pid: 0, rows: [row('read', '7000', BW)] }).iops).toBe(7000);
  });
  it('without the row of their job are still reported', () => {
    const { summary, findings } = readOutput(`${row('read', '5120', BW)}\n${row('write', '1', BW)}\n`, '');
    expect(summary).toEqual({});
    expect(findings).toMatchObject([{ code: 'report-incomplete', message: expect.stringContaining('2 rows') }]);
  });
});

it('an unknown message of fio is reported even with a report', () => {
  const text = printed({ rows: [row('read', '5120', '20.0MiB/s (21.0MB/s)')] });
  const { findings, summary } = readOutput(`fio: the moon is in the wrong place\n${text}`, '', { exit: { code: 0 } });
  expect(summary.iops).toBe(5120);
  expect(findings).toContainEqual(
    expect.objectContaining({ code: 'tool-warning', evidence: 'fio: the moon is in the wrong place' }),
  );
});
