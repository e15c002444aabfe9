import { intervalOf } from './steady-state.ts';
import type { Points } from './whole.ts';

/**
 * Series over segments of equal length: `t` is the start of each, seconds. A value covers the time since the previous one, and so every
 * segment whose middle is in that time; segments that no value covers are omitted.
 */
export interface TimeBuckets {
  t: Float64Array;
  median: Float64Array;
  low: Float64Array;
  high: Float64Array;
}

/** Whole seconds of a segment, so that there are at most `points` of them. */
export const bucketSeconds = (lines: readonly Points[], points: number): number =>
  Math.max(1, Math.ceil(lines.reduce((end, { t }) => Math.max(end, t.at(-1) ?? 0), 0) / points));

/** Median, smallest and largest of all values of these series together in each segment of `seconds`. */
export function timeBuckets(lines: readonly Points[], seconds: number): TimeBuckets {
  const end = lines.reduce((last, { t }) => Math.max(last, t.at(-1) ?? 0), 0);
  const places = Math.ceil(end / seconds);
  const counts = new Uint32Array(places + 1);
  const each = (visit: (place: number, value: number) => void): void => {
    for (const { t, v } of lines) {
      let from = Math.max(0, (t[0] ?? 0) - intervalOf([{ t, v }]));
      for (let index = 0; index < t.length; index++) {
        const to = t[index] as number;
        const value = v[index] as number;
        if (Number.isFinite(value)) {
          // The middle of a segment counts; a value that covers no middle belongs to the segment that contains its own middle.
          const first = Math.ceil(from / seconds - 0.5);
          const last = Math.ceil(to / seconds - 0.5) - 1;
          if (last < first) visit(Math.min(places - 1, Math.floor((from + to) / 2 / seconds)), value);
          for (let place = first; place <= last; place++) visit(place, value);
        }
        from = to;
      }
    }
  };
  each((place) => {
    counts[place + 1] = (counts[place + 1] as number) + 1;
  });
  let before = 0;
  const starts = counts.map((count) => {
    before += count;
    return before;
  });
  const values = new Float64Array(starts.at(-1) ?? 0);
  const filled = starts.slice();
  each((place, value) => {
    const at = filled[place] as number;
    values[at] = value;
    filled[place] = at + 1;
  });
  const there = Array.from({ length: places }, (_, place) => place).filter(
    (place) => (counts[place + 1] as number) > 0,
  );
  const sorted = there.map((place) => values.subarray(starts[place], starts[place + 1]).sort());
  const figures = (of: (ascending: Float64Array) => number): Float64Array => Float64Array.from(sorted, of);
  return {
    t: Float64Array.from(there, (place) => place * seconds),
    median: figures((of) => ((of[(of.length - 1) >> 1] as number) + (of[of.length >> 1] as number)) / 2),
    low: figures((of) => of[0] as number),
    high: figures((of) => of[of.length - 1] as number),
  };
}
