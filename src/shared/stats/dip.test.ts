import { describe, expect, it } from 'vitest';
import type { Run } from '../model/session.ts';
import { randomFrom } from '../util/numbers.ts';
import { atDepth } from '../util/testing/depth.ts';
import {
  additionalRecoveries,
  dipAfter,
  dipWords,
  lastedWords,
  recoveryFigures,
  recoveryOf,
  recoverySentences,
  secondsOfStep,
} from './dip.ts';
import { normalFrom } from './testing/load-worlds.ts';

const SEED = Number(process.env.KNEEPOINT_SEED ?? 20_270);
const WORLDS = atDepth(200, 25);
const RATE = 1000;
const EVENT = 60.4;

interface World {
  /** Noise of a second, as a share of the rate. */
  noise?: number;
  /** After the event: seconds unchanged, then at `low`, then recovering in a straight line; afterwards as before. */
  delay?: number;
  down?: number;
  low?: number;
  back?: number;
  seconds?: number;
  /** The tool prints nothing while it is down. */
  silent?: boolean;
}

/** The true share of the rate at this time after the event. */
function share({ delay = 0, down = 8, low = 0, back = 20 }: World, after: number): number {
  if (after < delay) return 1;
  if (after < delay + down) return low;
  return Math.min(1, low + ((1 - low) * (after - delay - down)) / back);
}

function pointsOf(world: World, normal: () => number): { t: Float64Array; v: Float64Array } {
  const { noise = 0.03, seconds = 180, silent } = world;
  const all = Array.from({ length: seconds }, (_, i) => {
    // Mean over the second that ends there, in tenths.
    const tenths = Array.from({ length: 10 }, (_, tenth) => share(world, i + (tenth + 0.5) / 10 - EVENT));
    const mean = tenths.reduce((sum, each) => sum + each, 0) / 10;
    return { t: i + 1, v: Math.max(0, RATE * mean * (1 + noise * normal())) };
  });
  const printed = silent ? all.filter(({ v }) => v > 1) : all;
  return { t: Float64Array.from(printed, ({ t }) => t), v: Float64Array.from(printed, ({ v }) => v) };
}

const dipsIn = (world: World) => {
  const normal = normalFrom(randomFrom(SEED));
  return Array.from({ length: WORLDS }, () => {
    const dip = dipAfter(pointsOf(world, normal), EVENT);
    if (!dip) throw new Error('Nothing is known.');
    return dip;
  });
};

describe(`a dip after an event, in ${WORLDS} worlds of each kind (seed ${SEED})`, () => {
  it.each<[string, World]>([
    ['a restart', {}],
    ['a restart of a noisy server', { noise: 0.08 }],
    ['a restart, at which the tool prints nothing', { silent: true }],
    ['a dip to half', { low: 0.5, down: 15, back: 5 }],
    ['a dip that begins later', { delay: 6 }],
    ['a long way back', { down: 3, back: 60 }],
  ])('of %s has the right depth, beginning and end', (_, world) => {
    const { delay = 0, low = 0 } = world;
    for (const dip of dipsIn(world)) {
      expect(Math.abs(dip.before / RATE - 1)).toBeLessThan(0.05);
      expect(Math.abs(dip.depth - (1 - low))).toBeLessThan(0.13);
      expect(Math.abs((dip.began ?? Number.NaN) - delay)).toBeLessThanOrEqual(1.5);
      // When the true rate is above the limit again.
      const tenths = Array.from({ length: 1800 }, (_, tenth) => tenth / 10);
      const truth = tenths.findLast((after) => share(world, after) * RATE < dip.limit) ?? Number.NaN;
      const { noise = 0.03, back = 20 } = world;
      // Noise moves the crossing of a limit by as long as the rate takes to rise by it.
      expect(Math.abs((dip.recovered ?? Number.NaN) - truth)).toBeLessThanOrEqual(1.5 + 4 * noise * back);
    }
  });

  it('counts the work lost during it', () => {
    // Eight seconds at zero, and half of the recovery, up to the limit.
    for (const { lost } of dipsIn({})) expect(Math.abs(lost / RATE - (8 + 10))).toBeLessThan(1.2);
  });

  it('is a false alarm in at most 1 % of worlds without one', () => {
    const none = dipsIn({ down: 0, back: 0.001, low: 1 });
    const seen = none.filter(({ began }) => began !== undefined);
    expect(seen.length).toBeLessThanOrEqual(WORLDS / 100);
    expect(none[0]).toMatchObject({ depth: 0, lost: 0 });
  });

  it('has no end if the rate does not recover', () => {
    for (const { began, recovered, depth } of dipsIn({ down: 500 })) {
      expect(began).toBeLessThan(1.5);
      expect(recovered).toBeUndefined();
      expect(depth).toBeGreaterThan(0.95);
    }
  });

  it('ends at the next event at the latest', () => {
    const dip = dipAfter(pointsOf({}, normalFrom(randomFrom(SEED))), EVENT, { until: EVENT + 6 });
    expect(dip?.began).toBeLessThan(1.5);
    expect(dip?.recovered).toBeUndefined();
  });
});

describe('a dip while a parallel step runs', () => {
  const flat = (low: (second: number) => boolean) =>
    pointsOf({ down: 0, back: 0, seconds: 240 }, () => 0).v.map((value, at) => (low(at + 1) ? value / 4 : value));
  const t = Float64Array.from({ length: 240 }, (_, at) => at + 1);
  const dipped = (low: (second: number) => boolean, lasts: number) => dipAfter({ t, v: flat(low) }, 60, { lasts });

  it('may begin later than after an event, and ends with the last of several dips', () => {
    const two = (second: number) => (second > 100 && second <= 110) || (second > 140 && second <= 150);
    expect(dipped(two, 0)).not.toHaveProperty('began');
    expect(dipped(two, 100)).toMatchObject({ began: 40, recovered: 90, depth: 0.75, lowest: 250 });
    // Dips after its end have another cause.
    expect(dipped(two, 70)).toMatchObject({ began: 40, recovered: 50 });
    expect(dipped(two, Number.POSITIVE_INFINITY)).toMatchObject({ began: 40, recovered: 90 });
  });

  it('ignores single seconds, and has no end while it lasts', () => {
    expect(dipped((second) => [100, 130, 160].includes(second), 120)).not.toHaveProperty('began');
    const endless = dipped((second) => second > 90, Number.POSITIVE_INFINITY);
    expect(endless).toMatchObject({ began: 30, depth: 0.75 });
    expect(endless).not.toHaveProperty('recovered');
  });

  it('is described with the duration of the step', () => {
    const parallelStep = { at: 60, startedAt: 0, event: 'The parallel step “both / backup” begins.' };
    const dip = dipped((second) => second > 61 && second <= 70, 60);
    if (!dip) throw new Error('Nothing is known.');
    expect(
      dipWords(dip, { what: 'Transactions (tps)', work: 'transactions' }) + lastedWords({ ...parallelStep, lasts: 60 }),
    ).toBe(
      'Transactions (tps) fell after 1 s from 1,000 to 250, by 75 %, and recovered after 10 s. That is about 6,750 transactions fewer than at the rate before. The step took 1 min.',
    );
    expect([lastedWords(parallelStep), lastedWords(undefined)]).toEqual(['', '']);
    expect([
      secondsOfStep(parallelStep),
      secondsOfStep({ ...parallelStep, lasts: 7 }),
      secondsOfStep(undefined),
    ]).toEqual([Number.POSITIVE_INFINITY, 7, 0]);
    const none = dipped(() => false, 100);
    expect(none && dipWords(none, { what: 'Transactions (tps)' })).toContain('no dip within 1 min 40 s of it');
  });
});

it('returns undefined with too few samples', () => {
  const points = pointsOf({}, () => 0);
  expect(dipAfter(points, 4)).toBeUndefined();
  expect(dipAfter(points, 180)).toBeUndefined();
  expect(dipAfter({ t: new Float64Array(), v: new Float64Array() }, 4)).toBeUndefined();
});

it('handles hundreds of thousands of values', () => {
  const t = Float64Array.from({ length: 300_000 }, (_, index) => index + 1);
  const v = t.map((second) => (second > 120 ? 0 : 1000));
  expect(dipAfter({ t, v }, 120)).toMatchObject({ lowest: 0, depth: 1 });
});

describe('a silent interval', () => {
  const points = (t: readonly number[], v: readonly number[]) => ({ t: Float64Array.from(t), v: Float64Array.from(v) });
  const seconds = Array.from({ length: 20 }, (_, second) => second + 1);

  it('is a dip even if the tool prints nothing before the next event', () => {
    const later = [41, 42, 43, 44, 45, 46];
    const { t, v } = points(
      [...seconds, ...later],
      [...seconds, ...later].map(() => 100),
    );
    expect(dipAfter({ t, v }, 20, { until: 30 })).toMatchObject({ began: 0, lowest: 0, depth: 1, lost: 1000 });
    expect(dipAfter({ t, v }, 20)).toMatchObject({ began: 0, recovered: 20, lost: 2000 });
  });

  it('is a dip even after a rate so variable that nothing else would be one', () => {
    const restless = seconds.map((second) => (second % 2 === 0 ? 40 : 400));
    const { t, v } = points([...seconds, 30, 31, 32], [...restless, 400, 40, 400]);
    expect(dipAfter({ t, v }, 20)).toMatchObject({ began: 0, lowest: 0 });
    expect(dipAfter({ t, v }, 20, { silence: 'told' })).not.toHaveProperty('began');
    const lively = points([...seconds, 21, 22, 23, 24, 25, 26], [...restless, 40, 400, 40, 400, 40, 400]);
    expect(dipAfter(lively, 20)).not.toHaveProperty('began');
  });
});

describe('successive events', () => {
  const stoppedAt = [20, 40, 60];
  const isDown = (second: number): boolean => stoppedAt.some((event) => second > event && second <= event + 6);
  const t = Float64Array.from({ length: 80 }, (_, index) => index + 1);
  const v = t.map((second) => (isDown(second) ? 0 : 1000));

  it('each have a separate dip to zero: earlier dips do not count as usual', () => {
    for (const [index, event] of stoppedAt.entries())
      expect(dipAfter({ t, v }, event, { earlier: stoppedAt.slice(0, index) })).toMatchObject({
        before: 1000,
        began: 0,
        recovered: 6,
        lowest: 0,
        depth: 1,
        lost: 6000,
      });
  });

  it('do not turn a rate that often stalls by itself into a dip', () => {
    const restless = t.map((second) => [0, 400, 1000][second % 3] as number);
    expect(dipAfter({ t, v: restless }, 60, { earlier: [5] })).not.toHaveProperty('began');
  });
});

it('states the recovery time of each cell and event, with median and range over trials', () => {
  const run = (seconds: (number | undefined)[], levels = {}, excluded?: Run['excluded']) => ({
    levels,
    ...(excluded && { excluded }),
    findings: [
      { code: 'errors', severity: 'warn' as const, message: 'Five failed.' },
      ...seconds.map((each, place) => ({
        ...{ code: 'scenario-effect', severity: 'note' as const, message: 'It fell.' },
        recovery: { at: 20 * (place + 1), event: 'The server is killed.', seconds: each },
      })),
    ],
  });
  expect(recoverySentences([run([7.92])])).toEqual(['Time to recover: 7.9 s. Second 20: The server is killed.']);
  expect(recoverySentences([run([11.48])])).toEqual(['Time to recover: 11 s. Second 20: The server is killed.']);
  const excluded = { at: 1, reason: 'its link was cut' };
  const runs = [run([9, undefined]), run([7, undefined]), run([8, 12]), run([99], {}, excluded)];
  expect(recoverySentences(runs)).toEqual([
    'Time to recover: 8 s (median of 3 trials, 7 s to 9 s). Second 20: The server is killed.',
    'Time to recover: 12 s (not recovered in 2 of 3 trials). Second 40: The server is killed.',
  ]);
  expect(recoverySentences([run([undefined], { pool: '8G' }), run([3], { pool: '1G' })])).toEqual([
    'pool 8G: Not recovered by the end or the next event. Second 20: The server is killed.',
    'pool 1G: Time to recover: 3 s. Second 20: The server is killed.',
  ]);
  expect(recoverySentences([run([])])).toEqual([]);
});

it('takes the longest recovery and the deepest dip of a run as figures', () => {
  const event = { at: 20, event: 'The server is killed.' };
  const dip = { before: 100, after: 90, limit: 80, lowest: 25, depth: 0.75, lost: 10 };
  const back = recoveryOf({ ...dip, began: 0, recovered: 7.5 }, event);
  expect(back).toEqual({ ...event, seconds: 7.5, depth: 0.75 });
  const none = recoveryOf({ ...dip, depth: 0 }, event);
  expect(none).toEqual({ ...event, seconds: 0, depth: 0, none: true });
  expect(recoveryOf({ ...dip, notKnown: 4 }, event)).toBeUndefined();
  expect(recoveryFigures([{ recovery: none }])).toEqual({ seconds: 0, depth: 0 });
  expect(recoveryFigures([{}, { recovery: none }, { recovery: back }])).toEqual({ seconds: 7.5, depth: 0.75 });
  const lasting = recoveryOf({ ...dip, began: 0, depth: 1 }, event);
  expect(recoveryFigures([{ recovery: back }, { recovery: lasting }])).toEqual({ seconds: undefined, depth: 1 });
  expect(recoveryFigures([{}])).toEqual({ seconds: undefined, depth: undefined });
  const findings = [{ code: 'scenario-effect', severity: 'note' as const, message: 'No dip.', recovery: none }];
  expect(recoverySentences([{ levels: {}, findings }])).toEqual([]);
  const run = (pool: string, recovery: typeof back) => ({ levels: { pool }, findings: [{ ...findings[0], recovery }] });
  const runs = [run('1G', back), run('8G', lasting)] as unknown as Parameters<typeof recoverySentences>[0];
  expect(additionalRecoveries({ cells: [1, 2] }, runs)).toEqual([
    'pool 8G: Not recovered by the end or the next event. Second 20: The server is killed.',
  ]);
  expect(additionalRecoveries({ cells: [1] }, runs.slice(0, 1))).toHaveLength(1);
});
