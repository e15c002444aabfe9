import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ascendingOf } from './ascending.ts';
import {
  dipsIn,
  type Points,
  stallSpans,
  stallsOf,
  together,
  weightByTime,
  weightedMean,
  weightedSpread,
} from './index.ts';

/** Seconds of a run, some of which may be missing, late or without events. */
const seconds = fc
  .array(
    fc.record({
      step: fc.oneof(
        { weight: 60, arbitrary: fc.constant(1) },
        { weight: 1, arbitrary: fc.constantFrom(0.9, 1.4, 3, 20) },
      ),
      value: fc.oneof(
        { weight: 60, arbitrary: fc.integer({ min: 80, max: 120 }) },
        { weight: 1, arbitrary: fc.integer({ min: 0, max: 20 }) },
      ),
    }),
    { maxLength: 400 },
  )
  .map((rows): Points => {
    let at = 0;
    const t = rows.map(({ step }) => {
      at += step;
      return at;
    });
    return { t: Float64Array.from(t), v: Float64Array.from(rows, ({ value }) => value / 4) };
  });

const middleOf = (values: number[]): number => {
  const [order, half] = [values.toSorted((a, b) => a - b), values.length >> 1];
  return values.length % 2 === 1 ? (order[half] ?? 0) : ((order[half - 1] ?? 0) + (order[half] ?? 0)) / 2;
};

it('stalls from sorted and unsorted seconds are equal', () => {
  fc.assert(
    fc.property(seconds, fc.constantFrom(0, 0.5), (points, from) => {
      const lengths = stallSpans(points, from).map(({ length }) => length);
      let last: number = from;
      let all = 0;
      for (const end of points.t) {
        all += Math.max(0, end - Math.max(from, last));
        last = end;
      }
      const right = {
        count: lengths.length,
        longest: Math.max(0, ...lengths),
        stalled: lengths.reduce((sum, length) => sum + length, 0),
        seconds: all,
      };
      expect(stallsOf(points, from, ascendingOf(points.v))).toEqual(right);
      expect(stallsOf(points, from)).toEqual(right);
    }),
  );
});

it('dips are the seconds far below the median in units of the median absolute deviation', () => {
  fc.assert(
    fc.property(seconds, (points) => {
      const values = [...points.v];
      const centre = middleOf(values);
      const deviation = 1.4826 * middleOf(values.map((value) => Math.abs(value - centre)));
      const limit = Math.min(0.75 * centre, centre - 4 * deviation);
      const deepest = values.length < 30 ? [] : values.filter((value) => value < limit);
      const depths = dipsIn(points, 0).map(({ depth }) => depth);
      expect(Math.max(0, ...depths)).toBe(Math.max(0, ...deepest.map((value) => 1 - value / centre)));
    }),
  );
});

it('equal weights give the same spread and mean whether explicit or not', () => {
  fc.assert(
    fc.property(seconds, seconds, (one, other) => {
      const parts = [one, other].map(({ t, v }) => weightByTime(t, v, 0));
      const all = together(parts);
      const weighted = { ...all, weights: all.weights ?? new Float64Array(all.values.length).fill(1) };
      expect(weightedSpread(all, ascendingOf(all.values))).toEqual(weightedSpread(weighted));
      expect(weightedMean(all.values, all.weights)).toBe(weightedMean(all.values, weighted.weights));
    }),
  );
});
