import { describe, expect, it } from 'vitest';
import { readOutput, recordingNamed } from '../testing/recordings.ts';

const ENDED = { exit: { code: 0 } };
const recorded = (name: string): string => recordingNamed(name).stdout;
const within = (value: number | undefined, wanted: number | undefined, share: number, what: string): void =>
  expect(Math.abs((value ?? Number.NaN) / (wanted ?? Number.NaN) - 1), `${what} ${value} ${wanted}`).toBeLessThan(
    share,
  );

/** Converts a document to the format of 3.1: no counts of latencies, no bytes per second, and entries for unrequested percentiles. */
const as31 = (json: string): string =>
  json
    .replaceAll('fio-3.33', 'fio-3.1')
    .replace(/,\n\s+"N" : \d+/g, '')
    .replace(/\n\s+"(bw_bytes|job_runtime)" : \d+,/g, '')
    .replace(/(\n\s+)("99\.990000" : \d+)/g, '$1$2,$1"0.00" : 0,$1"0.00" : 0');

type Tree = { [name: string]: unknown };
/** Converts a document to the format of 2.x: times in µs, names without a unit, and KiB instead of bytes. */
function as2(value: unknown, scale = 1): unknown {
  if (typeof value === 'number') return value * scale;
  if (Array.isArray(value)) return value.map((entry) => as2(entry));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value as Tree)
      .filter(([name]) => !['N', 'bw_bytes', 'io_kbytes', 'job_runtime', 'sync', 'timestamp_ms'].includes(name))
      .map(([name, entry]) => {
        if (name === 'fio version') return [name, 'fio-2.2.10'];
        if (name === 'io_bytes') return [name, Number(entry) / 1024];
        if (/^(lat|clat|slat)_ns$/.test(name)) return [name.replace('_ns', ''), as2(entry, 1e-3)];
        return [name, as2(entry, scale)];
      }),
  );
}

describe.each(['randread-json-nointerval', 'randrw-libaio-16k-nj4-nogroup-json', 'jobfile-several-json'])(
  'the documents of %s',
  (name) => {
    const whole = readOutput(recorded(name), '', ENDED);
    const alike = (read: typeof whole): void => {
      expect(read).toMatchObject({ ok: true, unparsed: [] });
      expect(Object.keys(read.summary).sort()).toEqual(Object.keys(whole.summary).sort());
      for (const [id, value] of Object.entries(whole.summary))
        if (value !== 0 && !id.endsWith('_pct')) within(read.summary[id], value, 0.005, id);
    };
    it('in the format of 3.1 read the same', () => alike(readOutput(as31(recorded(name)), '', ENDED)));
    it('in the format of 2.x read the same', () => {
      const documents = recorded(name).match(/^\{\n[\s\S]*?^\}\n/gm) ?? [];
      const older = documents.map((json) => `${JSON.stringify(as2(JSON.parse(json)), undefined, 2)}\n`).join('');
      expect(older).not.toContain('clat_ns');
      alike(readOutput(older, '', ENDED));
    });
  },
);

describe('the format for people', () => {
  const both = recorded('randread-json-normal-both');
  const text = both.slice(both.lastIndexOf('\n}\n') + 3);
  const json = readOutput(both.slice(0, both.lastIndexOf('\n}\n') + 3), '', ENDED).summary;
  const same = (summary: Record<string, number>): void => {
    const ids = Object.keys(summary).filter((id) => !/submission_latency_max|completion_latency_max/.test(id));
    expect(ids).toEqual(
      expect.arrayContaining(['iops', 'iops_read', 'read_mib_s', 'latency_avg_ms', 'latency_max_ms']),
    );
    expect(ids).toContain('completion_latency_p99_ms');
    // Three digits, and whole microseconds for small figures.
    for (const id of ids) within(summary[id], json[id], 0.02, id);
  };
  it('of 3.x has the rates and latencies of the JSON of the same run', () => {
    const read = readOutput(text, '', ENDED);
    expect(read).toMatchObject({ ok: true, unparsed: [] });
    same(read.summary);
  });

  it('of 2.x has them too', () => {
    const rates = /^ {2}read: IOPS=([\d.]+)(k?), BW=([\d.]+)MiB\/s \([\d.]+MB\/s\)\(([\d.]+)MiB\/(\d+)msec\)/m;
    const older = text
      .replace(rates, (_, iops, k, mib, io, msec) => {
        const perSecond = Math.round(Number(iops) * (k ? 1000 : 1));
        return `  read : io=${io}MB, bw=${Math.round(Number(mib) * 1024)}KB/s, iops=${perSecond}, runt=${String(msec).padStart(6)}msec`;
      })
      .replace(
        /issued rwts: total=(\d+),(\d+),\d+,\d+ short=0,0,0,0 dropped=0,0,0,0/,
        'issued    : total=r=$1/w=$2/d=0, short=r=0/w=0/d=0, drop=r=0/w=0/d=0',
      )
      .replaceAll('fio-3.33', 'fio-2.2.10');
    expect(older).toMatch(/ read : io=.*iops=\d+, runt=/);
    const read = readOutput(older, '', ENDED);
    expect(read).toMatchObject({ ok: true, unparsed: [] });
    same(read.summary);
  });

  it('without its last newline, or with another margin, reads the same', () => {
    const whole = readOutput(text, '', ENDED).summary;
    expect(readOutput(text.trimEnd(), '').summary).toEqual(whole);
    expect(readOutput(text.trimEnd(), '').reason).toBeUndefined();
    expect(readOutput(text.replace(/^ +/gm, ''), '').summary).toEqual(whole);
  });

  it('of several jobs and directions has means weighted by I/Os, and no overall percentile', () => {
    const { summary } = readOutput(recorded('randrw-normal-interval-nj2'), '', ENDED);
    const { read_latency_avg_ms: reads = 0, write_latency_avg_ms: writes = 0, latency_avg_ms: all = 0 } = summary;
    expect(all).toBeGreaterThan(Math.min(reads, writes));
    expect(all).toBeLessThan(Math.max(reads, writes));
    expect(Object.keys(summary).filter((id) => /_p\d+_ms$/.test(id))).toEqual([]);
    // As printed in its last two blocks, for 36,972 and 36,916 reads.
    expect(reads).toBeGreaterThan(0.195);
    expect(reads).toBeLessThan(0.215);
  });
});

describe('several runs in one file', () => {
  const codes = (output: string): string[] => readOutput(output, '', ENDED).findings.map(({ code }) => code);
  it.each([
    ['randread-json-nointerval', 'write-seq-psync-16k-json'],
    ['randread-libaio-4k-qd1-json', 'randread-libaio-4k-qd4-json'],
    ['randread-libaio-4k-qd1-json', 'randread-libaio-4k-qd1-json'],
    ['randread-normal-interval', 'randrw-normal-interval-nj2'],
  ])('are reported, and only the first is read: %s, %s', (first, second) => {
    const alone = readOutput(recorded(first), '', ENDED);
    const read = readOutput(recorded(first) + recorded(second), '', ENDED);
    expect(read.samples).toEqual(alone.samples);
    expect(read.summary).toEqual(alone.summary);
    expect(read.findings.find(({ code }) => code === 'several-runs')?.message).toContain('contains 2 runs');
    expect(read.findings.map(({ code }) => code)).not.toContain('clock-set');
    expect(codes(recorded(first))).not.toContain('several-runs');
  });
});

it('a job without a size is reported as such, not as refused by the file system', () => {
  const text = `x: (g=0): rw=randread, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine=libaio, iodepth=1
fio-3.33
Starting 1 process
x: you need to specify size=
fio: pid=0, err=22/file:filesetup.c:1155, func=total_file_size, error=Invalid argument


Run status group 0 (all jobs):
`;
  const read = readOutput(text, '', { exit: { code: 1 } });
  expect(read.reason?.code).toBe('size-missing');
  expect(read.findings.filter(({ severity }) => severity === 'error').map(({ code }) => code)).toEqual([
    'size-missing',
  ]);
});
