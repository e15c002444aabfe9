import { beforeEach, describe, expect, it } from 'vitest';
import { normalFrom } from '../../stats/testing/load-worlds.ts';
import { randomFrom } from '../../util/numbers.ts';
import { atDepth, leastOf, mostOf } from '../../util/testing/depth.ts';
import { hostWith, watched } from '../testing/lines.ts';
import { comparedSeries, compareMoment } from './index.ts';
import { beforeAfter } from './ratio.ts';

const SEED = 20_250;
/** Each test, and each of its worlds, has its own random stream: the draws of one change no other. */
let normal = normalFrom(randomFrom(SEED));
beforeEach(({ task }) => {
  const place = [...task.name].reduce((hash, letter) => (31 * hash + letter.charCodeAt(0)) % 1_000_003, 0);
  normal = normalFrom(randomFrom(SEED + place));
});

/** Seconds of a service at a level, with correlated noise: first-order autoregressive, on a logarithmic scale. */
function service(levels: readonly { level: number; seconds: number }[], share: number, memory: number): Float64Array {
  let error = normal();
  return Float64Array.from(
    levels.flatMap(({ level, seconds }) =>
      Array.from({ length: seconds }, () => {
        error = memory * error + Math.sqrt(1 - memory ** 2) * normal();
        return level * Math.exp(share * error - share ** 2 / 2);
      }),
    ),
  );
}
const line = (v: Float64Array) => ({ t: Float64Array.from(v, (_, index) => index + 1), v });
const split = (at: number, end: number) =>
  [
    { from: 0, to: at },
    { from: at, to: end },
  ] as const;
/** A service whose level is multiplied after this many seconds, watched for as many again. */
const changed = (ratio: number, seconds: number, share: number, memory: number) =>
  beforeAfter(
    line(
      service(
        [
          { level: 1000, seconds },
          { level: 1000 * ratio, seconds },
        ],
        share,
        memory,
      ),
    ),
    ...split(seconds, 2 * seconds),
  );

const WORLDS = [
  { seconds: 60, share: 0.1, memory: 0.95 },
  { seconds: 120, share: 0.05, memory: 0 },
  { seconds: 300, share: 0.1, memory: 0.5 },
  { seconds: 600, share: 0.2, memory: 0.9 },
  { seconds: 1800, share: 0.3, memory: 0.97 },
];
const TIMES = atDepth(400, 40);
/** For obvious changes. */
const PLAIN = atDepth(100, 20);

describe(`a series before and after a moment (seed ${SEED})`, () => {
  it.each(WORLDS)('is seldom called changed where nothing changed: $seconds s, memory $memory', (world) => {
    const found = Array.from({ length: TIMES }, () => changed(1, world.seconds, world.share, world.memory));
    const wrong = found.filter((each) => each?.verdict === 'more' || each?.verdict === 'less');
    expect(wrong.length).toBeLessThanOrEqual(mostOf(TIMES, 0.06));
  });

  it.each(WORLDS)('has an interval that holds the true ratio: $seconds s, memory $memory', (world) => {
    const found = Array.from({ length: TIMES }, () => changed(0.7, world.seconds, world.share, world.memory));
    // Without an interval, nothing is claimed.
    const held = found.filter((each) => (each?.low ?? 0) <= 0.7 && (each?.high ?? 2) >= 0.7);
    expect(held.length).toBeGreaterThanOrEqual(leastOf(TIMES, 0.93));
  });

  it('finds what a change has saved, and says by how much', () => {
    const found = Array.from({ length: PLAIN }, () => changed(0.2, 600, 0.2, 0.9));
    expect(found.filter((each) => each?.verdict === 'less').length).toBeGreaterThanOrEqual(leastOf(PLAIN, 0.97));
    const [one] = found;
    expect(one?.ratio).toBeGreaterThan(0.15);
    expect(one?.ratio).toBeLessThan(0.25);
  });

  it('calls the same what stays within 3 %', () => {
    const found = Array.from({ length: PLAIN }, () => changed(1.005, 600, 0.05, 0.3));
    expect(found.filter((each) => each?.verdict === 'same').length).toBeGreaterThanOrEqual(leastOf(PLAIN, 0.9));
  });

  it('blames no moment for a trend that goes through it', () => {
    const found = Array.from({ length: PLAIN }, () => {
      const noise = service([{ level: 1, seconds: 1200 }], 0.05, 0.5);
      return beforeAfter(line(noise.map((value, second) => value * (1000 + second / 2))), ...split(600, 1200));
    });
    expect(found.filter((each) => each?.verdict === 'not-known').length).toBeGreaterThanOrEqual(leastOf(PLAIN, 0.95));
    expect(found[0]?.why).toMatch(
      /^The series was (already rising by \d+ % before|still rising by \d+ % after) this moment\.$/,
    );
  });

  it('says nothing of too few seconds, and has no ratio to zero', () => {
    const v = service([{ level: 10, seconds: 100 }], 0.1, 0);
    expect(beforeAfter(line(v), ...split(20, 100))).toMatchObject({
      verdict: 'not-known',
      why: 'Only 20 values are known before it; 30 are needed.',
    });
    expect(beforeAfter(line(v), { from: 0, to: 50 }, { from: 100, to: 200 })).toBeUndefined();
    const idle = line(Float64Array.from({ length: 100 }, (_, second) => (second < 50 ? 0 : 5)));
    expect(beforeAfter(idle, ...split(50, 100))).toMatchObject({ before: 0, after: 5, verdict: 'more' });
    expect(beforeAfter(idle, ...split(50, 100))).not.toHaveProperty('ratio');
    const rare = line(Float64Array.from({ length: 100 }, (_, second) => (second === 90 ? 5 : 0)));
    expect(beforeAfter(rare, ...split(50, 100))).toMatchObject({ verdict: 'not-known' });
    expect(beforeAfter(line(new Float64Array(100)), ...split(50, 100))).toMatchObject({ verdict: 'same' });
  });

  it('has no ratio of what comes in a burst or two', () => {
    const v = Float64Array.from({ length: 200 }, (_, second) => (second < 100 ? 0.3 : second > 195 ? 900 : 0.3));
    expect(beforeAfter(line(v), ...split(100, 200))).toMatchObject({
      verdict: 'not-known',
      why: 'It comes in bursts, so its mean is too uncertain for a ratio.',
    });
  });

  it('leaves gaps out', () => {
    const v = service(
      [
        { level: 100, seconds: 300 },
        { level: 50, seconds: 300 },
      ],
      0.05,
      0,
    ).map((value, second) => (second % 3 === 0 ? Number.NaN : value));
    const found = beforeAfter(line(v), ...split(300, 600));
    expect(found?.verdict).toBe('less');
    expect(found?.ratio).toBeCloseTo(0.5, 1);
  });
});

describe('what is compared', () => {
  const seconds = (before: number, after: number): Float64Array =>
    service(
      [
        { level: before, seconds: 300 },
        { level: after, seconds: 300 },
      ],
      0.02,
      0,
    );
  const host = hostWith([
    watched('cpu.busy', seconds(60, 30), { unit: '%' }),
    watched('mem.used_mib', seconds(1000, 1000)),
    watched('disk.*.write_mib_s', seconds(40, 4), { instance: 'sda' }),
    watched('disk.*.write_mib_s', seconds(40, 4), { instance: 'dm-0' }),
    watched('disk.*.read_mib_s', new Float64Array(600), { instance: 'sda' }),
    watched('net.*.rx_mib_s', seconds(5, 5), { instance: 'lo' }),
  ]);
  const servers = [
    {
      name: 'db',
      series: [
        watched('transactions', seconds(9, 9), { means: 'transactions' }),
        watched('statements', seconds(99, 99), { means: 'statements' }),
      ],
    },
  ];

  it('is the load first, then what a host needs for it, the most different first', () => {
    const [before, after] = split(300, 600);
    const found = compareMoment(comparedSeries({ servers, hosts: [host] }, { from: 0, to: 600 }), before, after);
    expect(found.map(({ series: { id }, change: { verdict } }) => [id, verdict])).toEqual([
      ['statements', 'same'],
      ['disk.sda.write_mib_s', 'less'],
      ['cpu.busy', 'less'],
      ['mem.used_mib', 'same'],
    ]);
  });
});
