import { beforeEach, describe, expect, it } from 'vitest';
import type { CellResult } from '../model/result.ts';
import { randomFrom } from '../util/numbers.ts';
import { atDepth, leastOf, mostOf } from '../util/testing/depth.ts';
import { crossingSentences, crossingsOf } from './crossings.ts';
import { normalFrom } from './testing/load-worlds.ts';

const SEED = 20_261_123;
const TIMES = atDepth(200, 20);
const CLIENTS = [1, 2, 4, 8, 16, 32, 64];
const FACTORS = [
  { name: 'pool', levels: ['off', 'on'] },
  { name: 'clients', levels: CLIENTS, load: 'concurrency' as const },
];

type Truth = (pool: string, clients: number) => number;

/** Three repeats per cell, interleaved, each run off by `noise`. */
function measured(truth: Truth, { noise = 0.01, normal = (): number => 0, turns = true } = {}) {
  const all = FACTORS[0]?.levels.flatMap((pool) => CLIENTS.map((clients) => ({ pool: String(pool), clients }))) ?? [];
  const cells = all.map((levels, cell): CellResult => {
    const means = [0, 1, 2].map(
      (repeat) => truth(levels.pool, levels.clients) * Math.exp(noise * (normal() + (repeat - 1) / 2)),
    );
    const trials = [0, 1, 2].map((repeat) => (turns ? repeat * all.length + cell : cell * 3 + repeat));
    return { cell, levels, runs: [], errors: 0, partial: false, means, trials, value: means[1] };
  });
  return { metric: 'tps', factors: FACTORS, cells };
}

/** A pooler costs 15 % at 1 client, and gains as much at 64: the lines meet at 8. */
const meeting: Truth = (pool, clients) => 1000 * (pool === 'on' ? 1 + 0.15 * (Math.log2(clients / 8) / 3) : 1);

describe('the crossing of two lines', () => {
  it('lies between two levels, and names the better line on both sides', () => {
    const [crossing, ...more] = crossingsOf(measured(meeting));
    expect(more).toEqual([]);
    expect(crossing).toMatchObject({ along: 'clients', factor: 'pool', one: 'off', other: 'on', verdict: 'crosses' });
    expect(crossing?.between).toEqual([{ from: 4, to: 16 }]);
    expect(crossing?.sentence).toMatch(
      /^pool off and on change their order between clients 4 and 16: off is better at clients 4 \(×1\.05, 95 % interval ×1\.0\d – ×1\.0\d\), on at clients 16 \(×1\.05, /,
    );
  });

  it('does not name a level that all cells have', () => {
    const { cells, ...more } = measured(meeting);
    const sized = cells.map((cell) => ({ ...cell, levels: { ...cell.levels, size: 10 } }));
    const [crossing] = crossingsOf({ ...more, cells: sized, factors: [...FACTORS, { name: 'size', levels: [10] }] });
    expect(crossing).toMatchObject({ levels: { size: 10 }, verdict: 'crosses' });
    expect(crossing?.sentence).toMatch(/^pool off and on change their order/);
  });

  it('is inverted for a latency', () => {
    const [crossing] = crossingsOf({ ...measured(meeting), metric: 'latency_avg_ms' });
    expect(crossing?.sentence).toContain('on is better at clients 4 (×0.95');
  });

  it('is not stated without a crossing, with an insignificant difference, or if time may be the cause', () => {
    const crossing = crossingsOf(measured((pool) => (pool === 'on' ? 1200 : 1000)))[0];
    expect(crossing).toMatchObject({ verdict: 'none', between: [] });
    expect(crossing?.sentence).toBe(
      'pool off and on do not cross between clients 1 and 64: on is better at every level measured.',
    );
    const small: Truth = (pool, clients) => (pool === 'on' && clients > 8 ? 1004 : pool === 'on' ? 996 : 1000);
    expect(crossingsOf(measured(small))[0]).toMatchObject({ verdict: 'unsure', seen: true });
    expect(crossingsOf(measured(meeting, { turns: false }))[0]).toMatchObject({ verdict: 'unsure', between: [] });
  });

  it('claims a better line only where the verdict on the ratio does', () => {
    const world = measured((pool) => (pool === 'on' ? 1200 : 1000));
    const of = (pool: string, clients: number): number =>
      world.cells.find(({ levels }) => levels.pool === pool && levels.clients === clients)?.cell ?? -1;
    const ratios = (open: readonly number[]) => [
      {
        ...{ factor: 'pool', level: 'off', verdict: '' },
        cells: CLIENTS.map((clients) => ({
          ...{ cell: of('on', clients), baseline: of('off', clients), sentence: '' },
          verdict: open.includes(clients) ? ('cannot-tell' as const) : ('better' as const),
        })),
      },
    ];
    expect(crossingsOf(world, {}, ratios([8, 32]))[0]).toMatchObject({
      verdict: 'unsure',
      sentence:
        'Whether pool off and on cross between clients 1 and 64 is undecided: on is better at clients 1, 2, 4, 16, 64, but the difference is not significant at clients 8, 32.',
    });
    expect(crossingsOf(world, {}, ratios([]))[0]?.sentence).toMatch(/ on is better at every level measured\.$/);
    expect(crossingsOf(world, {}, ratios(CLIENTS))[0]?.sentence).toMatch(/ is undecided: that needs significant /);
  });

  it('is computed against the baseline only if there is one, and needs two factors', () => {
    expect(crossingsOf(measured(meeting), { pool: 'on' }).map(({ one, other }) => [one, other])).toEqual([
      ['on', 'off'],
    ]);
    expect(crossingsOf({ ...measured(meeting), factors: FACTORS.slice(1) })).toEqual([]);
    expect(crossingSentences({ crossings: crossingsOf(measured(meeting)) })).toHaveLength(1);
  });
});

describe(`crossings in simulated worlds, seed ${SEED}`, () => {
  let random = randomFrom(SEED);
  let normal = normalFrom(random);
  // A test draws the same numbers alone as together with others.
  beforeEach(() => {
    random = randomFrom(SEED);
    normal = normalFrom(random);
  });
  const rounds = (truth: Truth, noise: number) =>
    Array.from({ length: TIMES }, () => crossingsOf(measured(truth, { noise, normal }))[0]);

  it('are false alarms in at most 5 % of worlds, for equal and for parallel lines', () => {
    for (const truth of [() => 1000, (pool: string) => (pool === 'on' ? 1030 : 1000)]) {
      const alarms = rounds(truth, 0.02).filter((each) => each?.verdict === 'crosses').length;
      expect(alarms).toBeLessThanOrEqual(mostOf(TIMES, 0.05));
    }
  });

  it('are found at the true place if the lines differ clearly on both sides', () => {
    const found = rounds(meeting, 0.01);
    expect(found.filter((each) => each?.verdict === 'crosses').length).toBeGreaterThanOrEqual(leastOf(TIMES, 0.95));
    const wrong = found.filter(
      (each) => each?.between.length !== 1 || each.between.some(({ from, to }) => from > 8 || to < 8),
    );
    expect(wrong.length).toBeLessThanOrEqual(mostOf(TIMES, 0.05));
  });
});
