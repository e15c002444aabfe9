import type { SampleDamage } from '../../../shared/model/damage.ts';
import { ALL_GENERATORS, type SeriesData } from '../../../shared/model/result.ts';
import { alignedSeconds, type Points, wholeOf } from '../../../shared/stats/index.ts';
import type { RunRow, Store } from '../store/store.ts';

/**
 * One series for the whole run: second by second as the metric says. Undefined when there is none that can be stated: percentiles of
 * several generators are never averaged. Nor when a part of it is damaged.
 */
export function wholeSeries(
  store: Store,
  run: RunRow,
  metric: string,
): { whole: Points | undefined; damage: SampleDamage[] } {
  const { series, damage } = store.samples.readable(run.id, metric);
  return { whole: damage.length > 0 ? undefined : combined(run, metric, series), damage };
}

function combined(run: RunRow, metric: string, all: readonly SeriesData[]): Points | undefined {
  const count = Math.max(run.jobs.length, all.length);
  if (count <= 1) return all[0];
  return wholeOf(metric, [...alignedParts(run, all).values()], count);
}

function alignedParts({ jobs }: RunRow, all: readonly SeriesData[]): Map<number, Points> {
  const starts = jobs.map((job) => job.startedAt);
  return new Map(all.map(({ generator, t, v }) => [generator, { t: alignedSeconds(t, starts[generator], starts), v }]));
}

/** What each of several generators did, on the seconds of all of them; none of a run with one. Damaged samples are left out. */
export const generatorParts = (store: Store, run: RunRow, metric: string): ReadonlyMap<number, Points> =>
  run.jobs.length > 1 ? alignedParts(run, store.samples.readable(run.id, metric).series) : new Map();

/** Every stored series of a metric of a run, damaged samples left out; of several generators first the one for all together, where there is one. */
export function runSeries(store: Store, run: RunRow, metric: string): SeriesData[] {
  const { series: all, damage } = store.samples.readable(run.id, metric);
  const whole = run.jobs.length > 1 && damage.length === 0 ? combined(run, metric, all) : undefined;
  return whole && whole.t.length > 0 ? [{ runId: run.id, generator: ALL_GENERATORS, metric, ...whole }, ...all] : all;
}
