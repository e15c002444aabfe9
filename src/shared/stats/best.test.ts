import { describe, expect, it } from 'vitest';
import { caveatsOf } from '../model/figure.ts';
import type { CellResult, SessionResult } from '../model/result.ts';
import { bestSentence } from './best.ts';

const cell = (index: number, threads: number, means: number[]): CellResult => {
  const mean = means.reduce((sum, value) => sum + value, 0) / means.length;
  return {
    cell: index,
    levels: { threads },
    runs: [],
    value: mean,
    spread: { n: 60, mean, median: mean, p5: mean, p25: mean, p75: mean, p95: mean, min: mean, max: mean, cv: 0.01 },
    means,
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
  cells: cells.map((each) => ({ ...each, ...caveatsOf(each) })),
});

describe('the fastest cell in a sentence', () => {
  it('names it with its figure and its distance to the slowest', () => {
    const cells = [cell(0, 1, [1000, 1001, 1002]), cell(1, 2, [2000, 2001, 2003])];
    expect(bestSentence(result(cells))).toBe('Fastest: threads 2 with 2,001 tps, 2.00 times the slowest cell.');
  });
  it('names cells by the factors in which they differ', () => {
    const cells = [cell(0, 1, [1000, 1001, 1002]), cell(1, 2, [2000, 2001, 2003])];
    const sized = cells.map((each) => ({ ...each, levels: { ...each.levels, size: 10 } }));
    const factors = [
      { name: 'threads', levels: [1, 2] },
      { name: 'size', levels: [10] },
    ];
    expect(bestSentence({ ...result(sized), factors })).toBe(
      'Fastest: threads 2 with 2,001 tps, 2.00 times the slowest cell.',
    );
  });
  it('compares with the slowest cell at the same load only', () => {
    const cells = [cell(0, 1, [1000, 1001, 1002]), cell(1, 2, [2000, 2001, 2003])];
    const factors = [{ name: 'threads', levels: [1, 2, 4], load: 'concurrency' as const }];
    expect(bestSentence({ ...result(cells), factors })).toBe('Fastest: threads 2 with 2,001 tps.');
    const sync = cells.map((each, index) => ({ ...each, levels: { sync: index === 0 ? 'FULL' : 'OFF', threads: 2 } }));
    expect(bestSentence({ ...result(sync), factors })).toBe(
      'Fastest: sync OFF · threads 2 with 2,001 tps, 2.00 times the slowest cell.',
    );
  });
  it('names every cell not distinguishable from it, and gives a factor only to one that is', () => {
    const cells = [
      cell(0, 1, [500, 503, 498]),
      cell(1, 2, [1900, 2000, 1950]),
      cell(2, 4, [1950, 2050, 1990]),
      cell(3, 8, [1910, 2040, 1980]),
    ];
    expect(bestSentence(result(cells))).toBe(
      'Highest: threads 4 with 1,997 tps, 3.99 times the slowest cell. Not distinguishable from: threads 8 (1,977 tps); threads 2 (1,950 tps).',
    );
    expect(bestSentence(result(cells.slice(1)))).toBe(
      'Highest: threads 4 with 1,997 tps, but no other cell differs significantly.',
    );
    expect(bestSentence(result(cells.slice(1, 3)))).toBe(
      'Highest: threads 4 with 1,997 tps, but the other cell does not differ significantly.',
    );
  });
  it('names at most four cells, and counts the others', () => {
    const tied = [2, 4, 8, 16, 32, 64, 128].map((threads, index) => cell(index + 1, threads, [1900, 2000, 1950]));
    const sentence = bestSentence(result([cell(0, 1, [500, 503, 498]), ...tied]));
    expect(sentence?.split('distinguishable from: ')[1]?.split('; ')).toEqual([
      ...[4, 8, 16, 32].map((threads) => `threads ${threads} (1,950 tps)`),
      '2 more.',
    ]);
  });
  it('states that the load was the limit, not the system under test', () => {
    const bound = { verdict: 'network' as const, sentence: '', evidence: [], runId: 1, runs: 3, of: 3 };
    const cells = [cell(0, 1, [1000, 1001, 1002]), { ...cell(1, 2, [2000, 2001, 2003]), bound }];
    expect(bestSentence(result(cells))).toBe(
      'Fastest: threads 2 with 2,001 tps, 2.00 times the slowest cell. threads 2 was limited by the network, not by the system under test.',
    );
    const faulty = cells.map((each) => ({ ...each, errors: 3 }));
    expect(bestSentence(result(faulty))).toMatch(
      / had 3 errors, and was limited by the network, not by the system under test\.$/,
    );
    const own = cells.map((each) => ({ ...each, bound: { ...bound, verdict: 'cpu' as const } }));
    expect(bestSentence(result(own))).not.toContain('limited by');
  });
  it('names no best cell where the load was the limit of the others too', () => {
    const bound = { verdict: 'generator-cpu' as const, sentence: '', evidence: [], runId: 1, runs: 3, of: 3 };
    const cells = [cell(0, 1, [1000, 1001, 1002]), cell(1, 2, [2000, 2001, 2003])];
    const full = cells.map((each) => ({ ...each, bound }));
    expect(bestSentence(result(full))).toBe(
      'Highest: threads 2 with 2,001 tps, but the load generator was the limit, so no best cell is named. threads 2 was limited by the CPU of the load generator, not by the system under test.',
    );
    expect(bestSentence(result(cells.map((each, index) => (index === 0 ? { ...each, bound } : each))))).toBe(
      'Highest: threads 2 with 2,001 tps, but the load generator was the limit, so no best cell is named.',
    );
  });
  it('states that one repeat has no known variance', () => {
    expect(bestSentence(result([cell(0, 1, [10]), cell(1, 2, [20])]))).toBe(
      'Highest: threads 2 with 20 tps, measured once, variance unknown, so no best cell is named.',
    );
  });
  it('does not call a cell measured at another time the fastest', () => {
    const at = (trials: number[], entry: CellResult): CellResult => ({ ...entry, trials });
    const cells = (turns: boolean) => [
      at(turns ? [0, 2, 4] : [0, 1, 2], cell(0, 1, [1000, 1001, 1002])),
      at(turns ? [1, 3, 5] : [3, 4, 5], cell(1, 2, [2000, 2001, 2003])),
    ];
    expect(bestSentence(result(cells(true)))).toMatch(/^Fastest/);
    expect(bestSentence(result(cells(false)))).toBe(
      'Highest: threads 2 with 2,001 tps. Cells were not interleaved, so time may cause the difference.',
    );
  });
  it('names the lowest for a metric whose better direction is lower', () => {
    const cells = [cell(0, 1, [2.01, 2, 1.99]), cell(1, 2, [9.01, 9, 8.99])];
    expect(bestSentence(result(cells, 'latency_p95_ms'))).toBe('Lowest: threads 1 with 2.00 ms.');
  });
  it('excludes runs that ended early', () => {
    const cells = [cell(0, 1, [10, 10]), { ...cell(1, 2, [20]), partial: true }];
    expect(bestSentence(result(cells))).toBe('threads 1: 10 tps.');
  });
  it('is undefined without a result', () => {
    expect(bestSentence(result([]))).toBeUndefined();
  });
  it('names the range of a metric without a better direction', () => {
    const cells = [cell(0, 1, [5, 5]), cell(1, 2, [9, 9]), cell(2, 4, [7, 7])];
    expect(bestSentence(result(cells, 'threads_running'))).toBe(
      'From 5 threads (threads 1) to 9 threads (threads 2). This metric has no better direction.',
    );
    expect(bestSentence(result(cells.slice(0, 1), 'rollbacks_per_s'))).toBe('threads 1: 5.00 per s.');
  });
  it('states the errors of a cell that it names', () => {
    const failing = (entry: CellResult, events: number): CellResult => ({
      ...entry,
      errors: 3 * events,
      failures: [1, 2, 3].map(() => ({ events, seconds: 60 })),
    });
    const [slow, close, fast] = [
      cell(0, 1, [500, 503, 498]),
      cell(1, 2, [1990, 2000, 1980]),
      cell(2, 4, [1985, 2010, 1990]),
    ];
    expect(bestSentence(result([slow, failing(fast, 30_000)]))).toBe(
      'Fastest: threads 4 with 1,995 tps, 3.99 times the slowest cell. threads 4 had 90,000 errors (500 per s).',
    );
    expect(bestSentence(result([slow, failing(close, 20), fast]))).toMatch(
      /Not distinguishable from: threads 2 \(1,990 tps, 60 errors\)\.$/,
    );
    expect(bestSentence(result([{ ...failing(fast, 1), levels: {} }]))).toBe(
      'The only cell: 1,995 tps. The only cell had 3 errors (0.0167 per s).',
    );
  });
});
