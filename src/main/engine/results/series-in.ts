import { onRunClock, type WatchedSeries } from '../../../shared/analysis/index.ts';
import type { MonitoredSeries, MonitorGap, RunWindow } from '../../../shared/model/monitored.ts';
import {
  countersOf,
  derive,
  deriveAcross,
  gapsOf,
  onItsClock,
  onOurClock,
  secondOf,
} from '../../../shared/monitoring/index.ts';
import type { Points } from '../../../shared/stats/index.ts';
import type { Source, Store } from '../store/store.ts';
import { type RulesOf, readSeries } from './monitored.ts';

/** Usual levels, and what went before a stall at the very start, are looked for in so much before second 0. */
const BEFORE_MS = 30_000;

/** Series of a source around a run (absent: all), on the run's seconds, with the decimals that each is shown with; and where there are no samples although it was going on. */
export function seriesIn(
  store: Store,
  source: Source,
  window: RunWindow,
  rulesOf: RulesOf,
  isWanted: (series: MonitoredSeries) => boolean = () => true,
): { series: WatchedSeries[]; digits: (number | undefined)[]; gaps: MonitorGap[] } {
  const { zero, to } = window;
  const clocks = store.sources.clocks(source.id);
  const range = { from: onItsClock(clocks, zero - BEFORE_MS), to: onItsClock(clocks, to) };
  const read = readSeries(store, source, rulesOf, range).filter(({ series }) => isWanted(series));
  const counters = [...new Set(read.flatMap(({ reading }) => countersOf(reading)))];
  const { t, columns } = store.monitored.columns(source.id, counters, range);
  const times = onOurClock(clocks, t);
  const gaps = gapsOf(t, { from: onItsClock(clocks, zero), to: range.to }).map(({ from, to: end }) => ({
    from: onOurClock(clocks, Float64Array.of(from))[0] ?? 0,
    to: onOurClock(clocks, Float64Array.of(end))[0] ?? 0,
  }));
  return {
    series: read.map(({ series, reading }) => onRunClock(series, { t: times, v: derive(reading, t, columns) }, window)),
    digits: read.map(({ series }) => series.digits),
    gaps: gaps.filter((gap) => gap.to > zero && gap.from < to),
  };
}

/** What was behind the end of a run tells of a stretch without samples that lasts up to it: whether the counters went on, or began again. */
const AFTER_MS = 60_000;

/** One series on the seconds of a run and a minute behind it, each value the mean since the one before it; undefined where the source has none. */
export function knownAcross(
  store: Store,
  source: Source,
  window: RunWindow,
  id: string,
  rulesOf: RulesOf,
): Points | undefined {
  const found = readSeries(store, source, rulesOf).find(({ series }) => series.id === id);
  if (!found) return undefined;
  const clocks = store.sources.clocks(source.id);
  const range = { from: onItsClock(clocks, window.zero - BEFORE_MS), to: onItsClock(clocks, window.to + AFTER_MS) };
  const { t, columns } = store.monitored.columns(source.id, countersOf(found.reading), range);
  const times = onOurClock(clocks, t).map((at) => secondOf(window, at));
  return { t: times, v: deriveAcross(found.reading, t, columns) };
}
