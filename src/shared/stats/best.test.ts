import { describe, expect, it } from 'vitest';
import type { CellResult, SessionResult } from '../model/result.ts';
import { bestSentence } from './best.ts';

const cell = (index: number, threads: number, means: number[], interval?: CellResult['interval']): CellResult => {
  const mean = means.reduce((sum, value) => sum + value, 0) / means.length;
  return {
    cell: index,
    levels: { threads },
    runs: [],
    spread: { n: 60, mean, median: mean, p5: mean, p95: mean, min: mean, max: mean, cv: 0.01 },
    means,
    ...(interval ? { interval } : {}),
    errors: 0,
    partial: false,
  };
};
const result = (cells: CellResult[], metric = 'tps'): SessionResult => ({
  sessionId: 1,
  metric,
  metrics: [metric],
  factors: [{ name: 'threads', levels: [1, 2, 4] }],
  warmup: 0,
  cells,
});

describe('the fastest cell in a sentence', () => {
  it('names it with its figure and its distance to the slowest', () => {
    const cells = [
      cell(0, 1, [1000, 1000], { low: 990, high: 1010 }),
      cell(1, 2, [2000, 2000], { low: 1990, high: 2010 }),
    ];
    expect(bestSentence(result(cells))).toBe('Fastest: threads 2 with 2,000 tps, 2.00 times the slowest cell.');
  });
  it('does not prefer what the repeats cannot tell apart', () => {
    const cells = [
      cell(0, 1, [1900, 2000], { low: 1800, high: 2100 }),
      cell(1, 2, [1950, 2050], { low: 1850, high: 2150 }),
    ];
    expect(bestSentence(result(cells))).toContain('Threads 1 is too close to tell apart');
  });
  it('says that one repeat has no noise to judge by', () => {
    expect(bestSentence(result([cell(0, 1, [10]), cell(1, 2, [20])]))).toContain('With a single repeat');
  });
  it('takes the lowest for a metric where less is better', () => {
    const cells = [cell(0, 1, [2, 2]), cell(1, 2, [9, 9])];
    expect(bestSentence(result(cells, 'latency_p95_ms'))).toBe('Lowest: threads 1 with 2.00 ms.');
  });
  it('does not name what was cut short', () => {
    const cells = [cell(0, 1, [10, 10]), { ...cell(1, 2, [20]), partial: true }];
    expect(bestSentence(result(cells))).toBe('threads 1: 10 tps.');
  });
  it('says nothing without a result or where neither end is better', () => {
    expect(bestSentence(result([]))).toBeUndefined();
    expect(bestSentence(result([cell(0, 1, [5, 5])], 'threads_running'))).toBeUndefined();
  });
});
