import { describe, expect, it } from 'vitest';
import type { Run } from '../../../../shared/model/session.ts';
import { earlierOfLadder, headlines, placed } from './headlines.ts';

describe('metrics with a tile', () => {
  it('are the primary one, latency and errors first, four at most', () => {
    const present = ['qps', 'tps', 'latency_avg_ms', 'errors_per_s', 'latency_p95_ms', 'reconnects_per_s'];
    expect(headlines('tps', present)).toEqual(['tps', 'latency_p95_ms', 'errors_per_s', 'qps']);
  });
  it('include the percentile that the tool prints', () => {
    const present = ['tps', 'qps', 'errors_per_s', 'threads_running', 'latency_p99_ms'];
    expect(headlines('tps', present)).toEqual(['tps', 'latency_p99_ms', 'errors_per_s', 'qps']);
  });
  it('are only those with values', () => {
    expect(headlines('tps', ['read_mib_s'])).toEqual(['read_mib_s']);
  });
});

describe('places of the tiles', () => {
  const [first, late] = [
    ['tps', 'errors_per_s', 'qps', 'threads_running'],
    ['tps', 'latency_p95_ms', 'errors_per_s', 'qps'],
  ];
  it('follow the order of the metrics at first', () => {
    expect(placed([], first)).toEqual(first);
  });
  it('stay the same for a late metric, which replaces one no longer shown', () => {
    expect(placed(first, late)).toEqual(['tps', 'errors_per_s', 'qps', 'latency_p95_ms']);
  });
  it('grow at the end while there is room', () => {
    expect(placed(['tps', 'errors_per_s'], late)).toEqual(['tps', 'errors_per_s', 'latency_p95_ms', 'qps']);
  });
  it('are reserved for metrics that the next trial does not have yet', () => {
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
  it('are completed ones that differ only in the ladder', () => {
    expect(earlierOfLadder(now, runs, 'threads').map(({ id }) => id)).toEqual([1, 3]);
  });
  it('are only those of the same step', () => {
    const steps = runs.map((each) => ({ ...each, step: each.id % 2 }));
    expect(earlierOfLadder({ ...now, step: 1 }, steps, 'threads').map(({ id }) => id)).toEqual([1, 3]);
    expect(earlierOfLadder({ ...now, step: 0 }, steps, 'threads').map(({ id }) => id)).toEqual([]);
  });
  it('include the progress of a load with an end', () => {
    const present = ['write_mib_s', 'latency_p95_ms', 'errors_per_s', 'progress_pct', 'iops'];
    expect(headlines('write_mib_s', present)).toEqual([
      'write_mib_s',
      'progress_pct',
      'latency_p95_ms',
      'errors_per_s',
    ]);
  });
  it('are repeats of the same cell without a ladder', () => {
    expect(earlierOfLadder(now, [...runs, run(6, { sync: 'OFF', threads: 8 })], undefined).map(({ id }) => id)).toEqual(
      [6],
    );
  });
});
