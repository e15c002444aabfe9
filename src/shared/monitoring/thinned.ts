/** Values in stretches of time: mean, smallest and largest of each. */
export interface ThinnedValues {
  t: Float64Array;
  v: Float64Array;
  low?: Float64Array;
  high?: Float64Array;
}

/**
 * At most about `points` values: as they are where they are few, else the mean of each stretch with its smallest and largest value, at the
 * middle of its samples. A stretch with nothing but unknown values is one unknown value, so that gaps stay gaps.
 */
export function thinned(t: Float64Array, v: Float64Array, points: number): ThinnedValues {
  const { length } = t;
  if (length <= points) return { t, v };
  const each = Math.ceil(length / points);
  const count = Math.ceil(length / each);
  const result = { t: column(count), v: column(count), low: column(count), high: column(count) };
  for (let stretch = 0; stretch < count; stretch += 1) {
    const [start, end] = [stretch * each, Math.min(length, (stretch + 1) * each)];
    let [sum, known, low, high] = [0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let index = start; index < end; index += 1) {
      const value = v[index] ?? Number.NaN;
      if (Number.isNaN(value)) continue;
      sum += value;
      known += 1;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    result.t[stretch] = ((t[start] ?? 0) + (t[end - 1] ?? 0)) / 2;
    result.v[stretch] = known > 0 ? sum / known : Number.NaN;
    result.low[stretch] = known > 0 ? low : Number.NaN;
    result.high[stretch] = known > 0 ? high : Number.NaN;
  }
  return result;
}

const column = (count: number): Float64Array => new Float64Array(count);
