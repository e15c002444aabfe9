import { describe, expect, it } from 'vitest';
import { atDepth, leastOf, mostOf, NIGHT } from '../../../shared/util/testing/depth.ts';
import { WORLDS } from '../figures/testing/worlds.ts';
import { addedRates, overallRates, type Share } from './testing/added-rates.ts';
import { errorRates, holds, type Rate } from './testing/error-rates.ts';

/** Few simulations of each world: `npm run bench -- error-rates` creates the whole table. */
const TIMES = atDepth(200, 40);
const SEED = 20_261_122;

describe(`verdicts in simulated worlds, seed ${SEED}`, () => {
  const rates = [...errorRates(TIMES, SEED, { worlds: WORLDS, sizes: [1, 10], repeats: [2, 5] })];
  const broken = (what: Rate['what']): string[] =>
    rates
      .filter((rate) => rate.what === what && !holds(rate))
      .map(({ world, how, cells, repeats, share }) => `${world}, ${how}, ${cells} × ${repeats}: ${share}`);

  it('are false positives in at most 5 %, whatever the noise', () => {
    expect(rates.filter(({ what }) => what === 'false alarms').length).toBeGreaterThan(WORLDS.length * 4);
    expect(broken('false alarms')).toEqual([]);
  });
  it('are absent if the levels were measured one after the other', () => {
    expect(rates.filter(({ what }) => what === 'no verdict').map(({ share }) => share)).toEqual(new Array(10).fill(0));
  });
  it('find 3 % at a run noise of 1 % with five repeats, and seldom report no difference', () => {
    expect(broken('found')).toEqual([]);
    expect(broken('same at the margin')).toEqual([]);
  });
  it('have intervals with the claimed coverage', () => {
    expect(broken('interval of a ratio')).toEqual([]);
    expect(broken('interval of a rate')).toEqual([]);
  });
});

const ADDED_SEED = 20_261_123;
const ADDED_TIMES = atDepth(60, 20);

/** Within its bounds, except for the chance in this many simulations (by night three standard errors). */
function isWithin({ share, times, least = 0, most = 1 }: Share): boolean {
  if (!NIGHT) return share * times >= leastOf(times, least) && share * times <= mostOf(times, most);
  const chance = (bound: number): number => 3 * Math.sqrt((bound * (1 - bound)) / times);
  return share >= least - chance(least) && share <= most + chance(most);
}
const words = ({ world, how, cells, repeats, share, times }: Share): string =>
  `${world}, ${how}, ${cells} × ${repeats}: ${share} of ${times}`;

describe(`the overall ratio in simulated worlds, seed ${ADDED_SEED}`, () => {
  it('has an interval that contains the true ratio in 95 %, also with two repeats', () => {
    const worlds = WORLDS.filter(({ name }) =>
      ['white', 'ar-0.5', 'ar-0.95', 'runs', 'stalls', 'session'].includes(name),
    );
    const rates = [...overallRates(ADDED_TIMES, ADDED_SEED, worlds, { sizes: [4], repeats: [2, 3] })];
    expect(rates).toHaveLength(6 * 5);
    expect(rates.filter((rate) => !isWithin(rate)).map(words)).toEqual([]);
  });
});

describe(`repeats that are added to resolve an inconclusive verdict, seed ${ADDED_SEED}`, () => {
  const rates = [...addedRates(ADDED_TIMES, ADDED_SEED, [0.02])];

  it('resolve four cells in five or more', () => {
    const settled = rates.filter(({ what }) => what === 'settled');
    expect(settled.filter((rate) => !isWithin({ ...rate, least: 0.8 })).map(words)).toEqual([]);
  });

  it('raise no more false positives than a single look may', () => {
    const alarms = rates.filter(({ what }) => what === 'false alarms');
    expect(alarms).toHaveLength(6);
    expect(alarms.filter((rate) => !isWithin(rate)).map(words)).toEqual([]);
  });
});
