import { describe, expect, it } from 'vitest';
import type { CellResult, ComparedCell } from '../../../shared/model/result.ts';
import { mean } from '../../../shared/stats/index.ts';
import { randomFrom } from '../../../shared/util/numbers.ts';
import { atDepth, leastOf, mostOf } from '../../../shared/util/testing/depth.ts';
import { measure, type Trial, WORLDS, type World } from '../figures/testing/worlds.ts';
import { spreadFindings } from './compare.ts';

const SEED = 20_261_123;
const TIMES = atDepth(100, 16);
/** Upper bound of such simulations for a true share of 5 %, in all but one of a thousand. */
const FALSE_AT_MOST = atDepth(5 + 3.1 * Math.sqrt(0.05 * 0.95 * TIMES), mostOf(TIMES, 0.05));

function cellOf(world: World, repeats: number, random: () => number, factor = 1): CellResult {
  const trials = Array.from({ length: repeats }, (): Trial => ({ cell: 0, factor }));
  const runs = measure(world, trials, random).map(({ spread }, repeat) => ({
    ...{ runId: repeat, repeat, state: 'done', partial: false, errors: 0 },
    ...{ spread, value: spread.mean },
  }));
  return { cell: 0, levels: {}, runs, value: mean(runs.map(({ value }) => value)) } as unknown as CellResult;
}

const pair = (baseline: CellResult, other: CellResult): ComparedCell =>
  ({ levels: {}, baseline, other }) as unknown as ComparedCell;

/** Number of simulated comparisons with a finding. */
function wideSpreads(cells: number, compare: (random: () => number) => ComparedCell): number {
  const random = randomFrom(SEED);
  const found = Array.from({ length: TIMES }, () =>
    spreadFindings(
      Array.from({ length: cells }, () => compare(random)),
      'tps',
    ),
  );
  return found.filter(({ length }) => length > 0).length;
}

describe(`variation of cells of similar speed (seed ${SEED})`, () => {
  it.each(WORLDS)('is not reported as different if it is equal: $name', (world) => {
    for (const [cells, repeats] of [
      [1, 3],
      [1, 5],
      [8, 3],
    ] as const) {
      const alarms = wideSpreads(cells, (random) =>
        pair(cellOf(world, repeats, random), cellOf(world, repeats, random)),
      );
      expect(alarms, `${cells} × ${repeats}`).toBeLessThanOrEqual(FALSE_AT_MOST);
    }
  });

  it.each(WORLDS.filter(({ name }) => ['white', 'ar-0.5', 'runs'].includes(name)))(
    'is found if it is three times as large: $name',
    (world) => {
      const wild = { ...world, second: 3 * world.second };
      const found = wideSpreads(1, (random) => pair(cellOf(world, 5, random), cellOf(wild, 5, random)));
      expect(found).toBeGreaterThanOrEqual(leastOf(TIMES, 0.95));
    },
  );

  it('names the side that varies more and by how much', () => {
    const random = randomFrom(SEED);
    const [steady] = WORLDS;
    const wild = { ...(steady as World), second: 0.15 };
    const [finding] = spreadFindings([pair(cellOf(wild, 5, random), cellOf(steady as World, 5, random))], 'tps');
    expect(finding).toMatchObject({ code: 'variation-differs', severity: 'note' });
    const [named] = spreadFindings(
      [{ ...pair(cellOf(steady as World, 5, random), cellOf(wild, 5, random)), levels: { threads: 8 } }],
      'tps',
    );
    expect(named?.message).toMatch(
      /^threads 8: per-second values vary by \S+ % in the baseline and \S+ % in the other session\. That is \S+ times as much in the other session/,
    );
    expect(finding?.message).toMatch(
      /^Per-second values vary by 1\d\.\d % in the baseline and [45]\.\d % in the other session\. That is [23]\.\d times as much in the baseline \(95 % interval [123]\.\d to [34]\.\d\)/,
    );
  });

  it('is not compared for distant figures, few repeats, and latencies', () => {
    const random = randomFrom(SEED);
    const [steady] = WORLDS;
    const wild = { ...(steady as World), second: 0.15 };
    const of = (repeats: number, factor: number, metric: string) =>
      spreadFindings([pair(cellOf(steady as World, repeats, random), cellOf(wild, repeats, random, factor))], metric);
    expect(of(5, 1, 'tps')).toHaveLength(1);
    expect(of(5, 2, 'tps')).toEqual([]);
    expect(of(2, 1, 'tps')).toEqual([]);
    expect(of(5, 1, 'latency_avg_ms')).toEqual([]);
  });
});
