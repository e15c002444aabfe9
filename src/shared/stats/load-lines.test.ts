import { describe, expect, it } from 'vitest';
import type { SessionResult } from '../model/result.ts';
import { randomFrom } from '../util/numbers.ts';
import { lineOfCell, loadFactorOf, loadLines } from './load-lines.ts';
import { measuredLadder, normalFrom, uslRate } from './testing/load-worlds.ts';

const SEED = 7;
const THREADS = [1, 2, 4, 8, 16, 32, 64, 128];
type Measured = Pick<SessionResult, 'metric' | 'factors' | 'cells'>;

/** Both lines of a session: throughput with `sync` OFF is the truth, with FULL a tenth of it. */
function session(
  truth: (load: number) => number,
  { repeats = 3, load = 'concurrency' as 'concurrency' | 'rate' } = {},
): Measured {
  const normal = normalFrom(randomFrom(SEED));
  const cells = ['OFF', 'FULL'].flatMap((sync, row) =>
    measuredLadder(THREADS, truth, { repeats, noise: 0.01, normal }).map(({ load: threads, rates }, column) => ({
      cell: row * THREADS.length + column,
      levels: { sync, threads },
      runs: [],
      means: rates.map((rate) => rate / (row === 0 ? 1 : 10)),
      errors: 0,
      partial: false,
    })),
  );
  const factors = [
    { name: 'sync', levels: ['OFF', 'FULL'] },
    { name: 'threads', levels: THREADS, load },
  ];
  return { metric: 'tps', factors, cells };
}

it('describes knee and peak of every line', () => {
  const lines = loadLines(session((load) => uslRate(load, 1000, 0.02, 0.0006)));
  expect(lines.map(({ levels }) => levels)).toEqual([{ sync: 'OFF' }, { sync: 'FULL' }]);
  for (const line of lines) {
    expect(line.knee).toMatchObject({ verdict: 'found', load: 32 });
    expect(line.usl?.peak.value).toBeGreaterThan(37);
    expect(line.usl?.peak.value).toBeLessThan(44);
    expect(line.sentences[0]).toMatch(
      /^Knee at threads 32: .* At threads 128 throughput is \d+ % below the highest\.$/,
    );
    expect(line.sentences[1]).toMatch(
      /^Universal Scalability Law: contention σ .*, coherency κ .*; peak at threads (3|4)\d \(95 % \d+ to \d+\) with /,
    );
    // The truth: 1 + 0.02 × 127 + 0.0006 × 128 × 127 = 13.3 times.
    expect(line.sentences[2]).toMatch(
      /^By this law, an operation takes 13 times as long at threads 128 as at load 1: 7\d % of that is coordination between them \(coherency\), (?:1|2)\d % of that is waiting for serialized resources \(contention\)\.$/,
    );
  }
  expect(lineOfCell(lines, { levels: { sync: 'FULL', threads: 4 } })).toBe(lines[1]);
});

it('states that throughput still rises, so that there is no knee and the peak lies beyond', () => {
  const [line] = loadLines(session((load) => uslRate(load, 1000, 0.01, 0.000001)));
  expect(line?.knee.verdict).toBe('none');
  expect(line?.sentences[0]).toBe(
    'No knee in the measured range: throughput still rises at threads 128, the largest load.',
  );
  expect(line?.sentences[1]).toMatch(/peak beyond the measured range, above threads \d+\.$/);
});

it('omits the law if it does not fit', () => {
  const [line] = loadLines(session((load) => (load < 64 ? 100 * load : 500)));
  expect(line?.usl).toBeUndefined();
  expect(line?.sentences[1]).toContain('does not fit this line');
});

it('finds the knee of a rate, without a law', () => {
  const [line] = loadLines(session((rate) => Math.min(rate, 20), { load: 'rate' }));
  expect(line?.knee).toMatchObject({ verdict: 'found', load: 32 });
  expect(line?.sentences).toHaveLength(1);
});

it('finds no knee for single repeats with unknown noise', () => {
  const [line] = loadLines(session((load) => (load < 64 ? 100 * load : 500), { repeats: 1 }));
  expect(line?.knee.verdict).toBe('unsure');
});

it('has no lines for other factors or metrics, and no knee for a limited rate', () => {
  const measured = session((load) => 100 * load);
  const poolSizes = { ...measured, factors: measured.factors.map(({ name, levels }) => ({ name, levels })) };
  expect(loadLines(poolSizes)).toEqual([]);
  expect(loadFactorOf(poolSizes.factors)).toBeUndefined();
  expect(loadLines({ ...measured, metric: 'latency_p95_ms' })).toEqual([]);
  const held = loadLines(measured, 500);
  expect(held[0]).toMatchObject({ knee: { verdict: 'unsure' } });
  expect(held[0]?.sentences[0]).toContain('limited to a rate of 500');
});

describe('a line with one run per level', () => {
  const lineOf = (rates: readonly number[]) => {
    const measured = session(() => 1, { repeats: 1 });
    const cells = measured.cells
      .filter(({ levels }) => levels.sync === 'OFF')
      .map((cell, index) => ({ ...cell, means: [rates[index] ?? 0] }));
    return loadLines({ ...measured, cells })[0];
  };

  it('gives this as the reason for no knee, never that repeats vary', () => {
    const corner = lineOf(THREADS.map((threads) => 100 * Math.min(threads, 16)));
    expect(corner?.knee.verdict).toBe('unsure');
    expect(corner?.sentences[0]).toContain('one run per level');
    const smooth = lineOf(
      THREADS.map((threads, index) => uslRate(threads, 100, 0.05, 0.0005) * (1 + 0.03 * (-1) ** index)),
    );
    expect(smooth?.sentences[0]).toMatch(/with one run per level, noise \(±\d+ %\) hides differences/);
  });

  it('has no peak at a cliff or corner: a level is off the curve', () => {
    for (const truth of [(n: number) => (n < 64 ? 100 * n : 500), (n: number) => 100 * Math.min(n, 16)]) {
      const line = lineOf(THREADS.map(truth));
      expect(line?.usl).toBeUndefined();
      expect(line?.sentences[1]).toMatch(
        /With one run per level this may be noise or a different law, so no peak is derived/,
      );
    }
  });

  it('has no peak that the highest measured level contradicts', () => {
    // Their curve peaks near 75. One level is 3 % higher, which makes it the highest and is close enough to the curve.
    const loads = [1, 2, 4, 8, 12, 16, 20, 24, 28, 32, 48, 64, 80, 96, 128, 160, 192, 256, 320, 384, 512];
    const sentenceOf = (bumpAt: number) => {
      const cells = loads.map((threads, cell) => {
        const rate = uslRate(threads, 100, 0.3, 0.00012) * (threads === bumpAt ? 1.03 : 1);
        return { cell, levels: { threads }, runs: [], means: [rate], errors: 0, partial: false };
      });
      const factors = [{ name: 'threads', levels: loads, load: 'concurrency' as const }];
      return loadLines({ metric: 'tps', factors, cells })[0]?.sentences[1];
    };
    expect(sentenceOf(80)).toMatch(/; peak at threads 7\d/);
    expect(sentenceOf(32)).toMatch(
      /; no peak is derived because throughput was highest at threads 32, not between 7\d and 7\d\./,
    );
  });
});

it('omits contention and coherency if neither is significant or the law does not fit', () => {
  const [straight] = loadLines(session((load) => 1000 * load));
  expect(straight?.sentences.filter((each) => each.startsWith('By this law'))).toEqual([]);
  const [corner] = loadLines(session((load) => (load < 64 ? 100 * load : 500)));
  expect(corner?.sentences).toHaveLength(2);
  const [amdahl] = loadLines(session((load) => uslRate(load, 1000, 0.1, 0)));
  expect(amdahl?.sentences[2]).toMatch(/as at load 1: 9\d % of that is waiting for/);
  expect(amdahl?.sentences[2]).not.toContain('coherency');
});

it('finds the knee along the values of named levels, and refers to it by its name', () => {
  // Throughput is one operation per IOPS of the volume, up to 3,000.
  const values = { '1 TB': 1000, '2 TB': 2000, '3 TB': 3000, '4 TB': 4000, '5 TB': 5000, '8 TB': 8000 };
  const names = Object.keys(values);
  const cells = Object.values(values).map((iops, cell) => ({
    ...{ cell, levels: { volume: names[cell] ?? '' }, runs: [], errors: 0, partial: false },
    means: [0.995, 1, 1.005].map((noise) => noise * Math.min(iops, 3000)),
  }));
  const factor = { name: 'volume', levels: names };
  const [line] = loadLines({ metric: 'tps', factors: [{ ...factor, values }], cells });
  expect(line).toMatchObject({ factor: 'volume', levels: {}, knee: { verdict: 'found', load: 3000 } });
  expect(line?.sentences).toEqual([
    expect.stringMatching(/^Knee at volume 3 TB: throughput there is within .*, so a larger level gains nothing\.$/),
  ]);
  expect(loadLines({ metric: 'tps', factors: [factor], cells })).toEqual([]);
  // A load takes precedence.
  const threads = { name: 'threads', levels: [1, 2, 4], load: 'concurrency' as const };
  expect(loadLines({ metric: 'tps', factors: [{ ...factor, values }, threads], cells })[0]?.factor).toBe('threads');
});
