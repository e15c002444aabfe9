import { metricOf } from '../../../shared/metrics/index.ts';
import { ALL_GENERATORS, type SeriesData } from '../../../shared/model/result.ts';
import type { RunRow, Store } from '../store/store.ts';

type Points = Pick<SeriesData, 't' | 'v'>;

/**
 * One series for the whole run: second by second as the metric says. Undefined when there is none that can be stated: percentiles of
 * several generators are never averaged.
 */
export function wholeSeries(store: Store, run: RunRow, metric: string): Points | undefined {
  const all = store.samples.series(run.id, metric);
  const count = Math.max(run.jobs.length, all.length);
  if (count <= 1) return all[0];
  const { combine } = metricOf(metric);
  if (combine === 'none') return undefined;
  return combined(all.map(alignedBy(run.jobs)), count, combine === 'sum' ? (a, b) => a + b : Math.max);
}

/** Every stored series of a metric of a run; of several generators first the one for all together, where there is one. */
export function runSeries(store: Store, run: RunRow, metric: string): SeriesData[] {
  const all = store.samples.series(run.id, metric);
  const whole = run.jobs.length > 1 ? wholeSeries(store, run, metric) : undefined;
  return whole && whole.t.length > 0 ? [{ runId: run.id, generator: ALL_GENERATORS, metric, ...whole }, ...all] : all;
}

/** Tools count seconds from their own start; on one axis these differ by what the starts differ. */
function alignedBy(jobs: RunRow['jobs']): (series: SeriesData) => Points {
  const starts = jobs.map((job) => job.startedAt);
  const first = Math.min(...starts.filter((start) => start !== undefined));
  return ({ generator, t, v }) => {
    const start = starts[generator];
    const shift = start === undefined ? 0 : (start - first) / 1000;
    return { t: t.map((second) => Math.round(second + shift)), v };
  };
}

/** Only seconds of which every generator has a value: the rate of some of them is not that of the trial. */
function combined(all: readonly Points[], count: number, together: (a: number, b: number) => number): Points {
  const bySecond = new Map<number, { value: number; from: number }>();
  for (const series of all) {
    const seen = new Set<number>();
    series.t.forEach((second, index) => {
      // A generator whose tool printed two lines within one second gives one of them: the other is in the next second.
      if (seen.has(second)) return;
      seen.add(second);
      const value = series.v[index] as number;
      const before = bySecond.get(second);
      bySecond.set(
        second,
        before ? { value: together(before.value, value), from: before.from + 1 } : { value, from: 1 },
      );
    });
  }
  const whole = [...bySecond].filter(([, { from }]) => from === count).sort(([a], [b]) => a - b);
  return { t: Float64Array.from(whole, ([second]) => second), v: Float64Array.from(whole, ([, { value }]) => value) };
}
