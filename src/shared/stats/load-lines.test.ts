import { expect, it } from 'vitest';
import type { SessionResult } from '../model/result.ts';
import { lineOfCell, loadFactorOf, loadLines } from './load-lines.ts';
import { measuredLadder, normalFrom, randomFrom, uslRate } from './testing/load-worlds.ts';

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

it('tells knee and peak of every line in words', () => {
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
      /^Universal Scalability Law: contention σ .*; peak at threads (3|4)\d \(95 % \d+ to \d+\) with /,
    );
  }
  expect(lineOfCell(lines, { levels: { sync: 'FULL', threads: 4 } })).toBe(lines[1]);
});

it('says that there is no knee where throughput still rises, and that the peak lies beyond', () => {
  const [line] = loadLines(session((load) => uslRate(load, 1000, 0.01, 0.000001)));
  expect(line?.knee.verdict).toBe('none');
  expect(line?.sentences[0]).toBe(
    'No knee in the range measured: throughput still rises at threads 128, the largest load.',
  );
  expect(line?.sentences[1]).toMatch(/its peak lies beyond the range measured, not before threads \d+\.$/);
});

it('draws no law through what the law does not describe', () => {
  const [line] = loadLines(session((load) => (load < 64 ? 100 * load : 500)));
  expect(line?.usl).toBeUndefined();
  expect(line?.sentences[1]).toContain('does not describe this line');
});

it('has a knee of a rate, but no law of it', () => {
  const [line] = loadLines(session((rate) => Math.min(rate, 20), { load: 'rate' }));
  expect(line?.knee).toMatchObject({ verdict: 'found', load: 32 });
  expect(line?.sentences).toHaveLength(1);
});

it('names no knee of one repeat where nothing tells the noise', () => {
  const [line] = loadLines(session((load) => (load < 64 ? 100 * load : 500), { repeats: 1 }));
  expect(line?.knee.verdict).toBe('unsure');
});

it('has none for factors that are no load, metrics that are no throughput, and loads that are held', () => {
  const measured = session((load) => 100 * load);
  const poolSizes = { ...measured, factors: measured.factors.map(({ name, levels }) => ({ name, levels })) };
  expect(loadLines(poolSizes)).toEqual([]);
  expect(loadFactorOf(poolSizes.factors)).toBeUndefined();
  expect(loadLines({ ...measured, metric: 'latency_p95_ms' })).toEqual([]);
  const held = loadLines(measured, 500);
  expect(held[0]).toMatchObject({ knee: { verdict: 'unsure' } });
  expect(held[0]?.sentences[0]).toContain('limited to a rate of 500');
});
