import { describe, expect, it } from 'vitest';
import { commandTool } from './command/index.ts';
import { pgbenchTool } from './pgbench/index.ts';
import { sysbenchTool } from './sysbench/index.ts';
import { ycsbTool } from './ycsb/index.ts';

const parts = (count: number) => Array.from({ length: count }, (_, index) => ({ index, count }));

describe('load over several generators', () => {
  it.each([
    [16, 3, [6, 5, 5]],
    [4, 4, [1, 1, 1, 1]],
    [100_000, 4, [25_000, 25_000, 25_000, 25_000]],
  ])('is divided as evenly as possible: %i threads on %i', (threads, count, expected) => {
    const options = sysbenchTool.options.parse({ script: 'oltp_read_only', threads, rate: 1000 });
    const divided = parts(count).map((part) => sysbenchTool.load?.divide?.(options, part));
    expect(divided.map((each) => each?.threads)).toEqual(expected);
    expect(divided.reduce((sum, each) => sum + (each?.rate ?? 0), 0)).toBe(1000);
    const { threads: _threads, rate: _rate, ...rest } = options;
    for (const each of divided) expect(each).toMatchObject(rest);
  });

  it('keeps an unlimited rate', () => {
    const options = sysbenchTool.options.parse({ script: 'oltp_read_only', threads: 8 });
    expect(sysbenchTool.load?.divide?.(options, { index: 1, count: 2 })).toMatchObject({ threads: 4, rate: 0 });
  });

  it.each([
    [{ script: 'oltp_read_only', threads: 2 }, '2 threads cannot be divided between 3 generators'],
    [{ script: 'oltp_read_only', threads: 3, rate: 2 }, '2 events per second cannot be divided'],
    [{ script: 'cpu', threads: 8 }, 'measures the host it runs on'],
    [{ script: 'bulk_insert', threads: 8 }, 'drop each other'],
  ])('is refused if not divisible: %j', (options, message) => {
    const divide = () => sysbenchTool.load?.divide?.(sysbenchTool.options.parse(options), { index: 0, count: 3 });
    expect(divide).toThrow(
      expect.objectContaining({ code: 'experiment-invalid', message: expect.stringContaining(message) }),
    );
  });

  it('of pgbench divides clients and threads, and only the first empties the history', () => {
    const options = pgbenchTool.options.parse({ client: 10, jobs: 4, rate: 100 });
    const divided = parts(3).map((part) => pgbenchTool.load?.divide?.(options, part));
    expect(divided.map((each) => [each?.client, each?.jobs, each?.['no-vacuum']])).toEqual([
      [4, 2, false],
      [3, 2, true],
      [3, 2, true],
    ]);
    expect(divided.reduce((sum, each) => sum + (each?.rate ?? 0), 0)).toBeCloseTo(100, 9);
  });

  it('of a command divides the threads and the rate that it uses', () => {
    const of = (options: Record<string, unknown>) =>
      parts(3).map((part) => commandTool.load?.divide?.(commandTool.options.parse(options), part));
    const asked = of({ command: 'load -c {threads} -r {rate}', threads: 16, rate: 10 });
    expect(asked.map((each) => [each?.threads, each?.rate])).toEqual([
      [6, 4],
      [5, 3],
      [5, 3],
    ]);
    expect(of({ command: 'load -r {rate}', rate: 1.5 }).map((each) => each?.rate)).toEqual([0.5, 0.5, 0.5]);
    // Options that the command does not use need not be divided.
    expect(of({ command: 'load', threads: 1 }).map((each) => each?.threads)).toEqual([1, 1, 1]);
    expect(of({ command: `load $\{threads} \\{threads}`, threads: 1 }).map((each) => each?.threads)).toEqual([1, 1, 1]);
    expect(() => of({ command: 'load -c {threads}', threads: 2 })).toThrow('2 threads cannot be divided between 3');
    expect(() => of({ command: 'load', overwrites: '/dev/sdz' })).toThrow(
      'overwrites devices can run on one generator',
    );
  });

  it('of YCSB assigns separate numbers to new records, and is refused if reads prefer the newest records', () => {
    const divided = (options: Record<string, unknown>) =>
      parts(3).map((part) => ycsbTool.load?.divide?.(ycsbTool.options.parse({ threads: 3, ...options }), part));
    const keys = divided({ workload: 'E', recordcount: 1000 });
    for (const each of keys) expect(each).toMatchObject({ insertstart: 0, insertcount: 1000 });
    const starts = keys.map((each) => each?.recordcount ?? Number.NaN);
    expect(starts[0]).toBe(1000);
    expect(new Set(starts.map((start, index) => start - (starts[index - 1] ?? start))).size).toBe(2);
    expect(starts[2]).toBeLessThan(2 ** 31 - 700_000_000);
    const newest = 'cannot be divided between generators: YCSB counts back';
    expect(() => divided({ workload: 'D' })).toThrow(newest);
    expect(() => divided({ workload: 'E', requestdistribution: 'exponential' })).toThrow(newest);
    expect(() => divided({ workload: 'E', recordcount: 2_140_000_000 })).toThrow(
      'only 2,494,549 numbers for inserted records',
    );
    expect(divided({ workload: 'D', requestdistribution: 'uniform' })).toHaveLength(3);
    // Without inserts there are no new records.
    expect(divided({ workload: 'C', requestdistribution: 'latest' })[1]).toMatchObject({ recordcount: 100_000 });
  });

  it('of YCSB divides operations, and the keys of a load into adjacent ranges', () => {
    const run = ycsbTool.options.parse({ threads: 6, target: 100, operationcount: 10 });
    const divided = parts(3).map((part) => ycsbTool.load?.divide?.(run, part));
    expect(divided.map((each) => [each?.threads, each?.target, each?.operationcount])).toEqual([
      [2, 34, 4],
      [2, 33, 3],
      [2, 33, 3],
    ]);
    for (const each of divided) expect(each).toMatchObject({ recordcount: run.recordcount, insertstart: 0 });
    const ranges = (options: Record<string, unknown>) =>
      parts(3)
        .map((part) => ycsbTool.load?.divide?.(ycsbTool.options.parse({ phase: 'load', threads: 3, ...options }), part))
        .map((each) => [each?.insertstart, each?.insertcount]);
    expect(ranges({ recordcount: 10 })).toEqual([
      [0, 4],
      [4, 3],
      [7, 3],
    ]);
    expect(ranges({ recordcount: 100, insertstart: 20, insertcount: 9 })).toEqual([
      [20, 3],
      [23, 3],
      [26, 3],
    ]);
  });
});
