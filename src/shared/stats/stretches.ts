import type { Points } from './whole.ts';

/** What series did in stretches of time of equal length: `t` is the start of each, seconds; those without a value are left out. */
export interface Stretches {
  t: Float64Array;
  median: Float64Array;
  low: Float64Array;
  high: Float64Array;
}

/** Whole seconds of a stretch, so that there are `points` of them at most. */
export const stretchOf = (lines: readonly Points[], points: number): number =>
  Math.max(1, Math.ceil((lines.reduce((end, { t }) => Math.max(end, t.at(-1) ?? 0), 0) + 1) / points));

/** Median, smallest and largest of all values of these series together in each stretch of `seconds`. */
export function stretches(lines: readonly Points[], seconds: number): Stretches {
  const placeOf = (second: number): number => Math.max(0, Math.floor(second / seconds));
  const places =
    1 + lines.reduce((last, { t }) => t.reduce((most, second) => Math.max(most, placeOf(second)), last), -1);
  const counts = new Uint32Array(places + 1);
  const each = (visit: (place: number, value: number) => void): void => {
    for (const { t, v } of lines)
      for (let index = 0; index < t.length; index++) {
        const value = v[index] as number;
        if (Number.isFinite(value)) visit(placeOf(t[index] as number), value);
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
