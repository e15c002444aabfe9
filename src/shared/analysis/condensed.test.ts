import { describe, expect, it } from 'vitest';
import { condenserOf, segmentsOf } from './condensed.ts';
import { meanIn, valuesIn } from './lines.ts';

const HOURS = 36_000;
const BEFORE = 30;
const seconds = (count: number, first = 1 - BEFORE, step = 1): Float64Array =>
  Float64Array.from({ length: count }, (_, index) => first + step * index);

describe('the seconds of a long run', () => {
  const t = seconds(HOURS + BEFORE);
  const window = { from: 60, to: HOURS };
  const segments = segmentsOf(window, -BEFORE);
  const condense = segments && condenserOf(t, segments);
  if (!segments || !condense) throw new Error('They were not put together.');

  it('are condensed from the start of the measured part, so that no segment mixes both parts', () => {
    expect(segments.t.length).toBeLessThanOrEqual(1800);
    expect(segments.t).toContain(60);
    const ofTwo = condense(t.map((second) => (second <= 60 ? 1000 : 1)));
    expect(new Set(valuesIn(ofTwo, window))).toEqual(new Set([1]));
    expect(new Set(valuesIn(ofTwo, { from: 0, to: 60 }))).toEqual(new Set([1000]));
  });

  it('keep their mean, and all series share the times', () => {
    const v = t.map((second) => second % 97);
    const found = condense(v);
    expect(meanIn(found, window)).toBeCloseTo(meanIn({ t, v }, window), 1);
    expect(found.t).toBe(segments.t);
    expect(condense(v).t).toBe(found.t);
  });

  it('are unknown where less than half of a segment is known', () => {
    const { width } = segments;
    const partly = (share: number) =>
      condense(t.map((second) => ((second + 100 * width) % width < share * width ? 7 : Number.NaN)));
    expect(partly(0.4).v.some(Number.isFinite)).toBe(false);
    expect(new Set(valuesIn(partly(0.6), window))).toEqual(new Set([7]));
  });

  it('stay unchanged for a source with few samples', () => {
    expect(condenserOf(seconds(1200, 0, 30), segments)).toBeUndefined();
  });
});

it('a run of less than half an hour stays unchanged', () => {
  expect(segmentsOf({ from: 10, to: 1700 }, -BEFORE)).toBeUndefined();
});
