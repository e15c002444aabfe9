import { describe, expect, it } from 'vitest';
import { pauseBetween, pausesOf } from './experiment.ts';
import { Factor } from './factor.ts';

const experiment = (...pauses: (number | undefined)[]) => ({
  factors: pauses.map((pause, at) => Factor.parse({ name: 'abc'.charAt(at), levels: [1, 2], pause })),
  measure: { pause: 15 },
});

describe('the pause between two trials', () => {
  it.each([
    ['of the factor that changes', [60, undefined], { a: 1, b: 1 }, { a: 2, b: 1 }, 60],
    ['of the session, where the factor has none', [60, undefined], { a: 1, b: 1 }, { a: 1, b: 2 }, 15],
    ['of the session, for the next repeat of a cell', [60, 3], { a: 1, b: 1 }, { a: 1, b: 1 }, 15],
    ['shorter than that of the session', [60, 3], { a: 1, b: 1 }, { a: 1, b: 2 }, 3],
    ['none', [60, 0], { a: 1, b: 1 }, { a: 1, b: 2 }, 0],
    ['the longest of several', [60, 3], { a: 1, b: 2 }, { a: 2, b: 1 }, 60],
    ['the longest, be it that of the session', [3, undefined], { a: 1, b: 2 }, { a: 2, b: 1 }, 15],
    ['of a factor that has no level any more', [60, undefined], { a: 1, b: 2 }, { b: 2 }, 60],
  ])('is %s', (_, pauses, last, next, seconds) => {
    expect(pauseBetween(experiment(...pauses), last, next)).toBe(seconds);
  });

  it('occurs between trials only', () => {
    const trials = [1, 2].flatMap((a) => [1, 2].map((b) => ({ a, b })));
    expect(pausesOf(experiment(60, undefined), trials)).toBe(15 + 60 + 15);
    expect(pausesOf(experiment(60, undefined), trials.slice(0, 1))).toBe(0);
    expect(pausesOf(experiment(60, undefined), [])).toBe(0);
  });
});
