import { describe, expect, it } from 'vitest';
import { caveatsOf } from '../model/figure.ts';
import type { Session } from '../model/session.ts';
import { sessionTrend, trendPicture } from './session-trend.ts';

type Listed = Parameters<typeof sessionTrend>[0][number];

const session = (id: number, value: number | undefined, more: Partial<Listed> = {}, half = 2): Listed => ({
  ...{ id, name: `Run ${id}`, tool: 'sysbench', target: 'maria', generators: ['load1'], createdAt: id * 1000 },
  primaryMetric: 'tps',
  ...(value !== undefined && {
    best: { value, levels: {}, confidence: { low: value - half, high: value + half } } as Session['best'] & object,
  }),
  ...more,
});

describe('the trend of an experiment', () => {
  it('names a change only if the intervals of the last two do not overlap', () => {
    expect(sessionTrend([session(1, 100), session(2, 130)])?.short).toBe('Last two: +30 %');
    expect(sessionTrend([session(1, 100), session(2, 103)])).toMatchObject({
      short: 'No significant change',
      words: expect.stringContaining('Their 95 % intervals overlap: no significant change.'),
    });
  });

  it('is undetermined for a single repeat', () => {
    const single = session(2, 130, { best: { value: 130, levels: {} } });
    expect(sessionTrend([session(1, 100), single])?.short).toBe('Last two: too few repeats');
  });

  it('warns if one of the last two is load-bound, and not for an earlier one', () => {
    const bound = { sentence: 'sysbench on load1 used all of one core.' };
    const by = (verdict: 'generator-core' | 'cpu') =>
      caveatsOf({ ...{ partial: false, means: [1, 1], errors: 0 }, bound: { ...bound, verdict } });
    const bounded = (id: number) => session(id, 130, { best: { value: 130, levels: {}, ...by('generator-core') } });
    const cpu = session(3, 130, { best: { value: 130, levels: {}, ...by('cpu') } });
    const trend = sessionTrend([session(1, 100), bounded(2)]);
    expect(trend?.caveats).toMatchObject([{ id: 'bound-by-generator', evidence: bound.sentence }]);
    expect(trend?.words).toContain('limited by one core of the load generator, not by the system under test.');
    expect(trendPicture(trend?.points ?? [], 100, 20).dots.map(({ warns }) => warns)).toEqual([false, true]);
    const later = sessionTrend([bounded(1), session(2, 100), cpu]);
    expect(later?.caveats).toBeUndefined();
    expect(later?.words).not.toContain('limited by');
  });

  it('compares on one target only, and excludes other metrics and sessions without a result', () => {
    const trend = sessionTrend([
      session(4, 130),
      session(3, 500, { target: 'postgres' }),
      session(2, undefined),
      session(1, 100, { primaryMetric: 'ops' }),
    ]);
    expect(trend?.points.map(({ id, alike }) => [id, alike])).toEqual([
      [3, false],
      [4, true],
    ]);
    expect(trend?.short).toBe('');
    expect(trend?.words).toContain('1 session with another target or other hosts.');
    expect(sessionTrend([session(2, undefined)])).toBeUndefined();
  });
});

describe('the picture of a trend', () => {
  it('places points by date inside the box, and does not magnify noise', () => {
    const points = sessionTrend([session(1, 100), session(2, 101), session(5, 100)])?.points ?? [];
    const { dots, intervals } = trendPicture(points, 100, 20);
    expect(dots.map(({ x }) => x)).toEqual([0, 25, 100]);
    expect(intervals.match(/M/g)).toHaveLength(3);
    const heights = dots.map(({ y }) => y);
    expect(Math.max(...heights) - Math.min(...heights)).toBeLessThan(2);
    expect(heights.every((y) => y >= 0 && y <= 20)).toBe(true);
  });

  it('draws a single session in the middle', () => {
    const points = sessionTrend([session(1, 0, {}, 0)])?.points ?? [];
    expect(trendPicture(points, 100, 20).dots).toEqual([{ id: 1, x: 50, y: 20, alike: true, warns: false }]);
  });
});
