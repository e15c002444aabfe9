import { metricOf } from '../../../shared/metrics/index.ts';
import type { SeriesData } from '../../../shared/model/result.ts';
import type { RunRow, Store } from '../store/store.ts';

/**
 * Per-second values of one metric of a run inside its measured window: samples with warmup < t ≤ warmup + duration.
 * Several generators are combined second by second as the metric says (a percentile of several is never averaged).
 */
export function runValues(store: Store, run: RunRow, metric: string, warmup: number): Float64Array {
  const series = combine(store.samples.series(run.id, metric), metric);
  if (!series) return new Float64Array(0);
  // sysbench prints second n at t = n for the second that just ended, so a warm-up of 5 s is samples 1 … 5.
  const end = run.warmup + run.duration;
  const values: number[] = [];
  for (let i = 0; i < series.t.length; i++) {
    const t = series.t[i] as number;
    if (t > warmup && Math.floor(t) <= end) values.push(series.v[i] as number);
  }
  return Float64Array.from(values);
}

/** One series for the whole run, or undefined when there is none that can be stated. */
function combine(all: readonly SeriesData[], metric: string): Pick<SeriesData, 't' | 'v'> | undefined {
  const [first, ...rest] = all;
  if (!first) return undefined;
  if (rest.length === 0) return first;
  const how = metricOf(metric).combine;
  if (how === 'none') return undefined;
  const bySecond = new Map<number, number>();
  for (const series of all) {
    for (let i = 0; i < series.t.length; i++) {
      const second = Math.round(series.t[i] as number);
      const value = series.v[i] as number;
      const before = bySecond.get(second);
      bySecond.set(second, before === undefined ? value : how === 'sum' ? before + value : Math.max(before, value));
    }
  }
  const seconds = [...bySecond.keys()].sort((a, b) => a - b);
  return { t: Float64Array.from(seconds), v: Float64Array.from(seconds, (second) => bySecond.get(second) as number) };
}
