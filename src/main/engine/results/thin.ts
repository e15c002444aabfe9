import type { SeriesData } from '../../../shared/model/result.ts';

/** Thins a series to about `points` values, keeping the minimum and the maximum of each bucket: a stall of one second stays visible. */
export function thin(series: SeriesData, points: number): SeriesData {
  const length = series.t.length;
  if (length <= points) return series;
  const buckets = Math.max(1, Math.floor(points / 2));
  const kept: number[] = [];
  for (let bucket = 0; bucket < buckets; bucket++) {
    const from = Math.floor((bucket * length) / buckets);
    const to = Math.floor(((bucket + 1) * length) / buckets);
    let low = from;
    let high = from;
    for (let i = from + 1; i < to; i++) {
      if ((series.v[i] as number) < (series.v[low] as number)) low = i;
      if ((series.v[i] as number) > (series.v[high] as number)) high = i;
    }
    kept.push(...(low === high ? [low] : low < high ? [low, high] : [high, low]));
  }
  return {
    ...series,
    t: Float64Array.from(kept, (i) => series.t[i] as number),
    v: Float64Array.from(kept, (i) => series.v[i] as number),
  };
}
