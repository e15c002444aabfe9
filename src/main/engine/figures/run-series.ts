import { metricOf } from '../../../shared/metrics/index.ts';
import type { SampleDamage } from '../../../shared/model/damage.ts';
import type { GeneratorSeries, SeriesData } from '../../../shared/model/result.ts';
import {
  alignedSeconds,
  type Points,
  rateUntil,
  type Weighted,
  weightByTime,
  wholeOf,
} from '../../../shared/stats/index.ts';
import type { RunRow, Store } from '../store/store.ts';

/** Measured data of a run after the cut. */
export interface Window {
  /** Samples with cut < t ≤ warm-up + duration. */
  readonly points: Points;
  /** Second at which the first of them begins. */
  readonly from: number;
  /** Their values with the time that each one covers. */
  readonly measured: Weighted;
}

/** A metric of a run after a cut. `ofEvents`: each value is a single event and counts once, whenever it occurred. */
export interface Asked {
  readonly run: RunRow;
  readonly metric: string;
  /** Seconds left out at the start. */
  readonly cut: number;
  readonly ofEvents: boolean;
}

const NO_POINTS: Points = { t: new Float64Array(0), v: new Float64Array(0) };
const NO_WINDOW: Window = { points: NO_POINTS, from: 0, measured: weightByTime(NO_POINTS.t, NO_POINTS.v, 0) };

/**
 * One metric of a run inside its measured window. Several generators are combined second by second, as the metric requires (a percentile of
 * several is never averaged). `whole` includes the seconds of the warm-up. If samples are damaged, they are listed and there are no values:
 * a figure from the rest would be wrong.
 */
export function runMeasured(store: Store, asked: Asked): Measured {
  const { whole, damage } = wholeSeries(store, asked.run, asked.metric);
  return whole ? { ...measuredOf(whole, asked), damage } : { window: NO_WINDOW, whole: NO_POINTS, damage };
}

interface Measured {
  readonly window: Window;
  readonly whole: Points;
  readonly damage: SampleDamage[];
}

/** Like `runMeasured`, for a calculated series. */
export const measuredOf = (points: Points, asked: Asked): Pick<Measured, 'window' | 'whole'> => ({
  window: windowOf(points, asked),
  whole: untilEnd(points, asked.run),
});

/** Like `runMeasured`, for each generator of a run with several, in document order. Empty for a run with one. */
export function generatorValues(store: Store, asked: Asked): Weighted[] {
  const { run, metric } = asked;
  if (run.jobs.length < 2) return [];
  return run.jobs.map((_, generator) => {
    const {
      series: [series],
      damage,
    } = store.samples.readable(run.id, metric, generator);
    return (series && damage.length === 0 ? windowOf(series, asked) : NO_WINDOW).measured;
  });
}

/** The last planned second. Later ones belong to the tool's shutdown. */
export const endOf = ({ warmup, duration }: Pick<RunRow, 'warmup' | 'duration'>): number => warmup + duration;

/** From the first second to the last planned one. */
function untilEnd({ t, v }: Points, run: RunRow): Points {
  const end = endOf(run);
  let at = 0;
  while (at < t.length && Math.floor(t[at] as number) <= end) at += 1;
  return at === t.length ? { t, v } : { t: t.subarray(0, at), v: v.subarray(0, at) };
}

export function windowOf(points: Points, { run, metric, cut, ofEvents }: Asked): Window {
  const { combine, better } = metricOf(metric);
  const until = combine === 'sum' && better === 'higher' ? rateUntil : measuredPoints;
  const inside = until(points, cut, endOf(run));
  const measured = weightByTime(inside.t, inside.v, cut);
  const { values, seconds } = measured;
  return { points: inside, from: cut, measured: ofEvents ? { values, seconds } : measured };
}

/** sysbench prints second n at t = n for the second that just ended, so a warm-up of 5 s is samples 1 … 5. */
function measuredPoints({ t, v }: Points, cut: number, end: number): Points {
  let [first, last, count] = [-1, -1, 0];
  for (let index = 0; index < t.length; index += 1) {
    const second = t[index] as number;
    if (!(second > cut && Math.floor(second) <= end)) continue;
    if (first < 0) first = index;
    last = index;
    count += 1;
  }
  if (count === 0) return NO_POINTS;
  if (count === last - first + 1) return { t: t.subarray(first, last + 1), v: v.subarray(first, last + 1) };
  const isInside = (_: number, index: number): boolean =>
    (t[index] as number) > cut && Math.floor(t[index] as number) <= end;
  return { t: t.filter(isInside), v: v.filter(isInside) };
}

/**
 * One series for the whole run, combined second by second as the metric requires. Undefined if it cannot be combined (percentiles of
 * several generators are never averaged) or if a part of it is damaged.
 */
export function wholeSeries(
  store: Store,
  run: RunRow,
  metric: string,
): { whole: Points | undefined; damage: SampleDamage[] } {
  const { series, damage } = store.samples.readable(run.id, metric);
  return { whole: damage.length > 0 ? undefined : combined(run, metric, series), damage };
}

function combined(run: RunRow, metric: string, all: readonly GeneratorSeries[]): Points | undefined {
  const count = Math.max(run.jobs.length, all.length);
  if (count <= 1) return all[0];
  return wholeOf(metric, [...alignedParts(run, all).values()], count);
}

function alignedParts({ jobs }: RunRow, all: readonly GeneratorSeries[]): Map<number, Points> {
  const starts = jobs.map((job) => job.startedAt);
  return new Map(all.map(({ generator, t, v }) => [generator, { t: alignedSeconds(t, starts[generator], starts), v }]));
}

/** Series of each generator, on the seconds of all of them. Empty for a run with one. Damaged samples are left out. */
export const generatorParts = (store: Store, run: RunRow, metric: string): ReadonlyMap<number, Points> =>
  run.jobs.length > 1 ? alignedParts(run, store.samples.readable(run.id, metric).series) : new Map();

/**
 * Every stored series of a metric of a run, without damaged samples. With several generators, the combined series comes first if there is
 * one.
 */
export function runSeries(store: Store, run: RunRow, metric: string): SeriesData[] {
  const { series: all, damage } = store.samples.readable(run.id, metric);
  const whole = run.jobs.length > 1 && damage.length === 0 ? combined(run, metric, all) : undefined;
  return whole && whole.t.length > 0 ? [{ runId: run.id, generator: null, metric, ...whole }, ...all] : all;
}
