import { describe, expect, it } from 'vitest';
import { randomFrom } from '../util/numbers.ts';
import { atDepth } from '../util/testing/depth.ts';
import { countsDiffer, type EventCount, eventRate } from './event-counts.ts';
import { normalFrom } from './testing/load-worlds.ts';

const SEED = 4_711;
const TIMES = atDepth(1000, 100);
/** A share of 5 % over this many simulations is off by less in 999 of 1,000 sets. */
const SAMPLING = 3.3 * Math.sqrt((0.05 * 0.95) / TIMES);

const repeats = (seconds: number, ...events: number[]): EventCount[] =>
  events.map((each) => ({ events: each, seconds }));
const differ = (baseline: EventCount[], other: EventCount[]): boolean | undefined =>
  countsDiffer([{ baseline, other }])[0];

/** Gamma variable with mean 1 (Marsaglia and Tsang 2000). */
function gamma(shape: number, random: () => number, normal: () => number): number {
  if (shape < 1) return gamma(shape + 1, random, normal) * ((shape + 1) / shape) * (1 - random()) ** (1 / shape);
  const d = shape - 1 / 3;
  for (;;) {
    const x = normal();
    const v = (1 + x / Math.sqrt(9 * d)) ** 3;
    if (v > 0 && Math.log(1 - random()) < (x * x) / 2 + d - d * v + d * Math.log(v)) return (d * v) / shape;
  }
}

function poisson(rate: number, random: () => number, normal: () => number): number {
  if (rate > 100) return Math.max(0, Math.round(rate + Math.sqrt(rate) * normal()));
  let [events, left] = [0, 1 - random()];
  for (; left > Math.exp(-rate); events++) left *= 1 - random();
  return events;
}

/**
 * How often two equal systems are called different if their repeats differ by `variation` (standard deviation / mean) in addition to
 * chance.
 */
function falseAlarms(sides: readonly [number, number], rate: number, variation: number): number {
  const random = randomFrom(SEED);
  const normal = normalFrom(random);
  const count = (): EventCount => {
    const factor = variation === 0 ? 1 : gamma(variation ** -2, random, normal);
    return { events: poisson(rate * factor, random, normal), seconds: 60 };
  };
  const side = (length: number): EventCount[] => Array.from({ length }, count);
  let alarms = 0;
  for (let time = 0; time < TIMES; time++) if (differ(side(sides[0]), side(sides[1]))) alarms += 1;
  return alarms / TIMES;
}

describe('rates of events', () => {
  it('differ for 0 and 500 a second with one repeat each, also in a ladder of many cells', () => {
    expect(differ(repeats(60, 0), repeats(60, 30_000))).toBe(true);
    const ladder = Array.from({ length: 30 }, () => ({ baseline: repeats(60, 0), other: repeats(60, 30_000) }));
    expect(countsDiffer(ladder)).toEqual(new Array(30).fill(true));
  });

  it('do not differ for a few events, or if a single repeat leaves the variance unknown', () => {
    expect(differ(repeats(60, 0), repeats(60, 4))).toBe(false);
    expect(differ(repeats(60, 300), repeats(60, 600))).toBe(false);
    expect(differ(repeats(60, 0, 0, 0), repeats(60, 0, 0, 30_000))).toBe(false);
    expect(differ(repeats(60, 0), repeats(60, 0))).toBe(false);
    expect(differ([], repeats(60, 30_000))).toBe(false);
  });

  it('differ at smaller sizes if repeats show their variance', () => {
    expect(differ(repeats(60, 1000, 1010, 990), repeats(60, 1500, 1490, 1510))).toBe(true);
    expect(differ(repeats(60, 1000, 3000, 400), repeats(60, 1500, 700, 4000))).toBe(false);
  });

  it('are per second, so that a longer run is not worse', () => {
    expect(eventRate(repeats(60, 30, 90))).toBe(1);
    expect(eventRate([])).toBeUndefined();
    expect(differ(repeats(60, 100, 101, 99), repeats(600, 1000, 1010, 990))).toBe(false);
  });

  it('have the significance calculated by hand', () => {
    // With 5 events, none in one of two equal times: 2 / 2 ** 5 = 6.25 %. With 6: 3.1 %, which many equal repeats confirm.
    const each = (events: number) => Array.from({ length: 6 }, (_, index) => (index < events ? 1 : 0));
    expect(differ(repeats(60, ...each(0)), repeats(60, ...each(5)))).toBe(false);
    expect(differ(repeats(60, ...each(0)), repeats(60, ...each(6)))).toBe(true);
  });

  it(`differ by chance in at most 5 % of worlds, seed ${SEED}`, () => {
    const worlds = [
      [1, 1],
      [2, 2],
      [1, 3],
      [3, 3],
      [5, 5],
    ] as const;
    const broken = worlds.flatMap((sides) =>
      [0, 0.3, 1].flatMap((variation) =>
        [0.5, 5, 50, 5000].flatMap((rate) => {
          const share = falseAlarms(sides, rate, variation);
          return share > 0.05 + SAMPLING ? [`${sides.join(' against ')}, ${rate} ± ${variation}: ${share}`] : [];
        }),
      ),
    );
    expect(broken).toEqual([]);
  });
});
