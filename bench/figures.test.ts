import { expect, it } from 'vitest';
import { compareFigures, type Figure, figureOf, KEPT_RUNS, keptFigures, stillWorse } from './figures.ts';
import type { BenchRow } from './row.ts';

const row = (ratio: number, unit = 'ms', name = 'read'): BenchRow => ({
  name,
  value: ratio * 7,
  unit,
  limit: 7,
  ratio,
});
const five = (ratios: readonly number[], unit?: string) => keptFigures(ratios.map((ratio) => [row(ratio, unit)]));
const worse = (kept: Record<string, Figure>, ...rows: BenchRow[]) =>
  compareFigures(kept, rows).worse.map(({ row: name }) => name);

it('stores the median, minimum and maximum of the runs', () => {
  expect(five([5, 5.8, 5.2, 5.4, 5.1])).toEqual({ read: { figure: 5.2, low: 5, high: 5.8 } });
});

it('stores ratios and bytes without a limit, but no time, rate or share without one', () => {
  const bare = (unit: string, value = 3): BenchRow => ({ name: 'a', value, unit });
  expect(['bytes', 'bytes per byte', 'kB', 'KiB', 'MiB'].map((unit) => figureOf(bare(unit)))).toEqual([3, 3, 3, 3, 3]);
  expect(['ms', 'ms of CPU', '% of one core', '%', 'tps', 'per s'].map((unit) => figureOf(bare(unit)))).toEqual(
    Array.from({ length: 6 }, () => undefined),
  );
  expect(figureOf({ ...bare('ms'), ratio: 2 })).toBe(2);
});

it('stores no figure that is missing in a run or not above zero', () => {
  expect(keptFigures([[row(1), row(2, 'ms', 'other')], [row(1)]])).toEqual({ read: { figure: 1, low: 1, high: 1 } });
  expect(five([1, 0])).toEqual({});
  expect(five([1, Number.NaN])).toEqual({});
});

it('throws for two rows with the same name', () => {
  expect(() => keptFigures([[row(1), row(2)]])).toThrow('two rows are called “read”');
});

it('accepts noise within the stored spread', () => {
  const kept = five([5, 5.8, 5.2, 5.4, 5.1]);
  for (const ratio of [4, 5, 5.8, 6.5]) expect(worse(kept, row(ratio))).toEqual([]);
});

it('detects a regression of 30 % in the worse direction', () => {
  const near = [1, 1.02, 0.98, 1.03, 1.01];
  for (const unit of ['ms', '% of one core', 'MiB']) {
    expect(worse(five(near, unit), row(1.3, unit))).toEqual(['read']);
    expect(worse(five(near, unit), row(0.7, unit))).toEqual([]);
  }
  for (const unit of ['samples/s', 'commits/s', 'frames/s', 'tps', '/s']) {
    expect(worse(five(near, unit), row(0.7, unit))).toEqual(['read']);
    expect(worse(five(near, unit), row(1.3, unit))).toEqual([]);
  }
});

it('tolerates 10 % if the stored runs are equal', () => {
  expect(worse(five([1, 1, 1, 1, 1]), row(1.09))).toEqual([]);
  expect(worse(five([1, 1, 1, 1, 1]), row(1.11))).toEqual(['read']);
});

it('lists rows without stored figures, and stored rows that were not measured', () => {
  const comparison = compareFigures(five([1, 1, 1, 1, 1]), [
    row(9, 'ms', 'new'),
    { name: 'time', value: 1, unit: 'ms' },
  ]);
  expect(comparison).toEqual({ worse: [], unknown: ['new'], missing: ['read'] });
});

const runsOf = (...ratios: number[]) => {
  const left = [...ratios];
  return { left, measure: async () => [row(left.shift() ?? Number.NaN)] };
};

it('repeats the measurement before it reports a regression', async () => {
  const kept = five([1, 1, 1, 1, 1]);
  const unlucky = runsOf(1.5, 1, 1.5);
  expect((await stillWorse(kept, unlucky.measure)).worse).toEqual([]);
  expect(unlucky.left).toEqual([1.5]);
  const slipped = await stillWorse(kept, runsOf(1.5, 1.4, 1.3).measure);
  expect(slipped.worse).toMatchObject([{ row: 'read', measured: 1.3 }]);
});

it('measures once without a regression', async () => {
  const calm = runsOf(1, 9, 9);
  await stillWorse(five([1, 1, 1, 1, 1]), calm.measure);
  expect(calm.left).toEqual([9, 9]);
});

/** Standard normal values from a fixed seed (Park and Miller's generator, Box and Muller's transform). */
function normals(): () => number {
  let state = 1;
  const uniform = (): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}

it.each([
  { noise: 0.05, atMost: 1 },
  { noise: 0.1, atMost: 15 },
  { noise: 0.3, atMost: 25 },
])('gives at most $atMost false alarms in 20,000 comparisons at a noise of $noise', ({ noise, atMost }) => {
  const normal = normals();
  const ratio = (): number => Math.exp(noise * normal());
  let alarms = 0;
  for (let night = 0; night < 20_000; night += 1) {
    const kept = five(Array.from({ length: KEPT_RUNS }, ratio));
    if (
      worse(kept, row(ratio())).length > 0 &&
      worse(kept, row(ratio())).length > 0 &&
      worse(kept, row(ratio())).length > 0
    )
      alarms += 1;
  }
  expect(alarms).toBeLessThanOrEqual(atMost);
});
