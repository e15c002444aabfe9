import { expect, it } from 'vitest';
import { randomFrom } from '../util/numbers.ts';
import { surprisingRuns } from './surprising.ts';
import { normalFrom } from './testing/load-worlds.ts';

/** Cells of repeats with 3 % of noise, `odd` times the first run of the first. */
function session(random: () => number, { cells = 6, repeats = 4, odd = 1, noise = 0.03 }) {
  const normal = normalFrom(random);
  return Array.from({ length: cells }, (_, cell) => ({
    cell,
    means: Array.from({ length: repeats }, (_each, index) => {
      const level = 1000 * (cell + 1) * Math.exp(noise * normal());
      return cell === 0 && index === 0 ? level * odd : level;
    }),
  }));
}
const share = (sessions: number, options: Parameters<typeof session>[1]): number => {
  const random = randomFrom(7);
  let found = 0;
  for (let count = 0; count < sessions; count += 1) if (surprisingRuns(session(random, options)).length > 0) found += 1;
  return found / sessions;
};

it('finds the one outlier with its ratio', () => {
  const [found, ...others] = surprisingRuns(session(randomFrom(3), { odd: 0.6 }));
  expect(found).toMatchObject({ cell: 0, index: 0 });
  expect(found?.ratio).toBeCloseTo(0.6, 1);
  expect(others).toEqual([]);
});

it('names a run in at most 2 % of sessions without outliers, whatever the noise', () => {
  for (const noise of [0.03, 0.1, 0.3]) expect(share(1000, { noise }), String(noise)).toBeLessThanOrEqual(0.02);
  expect(share(1000, { cells: 1, repeats: 3, noise: 0.2 })).toBeLessThanOrEqual(0.02);
});

it('nearly always finds a run that is 25 % off among repeats that vary by 3 %', () => {
  expect(share(400, { odd: 0.75 })).toBeGreaterThan(0.95);
  expect(share(400, { odd: 1.25 })).toBeGreaterThan(0.8);
  expect(share(400, { odd: 1.4 })).toBeGreaterThan(0.95);
});

it('names none among two repeats, and none that is off by less than a tenth', () => {
  expect(surprisingRuns([{ cell: 0, means: [1, 100] }])).toEqual([]);
  expect(share(200, { odd: 0.93, noise: 0.001 })).toBe(0);
});
