import { describe, expect, it } from 'vitest';
import { atDepth } from '../../../shared/util/testing/depth.ts';
import { WORLDS } from '../figures/testing/worlds.ts';
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
