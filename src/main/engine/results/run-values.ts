import { rateOfLatency } from '../../../shared/metrics/index.ts';
import type { SampleDamage } from '../../../shared/model/damage.ts';
import type { SeriesData } from '../../../shared/model/result.ts';
import { type Points, standFor, type Weighted } from '../../../shared/stats/index.ts';
import type { RunRow, Store } from '../store/store.ts';
import { wholeSeries } from './combine.ts';

/** What was measured in a run after the cut. */
export interface Window {
  /** Samples with cut < t ≤ warm-up + duration. */
  readonly points: Points;
  /** Second where the first of them begins. */
  readonly from: number;
  /** Their values with the time that each stands for. */
  readonly measured: Weighted;
}

const NO_POINTS: Points = { t: new Float64Array(0), v: new Float64Array(0) };
const NO_WINDOW: Window = { points: NO_POINTS, from: 0, measured: standFor([], new Float64Array(0), 0) };

/**
 * One metric of a run inside its measured window. Several generators are combined second by second as the metric says (a percentile of
 * several is never averaged). `whole`: with the seconds of the warm-up before them. What is damaged is named, and there are no values then, as a figure
 * from the rest would be another one.
 */
export function runMeasured(
  store: Store,
  run: RunRow,
  metric: string,
  cut: number,
): { window: Window; whole: Points; damage: SampleDamage[] } {
  const { whole, damage } = wholeSeries(store, run, metric);
  return {
    window: whole ? windowOf(whole, run, cut, isOfEvents(store, run, metric)) : NO_WINDOW,
    whole: whole ? untilEnd(whole, run) : NO_POINTS,
    damage,
  };
}

/** The same of each generator of a run that had several, in the order of the document; empty for a run that had one. */
export function generatorValues(store: Store, run: RunRow, metric: string, cut: number): Weighted[] {
  if (run.jobs.length < 2) return [];
  return run.jobs.map((_, generator) => {
    const {
      series: [series],
      damage,
    } = store.samples.readable(run.id, metric, generator);
    return (series && damage.length === 0 ? windowOf(series, run, cut, isOfEvents(store, run, metric)) : NO_WINDOW)
      .measured;
  });
}

/** From the first second to the last that was planned: what comes after is the tool's ending. */
function untilEnd({ t, v }: Points, run: RunRow): Points {
  const end = t.findIndex((second) => Math.floor(second) > run.warmup + run.duration);
  return end < 0 ? { t, v } : { t: t.subarray(0, end), v: v.subarray(0, end) };
}

/** Latencies without a rate beside them are told one by one, as those of single queries: each counts once, whenever it came. */
const isOfEvents = (store: Store, run: RunRow, metric: string): boolean =>
  metric.includes('latency_') && rateOfLatency(metric, store.samples.metrics(run.id)) === undefined;

function windowOf({ t, v }: Pick<SeriesData, 't' | 'v'>, run: RunRow, cut: number, ofEvents: boolean): Window {
  // sysbench prints second n at t = n for the second that just ended, so a warm-up of 5 s is samples 1 … 5.
  const end = run.warmup + run.duration;
  const isInside = (second: number): boolean => second > cut && Math.floor(second) <= end;
  const inside = { t: t.filter(isInside), v: v.filter((_, index) => isInside(t[index] as number)) };
  const measured = standFor(inside.t, inside.v, cut);
  return {
    points: inside,
    from: cut,
    measured: ofEvents ? { ...measured, weights: new Float64Array(inside.v.length).fill(1) } : measured,
  };
}
