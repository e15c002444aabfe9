import { describe, expect, it } from 'vitest';
import { fioTool } from './fio/index.ts';
import { recordingNamed as fioRecording } from './fio/testing/recordings.ts';
import { parseText } from './index.ts';
import type { ParsedText } from './parse-text.ts';
import { pgbenchTool } from './pgbench/index.ts';
import { recordingNamed as pgbenchRecording } from './pgbench/testing/bench.ts';
import { sysbenchTool } from './sysbench/index.ts';
import { recordingNamed as sysbenchRecording } from './sysbench/testing/recordings.ts';
import type { Tool } from './tool.ts';
import { ycsbTool } from './ycsb/index.ts';
import { recordingNamed as ycsbRecording } from './ycsb/testing/recordings.ts';

const codes = ({ findings }: ParsedText): string[] => findings.map(({ code }) => code);
const messageOf = ({ findings }: ParsedText): string =>
  findings.find(({ code }) => code === 'several-runs')?.message ?? '';
const figuresOf = ({ samples, summary }: ParsedText) => ({ samples, summary });
const both = ({ stdout, stderr }: { stdout: string; stderr: string }): string => stderr + stdout;

/** pgbench prints its name; its progress is on the other stream. */
const pgbench = (name: string): string => {
  const { stdout, stderr } = pgbenchRecording(name);
  const [banner, ...rest] = stdout.split('\n');
  return `${banner}\n${stderr}${rest.join('\n')}`;
};

/** For each tool: a successful run, another one, and one that did not start. */
const RUNS: Readonly<Record<string, readonly [Tool, string, string, string]>> = {
  sysbench: [
    sysbenchTool,
    sysbenchRecording('mariadb-rw-t1').stdout,
    sysbenchRecording('cpu-t2-hist').stdout,
    sysbenchRecording('mariadb-fault-refused').stdout,
  ],
  pgbench: [
    pgbenchTool,
    pgbench('tpcb-c4-j2'),
    pgbench('select-c16-prepared'),
    `pgbench (16.3)\n${pgbenchRecording('fault-refused').stderr}`,
  ],
  YCSB: [
    ycsbTool,
    both(ycsbRecording('a-hdrhistogram')),
    both(ycsbRecording('b-target1000')),
    both(ycsbRecording('jdbc-maria-fault-refused')),
  ],
  fio: [
    fioTool,
    fioRecording('randread-normal-interval').stdout,
    fioRecording('randrw-normal-interval-nj2').stdout,
    'fio-3.33\nStarting 1 process\nfio: pid=0, err=2/file:filesetup.c:805, func=open(/x), error=No such file or directory\n',
  ],
};

describe.each(Object.entries(RUNS))('several runs of %s in one file', (name, [tool, good, other, failed]) => {
  it.each<[string, string[]]>([
    ['two that went well', [good, other]],
    ['the same again', [good, good]],
    ['three', [good, other, good]],
    ['a failed one behind', [good, failed]],
    ['a failed one in front', [failed, good]],
  ])('are counted, and only the first is returned: %s', (_, runs) => {
    const alone = parseText(tool, runs[0] ?? '');
    const read = parseText(tool, runs.join(''));
    expect(figuresOf(read)).toEqual(figuresOf(alone));
    expect(messageOf(read)).toContain(`${runs.length} runs of ${tool.title}`);
    expect(codes(read).filter((code) => code !== 'several-runs')).toEqual(codes(alone));
  });

  it('are not reported for a single run', () => {
    for (const run of [good, other, failed]) expect(messageOf(parseText(tool, run))).toBe('');
  });

  it('are not reported for repeated lines', () => {
    const doubled = good.replaceAll(/^(.*)\n/gm, '$1\n$1\n');
    if (name !== 'fio') expect(parseText(tool, doubled).samples).toEqual(parseText(tool, good).samples);
    expect(messageOf(parseText(tool, doubled))).toBe('');
  });
});

/** A JSON report of fio, with properties that distinguish runs. Times in s. */
interface Made {
  iops: number;
  seconds: number;
  at: number;
  options?: Record<string, string>;
  version?: string;
  name?: string;
}
const START = 1_772_442_900;

function report({
  iops,
  seconds,
  at,
  options = {},
  version = 'fio-3.36',
  name = 'job1',
}: Made): Record<string, unknown> {
  const ios = Math.round(iops * seconds);
  const times = (ns: number) => ({ min: 1000, max: ns * 40, mean: ns, stddev: 1, N: ios });
  const counters = (done: number) => ({
    ...{ io_bytes: done * 4096, io_kbytes: done * 4, bw_bytes: (done * 4096) / seconds, bw: (done * 4) / seconds },
    ...{ iops: done / seconds, runtime: done > 0 ? seconds * 1000 : 0, total_ios: done, short_ios: 0, drop_ios: 0 },
    ...{
      slat_ns: { ...times(6000), N: done },
      clat_ns: { ...times(194_000), N: done },
      lat_ns: { ...times(200_000), N: done },
    },
  });
  return {
    'fio version': version,
    timestamp: Math.floor(START + at),
    timestamp_ms: Math.round((START + at) * 1000),
    jobs: [
      {
        ...{ jobname: name, groupid: 0, error: 0, elapsed: Math.floor(seconds) + 1 },
        'job options': { rw: 'randread', bs: '4k', ...options },
        ...{ read: counters(ios), write: counters(0), trim: counters(0), usr_cpu: 1, sys_cpu: 2 },
      },
    ],
  };
}
const printed = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
const depth = (iodepth: number) => ({ options: { iodepth: String(iodepth) } });

describe('reports of fio in one file', () => {
  const LADDERS: Readonly<Record<string, Made[]>> = {
    'rising, alike in length': [1, 2, 4].map((d, i) => ({ iops: 1400 * d, seconds: 12, at: 400 * i, ...depth(d) })),
    falling: [4, 2, 1].map((d, i) => ({ iops: 1400 * d, seconds: 12, at: 400 * i, ...depth(d) })),
    'longer and longer': [12, 20, 27].map((seconds, i) => ({ iops: 2000, seconds, at: 400 * i, ...depth(i + 1) })),
    'longer and longer, with the same options': [12, 20, 27].map((seconds, i) => ({
      iops: 2000,
      seconds,
      at: 400 * i,
    })),
    'longer in even steps': [10, 20, 30].map((seconds, i) => ({ iops: 2000, seconds, at: 100 * i })),
    'one right behind the other': [12, 20, 27].map((seconds, i) => ({ iops: 2000, seconds, at: 13 * i + 10 * i * i })),
    'shorter and shorter': [27, 20, 12].map((seconds, i) => ({ iops: 2000, seconds, at: 400 * i })),
    'repeated, as fast': [0, 1, 2].map((i) => ({ iops: 2000, seconds: 12, at: 60 * i })),
    'repeated, a little faster': [0, 1, 2].map((i) => ({ iops: 2000 + i, seconds: 12, at: 60 * i })),
    'at the same time, faster': [0, 1, 2].map((i) => ({ iops: 5000 + 1500 * i, seconds: 3, at: 1.2 * i })),
    'at the same time, slower': [2, 1, 0].map((i) => ({ iops: 5000 + 1500 * i, seconds: 3, at: 0.1 * i })),
    'at the very same moment': [2, 0, 1].map((i) => ({ iops: 5000 + 1500 * i, seconds: 3, at: 0 })),
    'of versions': [0, 1, 2].map((i) => ({
      iops: 2000 + 500 * i,
      seconds: 12 + i,
      at: 300 * i,
      version: `fio-3.3${i}`,
    })),
    'of jobs': [0, 1, 2].map((i) => ({ iops: 2000, seconds: 12 + 5 * i, at: 300 * i, name: `job${i}` })),
  };
  const HOW: Readonly<Record<string, (made: Made[]) => string>> = {
    'one behind the other': (made) => made.map((each) => printed(report(each))).join(''),
    'with names between': (made) => made.map((each, at) => `=== pod-${at} ===\n${printed(report(each))}`).join('\n'),
    'each on a line': (made) => made.map((each) => `${JSON.stringify(report(each))}\n`).join(''),
    'without milliseconds': (made) =>
      made.map((each) => printed({ ...report(each), timestamp_ms: undefined })).join(''),
  };
  it.each(Object.keys(LADDERS).flatMap((ladder) => Object.keys(HOW).map((how) => [ladder, how] as const)))(
    'of several runs, %s, %s, are separated and have no samples',
    (ladder, how) => {
      const made = LADDERS[ladder] ?? [];
      const read = parseText(fioTool, HOW[how]?.(made) ?? '');
      expect(read.samples).toEqual([]);
      expect(read.summary.iops).toBeCloseTo(made[0]?.iops ?? 0, 0);
      expect(messageOf(read)).toContain('3 runs');
      expect(codes(read)).not.toContain('clock-set');
    },
  );

  it('are named by differing options, else by their report time', () => {
    const ladder = (name: string) => messageOf(parseText(fioTool, HOW['each on a line']?.(LADDERS[name] ?? []) ?? ''));
    expect(ladder('rising, alike in length')).toContain('iodepth=1, iodepth=2, iodepth=4');
    expect(ladder('repeated, as fast')).toContain('reported at 2026-03-02 09:15:00 UTC');
  });

  it.each<[string, number[], number]>([
    ['every second', [0.9, 1.9, 2.9, 3.9, 4.9, 5.0], 0],
    ['every second, with a clock that is set', [0.9, 1.9, 2.9, 3.9, 4.9, 5.0], 3600],
    ['every ten seconds', [9.9, 19.9, 29.9, 30], 0],
    ['with the last right behind', [3.0, 3.0], 0],
  ])('of a single run, %s, are read as one', (_, seconds, set) => {
    const made = seconds.map((each, i): Made => ({ iops: 2000, seconds: each, at: each + (i > 2 ? set : 0) }));
    const read = parseText(fioTool, made.map((each) => printed(report(each))).join(''));
    expect(messageOf(read)).toBe('');
    expect(read.summary.ios_total).toBe(Math.round(2000 * (seconds.at(-1) ?? 0)));
    expect(codes(read).includes('clock-set')).toBe(set > 0);
  });
});

describe('a report of fio from several clients', () => {
  const host = (hostname: string, iops: number) => ({
    ...(report({ iops, seconds: 3, at: 0 }).jobs as object[])[0],
    ...{ hostname, port: 8765 },
  });
  const all = { ...host('gen1', 7000), jobname: 'All clients' };
  const stats = (entries: unknown[]): string =>
    `hostname=gen1, be=0, 64-bit, os=Linux, arch=x86-64, fio=fio-3.36, flags=1\n${printed({ 'fio version': 'fio-3.36', timestamp: START, client_stats: entries })}`;
  it.each([
    ['with their sum behind them', [host('gen1', 4000), host('gen2', 3000), all]],
    ['with their sum in front of them', [all, host('gen1', 4000), host('gen2', 3000)]],
    ['without a sum', [host('gen1', 4000), host('gen2', 3000)]],
  ])('%s is counted once, with separate figures for each client', (_, entries) => {
    const read = parseText(fioTool, stats(entries));
    expect(read.summary).toMatchObject({ iops: 7000, job_1_iops: 4000, job_2_iops: 3000 });
    expect(read.findings.map(({ message }) => message).join()).toContain('1 gen1: job1, 2 gen2: job1');
    expect(read.unparsed).toEqual([]);
  });
  it('from a single client has no sum', () => {
    expect(parseText(fioTool, stats([host('gen1', 4000)])).summary.iops).toBe(4000);
  });
});

it('figures of fio that are not numbers are skipped with a finding', () => {
  const text = printed(report({ iops: 2000, seconds: 3, at: 0 }));
  for (const none of ['-nan', 'nan', 'inf', 'NaN'])
    for (const name of ['usr_cpu', 'stddev', 'bw', 'iops']) {
      const read = parseText(fioTool, text.replaceAll(new RegExp(`"${name}": [\\d.]+`, 'g'), `"${name}" : ${none}`));
      expect(read.summary.iops, `${name} ${none}`).toBe(2000);
      expect(read.summary.cpu_user_pct, `${name} ${none}`).toBe(name === 'usr_cpu' ? undefined : 1);
      expect(codes(read), `${name} ${none}`).toContain('values-implausible');
    }
});

it('two outputs without names, mixed line by line, are reported as mixed', () => {
  const line = (t: number, tps: number) =>
    `[ ${t}s ] thds: 8 tps: ${tps}.00 qps: 20.00 (r/w/o: 14.00/4.00/2.00) lat (ms,95%): 9.00 err/s: 0.00 reconn/s: 0.00\n`;
  const read = parseText(sysbenchTool, [1, 2, 3].map((t) => line(t, 100 + t) + line(t, 200 + t)).join(''));
  expect(read.findings.map(({ message }) => message).join()).toMatch(/outputs of several runs of sysbench are mixed/);
  expect(read.findings.map(({ message }) => message).join()).not.toContain('suspended for a while');
});
