import { describe, expect, it } from 'vitest';
import { readOutput } from '../testing/recordings.ts';

const go = (name: string, takes: string, count: number, avg = 250): string =>
  `${name.padEnd(6)} - Takes(s): ${takes}, Count: ${count}, OPS: ${(count / Number(takes)).toFixed(1)}, Avg(us): ${avg}, Min(us): 41, Max(us): 19007, 50th(us): 181, 99th(us): 910, 99.9th(us): 3700\n`;
const codes = ({ findings }: ReturnType<typeof readOutput>) => findings.map(({ code }) => code);

describe('go-ycsb', () => {
  const STATUS =
    go('READ', '10.0', 1000) + go('UPDATE', '9.9', 500) + go('READ', '20.0', 3000) + go('UPDATE', '19.9', 700);
  const END = `**********************************************\nRun finished, takes 1m2.5s\n${go('READ', '62.5', 5000)}${go('UPDATE', '62.4', 900)}`;

  it('counts since the start: intervals are differences, and its report is not an interval', () => {
    const read = readOutput(STATUS + END, '');
    expect(read.samples).toEqual([
      { t: 10, metrics: { ops: 150, ops_read: 100, ops_update: 50 } },
      { t: 20, metrics: { ops: 220, ops_read: 200, ops_update: 20 } },
    ]);
    expect(read.summary).toMatchObject({ total_time_s: 62.5, read_operations_total: 5000, read_latency_p99_ms: 0.91 });
    expect(read.summary.ops).toBeCloseTo(5900 / 62.5, 6);
    expect(codes(read)).toEqual(['other-generator']);
    expect(read.unparsed).toEqual([]);
  });

  it('reports which operations failed', () => {
    const read = readOutput(go('READ', '10.0', 900) + go('READ_ERROR', '10.0', 100) + END, '');
    expect(read.samples[0]?.metrics).toMatchObject({ ops: 90, errors_per_s: 10 });
  });

  it('prints each report as JSON, too', () => {
    const row = (takes: string, count: string) =>
      `[{"50th(us)":"3172","99th(us)":"7260","Avg(us)":"3397","Count":"${count}","Max(us)":"10458","Min(us)":"888","OPS":"992.7","Operation":"READ","Takes(s)":"${takes}"}]\n`;
    const read = readOutput(row('10.0', '9927') + row('12.0', '12328'), '');
    expect(read.samples.map(({ t, metrics }) => [t, metrics.ops_read])).toEqual([
      [10, 992.7],
      [12, 1200.5],
    ]);
    expect(read.summary).toMatchObject({ read_latency_p99_ms: 7.26 });
  });

  it('without an end has the figures of its last status', () => {
    const read = readOutput(STATUS, '');
    expect(read.summary).toMatchObject({ read_operations_total: 3000, operations_total: 3700 });
    expect(codes(read)).toEqual(['other-generator', 'report-missing']);
  });

  it('twice in one file is read once', () => {
    const read = readOutput(STATUS + END + STATUS + END, '');
    expect(read.samples).toHaveLength(2);
    expect(read.summary.total_time_s).toBe(62.5);
    expect(codes(read)).toContain('several-runs');
  });
});

describe('YCSB-cpp', () => {
  const status = (t: number, operations: number, groups = ''): string =>
    `2026-03-02 11:00:0${t} ${t} sec: ${operations} operations;${groups}\n`;
  const group = (name: string, count: number): string =>
    ` [${name}: Count=${count} Max=19007.10 Min=31.00 Avg=231.40 90=377.20 99=892.10 99.9=3601.00]`;
  const LINES = `${status(0, 0)}${status(1, 410, group('READ', 400) + group('UPDATE', 10))}${status(2, 1390, group('READ', 1300) + group('UPDATE', 90))}`;
  const END = 'Run runtime(sec): 2.5\nRun operations(ops): 1500\nRun throughput(ops/sec): 600.0\n';

  it('counts since the start as well', () => {
    const read = readOutput(LINES + END, '');
    expect(read.samples).toEqual([
      { t: 1, metrics: { ops: 410, ops_read: 400, ops_update: 10 } },
      { t: 2, metrics: { ops: 980, ops_read: 900, ops_update: 80 } },
    ]);
    expect(read.summary).toMatchObject({
      ops: 600,
      total_time_s: 2.5,
      operations_total: 1500,
      read_latency_p99_ms: 0.8921,
    });
    expect(read.unparsed).toEqual([]);
  });

  it('reports which operations failed', () => {
    const read = readOutput(status(1, 500, group('READ', 400) + group('READ-FAILED', 100)), '');
    expect(read.samples[0]?.metrics).toMatchObject({ ops_read: 400, errors_per_s: 100 });
  });

  it('is not taken for YCSB', () => {
    const line =
      '2026-03-02 09:15:01:101 1 sec: 2015 operations; 2015 current ops/sec; est completion in 9 minutes [READ: Count=1810, Max=4095, Min=151, Avg=601.5, 90=811, 99=1511, 99.9=3001, 99.99=4095] \n';
    expect(codes(readOutput('', line))).not.toContain('other-generator');
  });
});

it('counts numbered return codes among the operations, but not named ones', () => {
  const report = (returns: string) =>
    `[OVERALL], RunTime(ms), 20323.0\n[OVERALL], Throughput(ops/sec), 393.6427\n[READ], Operations, 8000\n${returns}`;
  const message = (text: string) =>
    readOutput(text, '')
      .findings.map((finding) => finding.message)
      .join();
  expect(message(report('[READ], Return=0, 6400\n[READ], Return=1, 1000\n[READ], Return=-1, 600\n'))).toMatch(
    /1,600 operations failed and 6,400 succeeded/,
  );
  expect(message(report('[READ], Return=OK, 8000\n[READ-FAILED], Operations, 1600\n'))).toMatch(
    /1,600 operations failed and 8,000 succeeded/,
  );
});
