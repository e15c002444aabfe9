import { describe, expect, it } from 'vitest';
import type { CellResult } from '../../../shared/model/result.ts';
import { repeatsInterval } from '../../../shared/stats/index.ts';
import { randomFrom } from '../../../shared/util/numbers.ts';
import { atDepth } from '../../../shared/util/testing/depth.ts';
import type { World } from '../figures/testing/worlds.ts';
import { compareLevels } from './compare.ts';
import type { ComparedSession } from './pairs.ts';
import { claims, FALSE_ALARMS, holds, shareOf } from './testing/error-rates.ts';
import { betweenSessions, sessionFrom, withinSession } from './testing/simulated.ts';

const SEED = 20_261_127;
const TIMES = atDepth(300, 40);

/** Runs that differ by tens of per cent, as on a shared link or disk. */
const WILD: readonly World[] = [
  { name: 'half', words: 'each run off by 50 %', second: 0.02, run: 0.5 },
  { name: 'whole', words: 'each run off by 100 %', second: 0.02, run: 1 },
  { name: 'heavy', words: 'each run off by 10 %, now and then far more', second: 0.02, run: 0.1, heavy: true },
];

/** Cells with these figures of their repeats, measured in rounds. */
function session(...figures: number[][]): ComparedSession {
  const most = Math.max(...figures.map(({ length }) => length));
  const trials = Array.from({ length: most }, (_, repeat) =>
    figures.flatMap((own, cell) => (own[repeat] === undefined ? [] : [{ cell, mean: own[repeat] }])),
  ).flat();
  const spread = (mean: number) => ({
    n: 60,
    mean,
    median: mean,
    p5: mean,
    p25: mean,
    p75: mean,
    p95: mean,
    min: mean,
    max: mean,
    cv: 0.01,
  });
  return sessionFrom(
    trials,
    trials.map(({ mean }) => ({ spread: spread(mean), resolution: 1 })),
  );
}
const against = { factor: 'cell', level: 0 };

it('a cell of 310 against one of 134 never has a ratio below 1', () => {
  const compared = compareLevels(session([133, 134, 135], [4, 12, 914]), against).cells[0];
  expect(compared?.other?.value).toBe(310);
  expect(compared?.ratio).toBeCloseTo(310 / 134, 12);
  expect(compared?.interval?.low).toBeLessThan(310 / 134);
  expect(compared?.interval?.high).toBeGreaterThan(310 / 134);
  expect(compared?.verdict).toBe('cannot-tell');
});

describe(`figures and ratios in skewed worlds, seed ${SEED}`, () => {
  it.each(WILD)('are one estimate: $words', (world) => {
    const random = randomFrom(SEED);
    for (let time = 0; time < TIMES; time++) {
      const setting = { world, cells: 3, repeats: 2 + (time % 4) };
      const { cells } =
        time % 2 ? withinSession(setting, random) : betweenSessions({ ...setting, sessions: 2, turns: true }, random);
      for (const { baseline, other, ratio = 0, interval } of cells) {
        expect(ratio / ((other?.value ?? 0) / (baseline?.value ?? 1))).toBeCloseTo(1, 9);
        expect([interval && interval.low < ratio, interval && interval.high > ratio]).toEqual([true, true]);
        const own = repeatsInterval(other?.means ?? []);
        expect(own && own.low < (other?.value ?? 0) && own.high > (other?.value ?? 0)).toBe(true);
      }
    }
  });

  it.each(WILD)('raise no more false positives than quiet ones: $words', (world) => {
    const random = randomFrom(SEED);
    for (const repeats of [2, 3, 5]) {
      const share = shareOf(TIMES, () => claims(withinSession({ world, cells: 1, repeats }, random)));
      expect(
        holds({
          what: 'false alarms',
          how: '',
          world: world.name,
          cells: 1,
          repeats,
          times: TIMES,
          share,
          most: FALSE_ALARMS,
        }),
      ).toBe(true);
    }
  });
});

it('a percentile whose shown figures and repeats point in opposite directions has no verdict', () => {
  const wide = session([100, 100, 101], [120, 121, 120]);
  const cells = wide.result.cells.map(
    (cell): CellResult => ({
      ...cell,
      value: cell.cell === 0 ? 130 : 110,
      range: { low: Math.min(...cell.means), high: Math.max(...cell.means) },
    }),
  );
  const [compared] = compareLevels(
    { ...wide, result: { ...wide.result, metric: 'latency_p95_ms', cells } },
    against,
  ).cells;
  expect(compared).toMatchObject({ verdict: 'cannot-tell', ratio: 110 / 130 });
  expect(compared?.sentence).toMatch(
    /^Inconclusive: the ratio of the figures shown is ×0\.85, that of the compared repeats ×1\.2/,
  );
  expect(compared).not.toHaveProperty('interval');
});

it('names the compared repeats if some were added to one side later', () => {
  const plain = session([100, 101, 99], [120, 121, 119]);
  const cells = plain.result.cells.map((cell) =>
    cell.cell === 0
      ? { ...cell, means: [...cell.means, 101, 100], trials: [...(cell.trials ?? []), 6, 7], value: 100.2 }
      : cell,
  );
  const detail = { ...plain.detail, later: [{ from: 6, at: 0, added: 2 }] };
  const [compared] = compareLevels({ detail, result: { ...plain.result, cells } }, against).cells;
  expect(compared?.sentence).toContain('Based on repeats from the same parts of the session: 3 of 3 vs. 3 of 5.');
});
