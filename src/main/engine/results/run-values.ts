import type { SampleDamage } from '../../../shared/model/damage.ts';
import type { SeriesData } from '../../../shared/model/result.ts';
import type { Points } from '../../../shared/stats/index.ts';
import type { RunRow, Store } from '../store/store.ts';
import { wholeSeries } from './combine.ts';

/**
 * Per-second values of one metric of a run inside its measured window: samples with warmup < t ≤ warmup + duration.
 * Several generators are combined second by second as the metric says (a percentile of several is never averaged).
 */
export function runValues(store: Store, run: RunRow, metric: string, warmup: number): Float64Array {
  return runMeasured(store, run, metric, warmup).values;
}

/** The same, with the seconds of the warm-up before them, and what of it is damaged: then there are no values, as a figure from the rest would be another one. */
export function runMeasured(
  store: Store,
  run: RunRow,
  metric: string,
  warmup: number,
): { values: Float64Array; whole: Points; damage: SampleDamage[] } {
  const { whole, damage } = wholeSeries(store, run, metric);
  return {
    values: whole ? measuredPart(whole, run, warmup) : new Float64Array(0),
    whole: whole ? untilEnd(whole, run) : NO_POINTS,
    damage,
  };
}

/** The same of each generator of a run that had several, in the order of the document; empty for a run that had one. */
export function generatorValues(store: Store, run: RunRow, metric: string, warmup: number): Float64Array[] {
  if (run.jobs.length < 2) return [];
  return run.jobs.map((_, generator) => {
    const {
      series: [series],
      damage,
    } = store.samples.readable(run.id, metric, generator);
    return series && damage.length === 0 ? measuredPart(series, run, warmup) : new Float64Array(0);
  });
}

const NO_POINTS: Points = { t: new Float64Array(0), v: new Float64Array(0) };

/** From the first second to the last that was planned: what comes after is the tool's ending. */
function untilEnd({ t, v }: Points, run: RunRow): Points {
  const end = t.findIndex((second) => Math.floor(second) > run.warmup + run.duration);
  return end < 0 ? { t, v } : { t: t.subarray(0, end), v: v.subarray(0, end) };
}

function measuredPart(series: Pick<SeriesData, 't' | 'v'>, run: RunRow, warmup: number): Float64Array {
  // sysbench prints second n at t = n for the second that just ended, so a warm-up of 5 s is samples 1 … 5.
  const end = run.warmup + run.duration;
  return series.v.filter((_, index) => {
    const t = series.t[index] as number;
    return t > warmup && Math.floor(t) <= end;
  });
}
