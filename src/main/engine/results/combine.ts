import { ALL_GENERATORS, type SeriesData } from '../../../shared/model/result.ts';
import { alignedSeconds, type Points, wholeOf } from '../../../shared/stats/index.ts';
import type { RunRow, Store } from '../store/store.ts';

/**
 * One series for the whole run: second by second as the metric says. Undefined when there is none that can be stated: percentiles of
 * several generators are never averaged.
 */
export function wholeSeries(store: Store, run: RunRow, metric: string): Points | undefined {
  const all = store.samples.series(run.id, metric);
  const count = Math.max(run.jobs.length, all.length);
  if (count <= 1) return all[0];
  const starts = run.jobs.map((job) => job.startedAt);
  const aligned = all.map(({ generator, t, v }) => ({ t: alignedSeconds(t, starts[generator], starts), v }));
  return wholeOf(metric, aligned, count);
}

/** Every stored series of a metric of a run; of several generators first the one for all together, where there is one. */
export function runSeries(store: Store, run: RunRow, metric: string): SeriesData[] {
  const all = store.samples.series(run.id, metric);
  const whole = run.jobs.length > 1 ? wholeSeries(store, run, metric) : undefined;
  return whole && whole.t.length > 0 ? [{ runId: run.id, generator: ALL_GENERATORS, metric, ...whole }, ...all] : all;
}
