import { describe, expect, it } from 'vitest';
import { latencyFamily, metricOf, placeIn } from '../../../../../shared/metrics/index.ts';
import { readOutput } from '../testing/recordings.ts';

const MIB = 1024 ** 2;
const BLOCK = 65_536;
const MS = 1_000_000;

interface Done {
  /** I/Os since the start. */
  ios: number;
  /** Milliseconds since the start. */
  runtime: number;
}

const times = (count: number) => ({
  min: MS,
  max: 4 * MS,
  mean: 2 * MS,
  stddev: 0,
  N: count,
  bins: { [2 * MS]: count },
});

const job = (place: number, { ios, runtime }: Done) => ({
  ...{
    jobname: `place-${place}`,
    groupid: place - 1,
    error: 0,
    elapsed: Math.ceil(runtime / 1000),
    job_runtime: runtime,
  },
  ...{ usr_cpu: 1, sys_cpu: 2 },
  ...Object.fromEntries(
    ['read', 'write', 'trim'].map((direction) => {
      const count = direction === 'write' ? ios : 0;
      return [
        direction,
        {
          ...{ io_bytes: count * BLOCK, total_ios: count, runtime: count > 0 ? runtime : 0 },
          ...{ iops: runtime > 0 ? (count * 1000) / runtime : 0 },
          ...{ bw_bytes: runtime > 0 ? Math.round((count * BLOCK * 1000) / runtime) : 0 },
          ...{ clat_ns: times(0), slat_ns: times(0), lat_ns: times(count) },
        },
      ];
    }),
  ),
});

/** Status documents of fio, one a second, in its layout. */
const output = (documents: readonly (readonly Done[])[], before = ''): string =>
  before +
  documents
    .map((places, second) =>
      JSON.stringify(
        {
          'fio version': 'fio-3.33',
          timestamp_ms: 1_700_000_000_000 + second * 1000,
          jobs: places.map((done, place) => job(place + 1, done)),
        },
        null,
        2,
      ),
    )
    .join('\n') +
  '\n';

const at = (first: number, second: number, seconds: number): Done[] => [
  { ios: first, runtime: seconds * 1000 },
  { ios: second, runtime: seconds * 1000 },
];
const OPTIONS = { directories: '/mnt/a, /mnt/b: c', rw: 'write', bs: '64k', size: '100m' };

describe('places measured at the same time', () => {
  const read = readOutput(output([at(100, 50, 1), at(300, 100, 2), at(600, 150, 3), at(600, 150, 3)]), '', {
    exit: { code: 0 },
    options: OPTIONS,
  });

  it('have figures by the second of their own and in total', () => {
    expect(read.ok).toBe(true);
    expect(read.findings).toEqual([]);
    const second = read.samples[1]?.metrics ?? {};
    expect(second.iops).toBe(250);
    expect(second['place:/mnt/a:_iops']).toBe(200);
    expect(second['place:/mnt/b~. c:_iops']).toBe(50);
    expect(second['place:/mnt/a:_write_mib_s']).toBe((200 * BLOCK) / MIB);
    for (const figure of ['avg', 'p50', 'p99', 'max'])
      expect(second[`place:/mnt/a:_latency_${figure}_ms`]).toBeGreaterThan(0);
    expect(Object.keys(second).filter((id) => /^(job|group)_/.test(id))).toEqual([]);
  });

  it('have final figures of their own and in total', () => {
    expect(read.summary).toMatchObject({
      ios_total: 750,
      iops: 250,
      'place:/mnt/a:_iops': 200,
      'place:/mnt/b~. c:_iops': 50,
    });
    expect(read.summary['place:/mnt/a:_latency_p99_ms']).toBe(2);
  });

  it('have histograms of their own, so that percentiles follow the warm-up cut', () => {
    expect(Object.keys(read.latencies ?? {}).sort()).toEqual([
      ...['latency', 'place:/mnt/a:_latency', 'place:/mnt/b~. c:_latency'],
    ]);
    expect(latencyFamily('place:/mnt/a:_latency_p99_ms')).toBe('place:/mnt/a:_latency');
  });

  it('are named in metrics', () => {
    const id = 'place:/mnt/b~. c:_latency_p99_ms';
    expect(metricOf(id)).toMatchObject({ label: '/mnt/b: c: Latency, 99th percentile', unit: 'ms', better: 'lower' });
    expect(placeIn(id)).toEqual({ place: '/mnt/b: c', metric: 'latency_p99_ms' });
    expect(placeIn('job_1_iops')).toBeUndefined();
  });
});

describe('a load in passes', () => {
  // Two passes over 100 MiB: 3,200 blocks in each place.
  const options = { ...OPTIONS, passes: 2 };
  const documents = [at(800, 400, 1), at(1600, 800, 2), [{ ios: 3200, runtime: 2500 }, at(0, 1200, 3)[1] as Done]];

  it('reports its progress in each place and in total, and no rate of a place that is done', () => {
    const done = [
      { ios: 3200, runtime: 2500 },
      { ios: 3200, runtime: 4000 },
    ];
    const read = readOutput(output([...documents, done, done]), '', { exit: { code: 0 }, options });
    expect([read.ok, read.findings]).toEqual([true, []]);
    const progress = (id: string) => read.samples.map(({ metrics }) => metrics[id]);
    expect(progress('progress_pct')).toEqual([18.75, 37.5, 68.75, 100]);
    expect(progress('place:/mnt/a:_progress_pct')).toEqual([25, 50, 100, 100]);
    expect(progress('place:/mnt/a:_iops')[3]).toBeUndefined();
    expect(progress('place:/mnt/b~. c:_iops')[3]).toBe(2000);
  });

  it('fails if its time is over before', () => {
    const read = readOutput(output([...documents, ...documents.slice(-1)]), '', { exit: { code: 0 }, options });
    expect(read).toMatchObject({
      ok: false,
      reason: { code: 'passes-unfinished', message: 'The time was over when 68 % of the 2 passes were done.' },
    });
  });

  it('counts a share of a device by the capacity that its script printed', () => {
    const one = { device: '/dev/sdb', rw: 'write', bs: '64k', size: '50%', passes: 1 };
    const printed = 'kneepoint: /dev/sdb has 104857600 bytes\n';
    const documentsOfOne = [
      [{ ios: 400, runtime: 1000 }],
      [{ ios: 800, runtime: 2000 }],
      [{ ios: 800, runtime: 2000 }],
    ];
    const read = readOutput(output(documentsOfOne, printed), '', { exit: { code: 0 }, options: one });
    expect([read.ok, read.unparsed]).toEqual([true, []]);
    expect(read.samples.map(({ metrics }) => metrics.progress_pct)).toEqual([50, 100]);
    // Without the capacity, its progress is unknown.
    const without = readOutput(output(documentsOfOne), '', { exit: { code: 0 }, options: one });
    expect([without.ok, without.samples[0]?.metrics.progress_pct]).toEqual([true, undefined]);
  });
});
