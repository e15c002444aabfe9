import { describe, expect, it } from 'vitest';
import { Factor } from '../../../shared/model/factor.ts';
import type { CellResult } from '../../../shared/model/result.ts';
import { randomFrom } from '../../../shared/util/numbers.ts';
import { atDepth, mostOf } from '../../../shared/util/testing/depth.ts';
import { baselinesOf, ratiosOf } from './baselines.ts';
import type { compareLevels } from './compare.ts';
import { claims } from './testing/error-rates.ts';
import { simulatedResult, withinSession } from './testing/simulated.ts';

const SEED = 20_261_123;
const TIMES = atDepth(300, 60);
const FALSE_AT_MOST = atDepth(0.05 * TIMES + 3 * Math.sqrt(0.05 * 0.95 * TIMES), mostOf(TIMES, 0.05));

/** Interleaved cells, three repeats each around their mean. */
const cellsOf = (all: readonly (readonly [CellResult['levels'], number])[]): CellResult[] =>
  all.map(([levels, mean], cell) => ({
    ...{ cell, levels, runs: [], errors: 0, partial: false, value: mean },
    means: [mean * 1.01, mean, mean * 0.99],
    trials: [cell, cell + all.length, cell + 2 * all.length],
  }));

/** Durability × server, and a setting that matters only with the binary log. */
const CELLS = cellsOf([
  [{ server: 'mysql', durability: 'safe' }, 100],
  [{ server: 'mysql', durability: 'relaxed', delay: 5 }, 160],
  [{ server: 'mysql', durability: 'relaxed', delay: 0 }, 80],
  [{ server: 'mariadb', durability: 'safe' }, 84],
  [{ server: 'mariadb', durability: 'relaxed', delay: 0 }, 80.1],
]);

describe('ratios to the baseline of a factor', () => {
  const [server] = ratiosOf({ metric: 'tps', cells: CELLS }, { server: 'mysql' }, []);

  it('pair each cell with the one of that level and otherwise equal levels', () => {
    expect(server).toMatchObject({ factor: 'server', level: 'mysql' });
    expect(server?.cells.map(({ cell, baseline, verdict }) => [cell, baseline, verdict])).toEqual([
      [3, 0, 'worse'],
      [4, 2, 'no-difference'],
    ]);
    expect(server?.cells[0]?.ratio).toBeCloseTo(0.84, 6);
    expect(server?.cells[0]?.sentence).toMatch(/^Lower by 16 %, 95 % interval 14 % to 18 %\./);
  });

  it('pair cells with a baseline that lacks a level of another factor, if exactly one matches', () => {
    const [durability] = ratiosOf({ metric: 'tps', cells: CELLS }, { durability: 'safe' }, []);
    expect(durability?.cells.map(({ cell, baseline }) => [cell, baseline])).toEqual([
      [1, 0],
      [2, 0],
      [4, 3],
    ]);
    const [relaxed] = ratiosOf({ metric: 'tps', cells: CELLS }, { durability: 'relaxed' }, []);
    expect(relaxed?.cells.map(({ cell, baseline }) => [cell, baseline])).toEqual([[3, 4]]);
  });

  it('are absent for cells without a level of the factor or without a partner', () => {
    const [delay] = ratiosOf({ metric: 'tps', cells: CELLS }, { delay: 0 }, []);
    expect(delay?.cells.map(({ cell, baseline, verdict }) => [cell, baseline, verdict])).toEqual([[1, 2, 'better']]);
    expect(ratiosOf({ metric: 'tps', cells: CELLS }, { delay: 99 }, [])).toEqual([]);
  });

  it('agree with Compare for the same session, and raise no more false positives', () => {
    const world = { name: 'quiet', words: '', second: 0.01, run: 0.01 };
    const setting = { world, cells: 6, repeats: 3 };
    const [one, two, three] = [randomFrom(SEED), randomFrom(SEED), randomFrom(SEED)];
    const result = simulatedResult(setting, one);
    const [ratios] = ratiosOf(result, { cell: 0 }, []);
    const compared = withinSession(setting, two);
    expect(ratios?.cells.map(({ ratio, interval, sentence }) => ({ ratio, interval, sentence }))).toEqual(
      compared.cells.map(({ ratio, interval, sentence }) => ({ ratio, interval, sentence })),
    );
    const alarms = Array.from({ length: TIMES }, () => {
      const [each] = ratiosOf(simulatedResult(setting, three), { cell: 0 }, []);
      return each !== undefined && claims({ cells: each.cells } as unknown as ReturnType<typeof compareLevels>);
    }).filter(Boolean).length;
    expect(alarms, `seed ${SEED}`).toBeLessThanOrEqual(FALSE_AT_MOST);
  });
});

it('raises no more false positives over all steps of a session than over one', () => {
  // With less noise a difference by chance is below the margin.
  const world = { name: 'noisy', words: '', second: 0.01, run: 0.06 };
  const random = randomFrom(SEED + 1);
  const claimed = (steps: number): boolean =>
    Array.from({ length: 8 }, () => {
      const [each] = ratiosOf(simulatedResult({ world, cells: 2, repeats: 5 }, random), { cell: 0 }, [], { steps });
      return each?.cells.some(({ verdict }) => ['better', 'worse'].includes(verdict));
    }).some(Boolean);
  const alarms = (steps: number): number => Array.from({ length: TIMES }, () => claimed(steps)).filter(Boolean).length;
  expect(alarms(1), `each step by itself, seed ${SEED + 1}`).toBeGreaterThan(FALSE_AT_MOST);
  expect(alarms(8), `seed ${SEED + 1}`).toBeLessThanOrEqual(FALSE_AT_MOST);
});

describe('the baseline level', () => {
  const factors = [
    Factor.parse({ name: 'durability', levels: ['safe', 'relaxed'], baseline: 'safe' }),
    Factor.parse({ name: 'threads', levels: [1, 2] }),
  ];
  it('comes from the document, a request, or is absent', () => {
    expect(baselinesOf(factors)).toEqual({ durability: 'safe' });
    expect(baselinesOf(factors, { durability: 'relaxed', threads: '2' })).toEqual({
      durability: 'relaxed',
      threads: 2,
    });
    expect(baselinesOf(factors, { durability: '' })).toEqual({});
    expect(baselinesOf(factors, { threads: 7 })).toEqual({ durability: 'safe' });
  });
});
