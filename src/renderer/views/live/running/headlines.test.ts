import { describe, expect, it } from 'vitest';
import type { Run } from '../../../../shared/model/session.ts';
import { earlierOfLadder, headlines, placed } from './headlines.ts';

describe('metrics that get a tile', () => {
  it('puts the primary one first, then how slow and whether it errs, at most four', () => {
    const present = ['qps', 'tps', 'latency_avg_ms', 'errors_per_s', 'latency_p95_ms', 'reconnects_per_s'];
    expect(headlines('tps', present)).toEqual(['tps', 'latency_p95_ms', 'errors_per_s', 'qps']);
  });
  it('shows the percentile that the tool was told to print', () => {
    const present = ['tps', 'qps', 'errors_per_s', 'threads_running', 'latency_p99_ms'];
    expect(headlines('tps', present)).toEqual(['tps', 'latency_p99_ms', 'errors_per_s', 'qps']);
  });
  it('shows only what is there', () => {
    expect(headlines('tps', ['read_mib_s'])).toEqual(['read_mib_s']);
  });
});

describe('places of the tiles', () => {
  const [first, late] = [
    ['tps', 'errors_per_s', 'qps', 'threads_running'],
    ['tps', 'latency_p95_ms', 'errors_per_s', 'qps'],
  ];
  it('are the order of the metrics at first', () => {
    expect(placed([], first)).toEqual(first);
  });
  it('stay where they are when a metric gets its first value late: it takes the one that is not wanted any more', () => {
    expect(placed(first, late)).toEqual(['tps', 'errors_per_s', 'qps', 'latency_p95_ms']);
  });
  it('are added at the end while there is room', () => {
    expect(placed(['tps', 'errors_per_s'], late)).toEqual(['tps', 'errors_per_s', 'latency_p95_ms', 'qps']);
  });
  it('are kept by metrics that the next trial does not have yet', () => {
    expect(placed(late, ['tps', 'errors_per_s'])).toEqual(late);
  });
});

describe('earlier trials of the same ladder', () => {
  const run = (id: number, levels: Run['levels'], state: Run['state'] = 'done'): Run => ({
    id,
    sessionId: 1,
    trial: id,
    cell: 0,
    repeat: 0,
    levels,
    state,
    warmup: 0,
    duration: 10,
    summary: {},
    findings: [],
    partial: false,
    seconds: 10,
  });
  const runs = [
    run(1, { sync: 'OFF', threads: 1 }),
    run(2, { sync: 'FULL', threads: 1 }),
    run(3, { sync: 'OFF', threads: 2 }),
    run(4, { sync: 'OFF', threads: 4 }, 'failed'),
    run(5, { sync: 'OFF', threads: 8 }, 'running'),
  ];
  const now = runs[4] as Run;
  it('are those that differ in the ladder only and ended well', () => {
    expect(earlierOfLadder(now, runs, 'threads').map(({ id }) => id)).toEqual([1, 3]);
  });
  it('are repeats of the same cell where there is no ladder', () => {
    expect(earlierOfLadder(now, [...runs, run(6, { sync: 'OFF', threads: 8 })], undefined).map(({ id }) => id)).toEqual(
      [6],
    );
  });
});
