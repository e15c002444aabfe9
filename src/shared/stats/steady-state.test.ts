import { beforeEach, describe, expect, it } from 'vitest';
import { randomFrom } from '../util/numbers.ts';
import { atDepth, leastOf, mostOf } from '../util/testing/depth.ts';
import { steadyCells } from './steady-cells.ts';
import { dipsOf, proposedCut, steadinessOf } from './steady-state.ts';
import { normalFrom } from './testing/load-worlds.ts';
import type { Points } from './whole.ts';

const SEED = 20_265;
const WARMUP = 10;
let random = randomFrom(SEED);
let normal = normalFrom(random);
// A test draws the same numbers alone as together with others.
beforeEach(() => {
  random = randomFrom(SEED);
  normal = normalFrom(random);
});

interface World {
  seconds: number;
  runs: number;
  /** First-order autocorrelation of the noise, and its standard deviation as a share. */
  correlation?: number;
  noise?: number;
  shape?: (t: number) => number;
}

/** Runs of one cell, second by second, 1,000 where the shape is 1. */
const runsOf = (
  { seconds, runs, correlation = 0.3, noise = 0.03, shape = () => 1 }: World,
  draw: () => number = normal,
): Points[] =>
  Array.from({ length: runs }, () => {
    let error = noise * draw();
    const t = Float64Array.from({ length: seconds }, (_, index) => index + 1);
    const v = t.map((second) => {
      const value = 1000 * Math.max(0, shape(second) * (1 + error));
      error = correlation * error + Math.sqrt(1 - correlation ** 2) * noise * draw();
      return value;
    });
    return { t, v };
  });

/** Number of simulated worlds that should settle; other kinds have a plainer truth. */
const SETTLED = atDepth(300, 20);
const WORLDS = atDepth(100, 10);

const times = (count: number, of: () => boolean): number => Array.from({ length: count }, of).filter(Boolean).length;
const alarms = (world: World, count: number): number =>
  times(count, () => ['trend', 'step'].includes(steadinessOf(runsOf(world), WARMUP).verdict));

const warmingUp = (t: number): number => 1 - 0.6 * Math.exp(-t / 30);

describe(`the steadiness of a cell (seed ${SEED})`, () => {
  it('is a false alarm in at most 5 % of settled worlds, however autocorrelated the noise', () => {
    // 300 worlds at a rate of 5 % reach up to 7.5 % by chance.
    for (const seconds of [45, 70, 130])
      for (const runs of [1, 2, 3])
        for (const correlation of [0, 0.5, 0.8, 0.95])
          expect(
            alarms({ seconds, runs, correlation, noise: 0.05 }, SETTLED),
            `${seconds} s, ${runs}, ${correlation}`,
          ).toBeLessThanOrEqual(mostOf(SETTLED, 0.075));
  });

  it('is a false alarm in at most 5 % of sessions of 20 cells', () => {
    const session = (): boolean =>
      Array.from({ length: 20 }, () => runsOf({ seconds: 130, runs: 3, correlation: 0.5, noise: 0.05 })).some((runs) =>
        ['trend', 'step'].includes(steadinessOf(runs, WARMUP, 20).verdict),
      );
    expect(times(WORLDS, session)).toBeLessThanOrEqual(mostOf(WORLDS, 0.09));
  });

  it('is not settled during an approach with τ = 30 s, measured from 10 s to 70 s', () => {
    for (const runs of [1, 3])
      for (const noise of [0.01, 0.03]) {
        const world = { seconds: 70, runs, noise, shape: warmingUp };
        expect(times(2 * WORLDS, () => steadinessOf(runsOf(world), WARMUP).verdict === 'settled')).toBe(0);
        expect(alarms(world, 2 * WORLDS), `${runs} runs, noise ${noise}`).toBeGreaterThanOrEqual(
          leastOf(2 * WORLDS, 0.95),
        );
      }
  });

  it('includes the distance of the mean from the asymptote: 18 % below', () => {
    const runs = runsOf({ seconds: 70, runs: 3, noise: 0.005, shape: warmingUp });
    const steady = steadinessOf(runs, WARMUP);
    const { v } = runsOf({ seconds: 70, runs: 1, noise: 0, shape: warmingUp })[0] as Points;
    const truth = v.slice(WARMUP).reduce((sum, value) => sum + value, 0) / 60 / 1000 - 1;
    expect(truth).toBeCloseTo(-0.18, 2);
    expect(steady).toMatchObject({ verdict: 'trend' });
    if (steady.verdict !== 'trend') return;
    expect(steady.approach?.tau).toBeGreaterThan(22);
    expect(steady.approach?.tau).toBeLessThan(40);
    expect(steady.approach?.bias).toBeCloseTo(truth, 1);
  });

  it('finds a step and its second', () => {
    for (const at of [40, 75, 110]) {
      const found = Array.from({ length: WORLDS }, () =>
        steadinessOf(runsOf({ seconds: 130, runs: 3, shape: (t) => (t < at ? 1 : 0.9) }), WARMUP),
      );
      const right = found.filter((steady) => steady.verdict === 'step' && Math.abs(steady.at - at) <= 2);
      expect(right.length, `step at ${at}`).toBeGreaterThanOrEqual(leastOf(WORLDS, 0.95));
    }
  });

  it('is unknown with too few seconds', () => {
    expect(steadinessOf(runsOf({ seconds: 30, runs: 3 }), WARMUP).verdict).toBe('unknown');
    expect(steadinessOf([], WARMUP).verdict).toBe('unknown');
  });
});

describe(`the proposed cut (seed ${SEED})`, () => {
  it('is after a short warm-up, near the start without one, and undefined if the run never settles', () => {
    const cutOf = (shape: (t: number) => number, seconds: number) =>
      Array.from({ length: WORLDS }, () => proposedCut(runsOf({ seconds, runs: 3, shape })));
    const median = (cuts: (number | undefined)[]): number =>
      cuts.map((cut) => cut ?? Number.POSITIVE_INFINITY).sort((a, b) => a - b)[WORLDS / 2] ?? 0;
    const short = median(cutOf((t) => 1 - 0.5 * Math.exp(-t / 8), 120));
    expect(short).toBeGreaterThanOrEqual(20);
    expect(short).toBeLessThanOrEqual(40);
    expect(median(cutOf(() => 1, 120))).toBeLessThanOrEqual(10);
    expect(cutOf((t) => 1 - Math.exp(-t / 30), 70).filter((cut) => cut === undefined).length).toBeGreaterThanOrEqual(
      leastOf(WORLDS, 0.95),
    );
  });
});

describe(`dips (seed ${SEED})`, () => {
  const every25 = (start: number) => (t: number) => ((((t - start) % 25) + 25) % 25 < 2 ? 0.3 : 1);

  it('are found with period, depth and length if regular, and not if random', () => {
    for (const noise of [0.02, 0.1]) {
      const even = times(2 * WORLDS, () => {
        const dips = dipsOf(runsOf({ seconds: 130, runs: 1, noise, shape: every25(random() * 25) }), WARMUP);
        return dips !== undefined && Math.abs(dips.period - 25) < 1 && Math.abs(dips.depth - 0.7) < 0.1;
      });
      expect(even).toBeGreaterThanOrEqual(leastOf(2 * WORLDS, 0.95));
      const atRandom = times(2 * WORLDS, () => {
        const hit = new Set(Array.from({ length: 130 }, (_, t) => t).filter(() => random() < 0.04));
        return (
          dipsOf(runsOf({ seconds: 130, runs: 1, noise, shape: (t) => (hit.has(t) ? 0.3 : 1) }), WARMUP) !== undefined
        );
      });
      expect(atRandom).toBeLessThanOrEqual(mostOf(2 * WORLDS, 0.05));
      expect(times(2 * WORLDS, () => dipsOf(runsOf({ seconds: 130, runs: 3, noise }), WARMUP) !== undefined)).toBe(0);
    }
  });
});

/** The same runs from a tool that prints one value for this many seconds. */
const printedEvery = (interval: number, runs: readonly Points[]): Points[] =>
  runs.map(({ v }) => {
    const t = Float64Array.from({ length: Math.floor(v.length / interval) }, (_, index) => (index + 1) * interval);
    return {
      t,
      v: t.map((second) => v.slice(second - interval, second).reduce((sum, value) => sum + value, 0) / interval),
    };
  });

describe(`a tool that prints every 10 s, compared with every second (seed ${SEED})`, () => {
  const INTERVALS = [1, 10];
  const LONG = 10 * 61;
  const slowly = (t: number): number => 1 - 0.6 * Math.exp(-t / 150);
  const verdicts = (world: World, interval: number, count = WORLDS): string[] =>
    Array.from({ length: count }, () => steadinessOf(printedEvery(interval, runsOf(world)), WARMUP).verdict);
  const count = (all: readonly string[], ...wanted: string[]): number =>
    all.filter((verdict) => wanted.includes(verdict)).length;

  it.each(INTERVALS)('distinguishes settled, warming-up and changed cells over ten minutes, every %i s', (interval) => {
    // 300 worlds at a rate of 5 % reach up to 7.5 % by chance.
    for (const correlation of [0, 0.5, 0.8])
      expect(
        count(verdicts({ seconds: LONG, runs: 3, correlation, noise: 0.05 }, interval, SETTLED), 'trend', 'step'),
      ).toBeLessThanOrEqual(mostOf(SETTLED, 0.075));
    expect(count(verdicts({ seconds: LONG, runs: 3 }, interval), 'settled')).toBeGreaterThanOrEqual(
      leastOf(WORLDS, 0.9),
    );
    expect(count(verdicts({ seconds: LONG, runs: 3, shape: slowly }, interval), 'trend')).toBeGreaterThanOrEqual(
      leastOf(WORLDS, 0.95),
    );
    const steps = Array.from({ length: WORLDS }, () =>
      steadinessOf(
        printedEvery(interval, runsOf({ seconds: LONG, runs: 3, shape: (t) => (t <= 300 ? 1 : 0.8) })),
        WARMUP,
      ),
    );
    const right = steps.filter((steady) => steady.verdict === 'step' && Math.abs(steady.at - 300) <= 1 + interval);
    expect(right.length).toBeGreaterThanOrEqual(leastOf(WORLDS, 0.95));
  });

  it('has the same time constant of an approach', () => {
    for (const interval of INTERVALS) {
      const runs = printedEvery(interval, runsOf({ seconds: LONG, runs: 3, noise: 0.01, shape: slowly }));
      const steady = steadinessOf(runs, WARMUP);
      const tau = steady.verdict === 'trend' ? steady.approach?.tau : undefined;
      expect(tau, `every ${interval} s`).toBeGreaterThan(120);
      expect(tau, `every ${interval} s`).toBeLessThan(180);
    }
  });

  it('has the same dips if these last as long as a value, misses shorter ones, and finds hardly any in an approach', () => {
    for (const interval of INTERVALS) {
      const dipsIn = (shape: (t: number) => number) =>
        Array.from({ length: WORLDS }, () =>
          dipsOf(printedEvery(interval, runsOf({ seconds: LONG, runs: 3, shape })), WARMUP),
        );
      const even = dipsIn((t) => ((t - 1) % 100 < 20 ? 0.3 : 1));
      expect(even.filter((dips) => dips && Math.abs(dips.period - 100) < 2 && dips.length === 20)).toHaveLength(WORLDS);
      expect(dipsIn(slowly).filter((dips) => dips !== undefined).length).toBeLessThanOrEqual(mostOf(WORLDS, 0.05));
      const short = dipsIn((t) => (t % 25 < 2 ? 0.3 : 1));
      expect(short.filter((dips) => dips !== undefined)).toHaveLength(interval === 1 ? WORLDS : 0);
    }
  });

  it('proposes a cut in seconds only for a warm-up', () => {
    const cuts = (interval: number, shape: (t: number) => number): number[] =>
      Array.from(
        { length: WORLDS },
        () => proposedCut(printedEvery(interval, runsOf({ seconds: LONG, runs: 3, shape }))) ?? -1,
      ).sort((a, b) => a - b);
    for (const interval of INTERVALS) {
      expect(cuts(interval, () => 1)[WORLDS / 2], `every ${interval} s`).toBeLessThanOrEqual(60);
      const cut = cuts(interval, (t) => 1 - 0.6 * Math.exp(-t / 30))[WORLDS / 2];
      expect(cut, `every ${interval} s`).toBeGreaterThanOrEqual(60);
      expect(cut, `every ${interval} s`).toBeLessThanOrEqual(250);
    }
  });

  it('is undetermined with fewer than 30 values, and the finding gives their number', () => {
    const runs = runsOf({ seconds: 130, runs: 3, noise: 0.01 });
    expect(steadinessOf(printedEvery(1, runs), WARMUP).verdict).toBe('settled');
    const rare = printedEvery(10, runs);
    expect(steadinessOf(rare, WARMUP)).toEqual({ verdict: 'unknown', seconds: 12 });
    expect(proposedCut(rare)).toBeUndefined();
    expect(dipsOf(rare, WARMUP)).toBeUndefined();
    const { findings } = steadyCells('tps', [{ cell: 0, levels: { threads: 4 }, runs: rare, cut: WARMUP }]);
    expect(findings?.map(({ code }) => code)).toEqual(['settling-unknown']);
    expect(findings?.[0]?.message).toContain('12 values of 10 s each are too few');
  });
});

describe('findings about a session', () => {
  const cell = (index: number, runs: Points[]) => ({ cell: index, levels: { threads: 2 ** index }, runs, cut: WARMUP });

  it('name the worst cell first, and propose a cut if one helps', () => {
    const never = runsOf({ seconds: 70, runs: 3, noise: 0.01, shape: warmingUp });
    const settled = runsOf({ seconds: 70, runs: 3, noise: 0.01 });
    const { steadiness, proposedCut: cut, findings } = steadyCells('tps', [cell(0, settled), cell(1, never)]);
    expect(steadiness?.map(({ verdict }) => verdict)).toEqual(['settled', 'trend']);
    expect(cut).toBeUndefined();
    expect(findings).toHaveLength(1);
    expect(findings?.[0]).toMatchObject({ code: 'not-settled', severity: 'warn' });
    expect(findings?.[0]?.message).toMatch(
      /^threads 2 had not settled: throughput rises by \d+ % .* time constant of about \d+ s, and the mean is about 1[5-9] % below that\.$/,
    );
    expect(findings?.[0]?.next).toMatch(/^Measure with a warm-up of .* or more\.$/);
    const late = runsOf({ seconds: 130, runs: 3, noise: 0.01, shape: (t) => 1 - 0.6 * Math.exp(-t / 8) });
    const helped = steadyCells('tps', [cell(0, late)]);
    expect(helped.proposedCut).toBeGreaterThan(WARMUP);
    expect(helped.findings?.[0]?.next).toMatch(/^Throughput is settled after /);
  });

  it('cover steps, dips and short runs, and are absent for steady runs and other metrics', () => {
    const codes = (runs: Points[], metric = 'tps') =>
      steadyCells(metric, [cell(0, runs)]).findings?.map(({ code }) => code);
    expect(codes(runsOf({ seconds: 130, runs: 3, shape: (t) => (t < 60 ? 1 : 0.8) }))).toEqual(['level-change']);
    expect(codes(runsOf({ seconds: 130, runs: 3, shape: (t) => (t % 25 < 2 ? 0.3 : 1) }))).toContain('periodic-dips');
    expect(codes(runsOf({ seconds: 20, runs: 1 }))).toEqual(['settling-unknown']);
    expect(codes(runsOf({ seconds: 130, runs: 3, noise: 0.01 }))).toBeUndefined();
    expect(codes(runsOf({ seconds: 20, runs: 1 }), 'latency_p95_ms')).toBeUndefined();
  });
});

describe(`a change of 10 % anywhere (seed ${SEED})`, () => {
  const valley = (t: number): number => 1 - 0.2 * (1 - Math.abs((t - WARMUP) / 60 - 1));
  const settled = (world: World, count: number): number => {
    const own = normalFrom(randomFrom(SEED));
    return times(count, () => steadinessOf(runsOf(world, own), WARMUP).verdict === 'settled');
  };

  it('does not call a valley from 1 to 0.8 and back settled, and locates it', () => {
    for (const runs of [1, 3])
      for (const noise of [0.01, 0.02, 0.03])
        expect(settled({ seconds: 130, runs, noise, shape: valley }, WORLDS), `${runs} runs, ${noise}`).toBe(0);
    const long = (t: number): number => (t > 130 && t <= 190 ? 0.8 : 1);
    const steady = steadinessOf(runsOf({ seconds: 310, runs: 3, noise: 0.01, shape: long }), WARMUP);
    expect(steady).toMatchObject({ verdict: 'uneven' });
    if (steady.verdict !== 'uneven') return;
    expect(Math.abs((steady.at + steady.until) / 2 - 160)).toBeLessThan(20);
  });

  it('does not call a cell with dips of a fifth every 30 s settled, even of single seconds', () => {
    for (const seconds of [70, 130, 310])
      for (const length of [1, 2, 3, 5]) {
        const shape = (t: number): number => (t % 30 < length ? 0.8 : 1);
        expect(settled({ seconds, runs: 1, noise: 0.02, shape }, WORLDS), `${length} s of ${seconds}`).toBe(0);
      }
  });

  it('tolerates one bad second, and calls most settled cells settled', () => {
    expect(
      settled({ seconds: 130, runs: 1, noise: 0.02, shape: (t) => (t === 70 ? 0.7 : 1) }, WORLDS),
    ).toBeGreaterThanOrEqual(leastOf(WORLDS, 0.9));
    for (const [seconds, runs] of [
      [70, 3],
      [130, 1],
    ] as const)
      expect(settled({ seconds, runs, noise: 0.03 }, WORLDS), `${seconds} s, ${runs}`).toBeGreaterThanOrEqual(
        leastOf(WORLDS, 0.85),
      );
  });

  it('is found by mistake in at most 5 % of settled worlds, however autocorrelated the noise', () => {
    for (const seconds of [45, 70, 130])
      for (const runs of [1, 3])
        for (const correlation of [0, 0.5, 0.8, 0.95]) {
          const own = normalFrom(randomFrom(SEED));
          const uneven = times(
            SETTLED,
            () => steadinessOf(runsOf({ seconds, runs, correlation, noise: 0.05 }, own), WARMUP).verdict === 'uneven',
          );
          expect(uneven, `${seconds} s, ${runs}, ${correlation}`).toBeLessThanOrEqual(mostOf(SETTLED, 0.075));
        }
  });
});
