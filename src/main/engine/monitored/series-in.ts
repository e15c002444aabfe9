import {
  condenserOf,
  windowOf as measuredWindow,
  type Segments,
  segmentsOf,
  type WatchedSeries,
  watchedSeries,
} from '../../../shared/analysis/index.ts';
import type { MonitoredSeries, MonitorGap, Reading, RunWindow } from '../../../shared/model/monitored.ts';
import { TOOK } from '../../../shared/model/step.ts';
import {
  clockOffset,
  countersOf,
  deriveAcross,
  gapsOf,
  instanceIn,
  momentOf,
  type ReadSeries,
  secondOf,
  takeOutDamaged,
  toHostTime,
  toLocalTimes,
  wasSet,
} from '../../../shared/monitoring/index.ts';
import type { Points } from '../../../shared/stats/index.ts';
import type { RunJob, RunRow, Source, Store } from '../store/store.ts';
import { CounterColumns } from './counter-columns.ts';
import { type RulesOf, readSeries } from './series.ts';

/** Time of each run of a session, on our clock. */
export const runWindows = (store: Store, sessionId: number): RunWindow[] =>
  store.runs.ofSession(sessionId).flatMap((run) => windowOf(store, run) ?? []);

/** Undefined if the run has not begun, or never did. */
export function windowOf(store: Store, run: RunRow): RunWindow | undefined {
  if (run.startedAt === null) return undefined;
  const seconds = run.warmup + run.duration;
  const known = run.jobs.flatMap((job, position) => placeOf(store, run, job, position, seconds) ?? []);
  const [first] = known;
  const placed = {
    zero: first?.at ?? run.jobs[0]?.startedAt ?? run.startedAt,
    ...(first?.pace !== undefined && { pace: first.pace }),
  };
  const planned = momentOf(placed, seconds);
  const { parallel, name } = store.sessions.get(run.sessionId)?.steps[run.step] ?? {};
  return {
    runId: run.id,
    ...placed,
    from: momentOf(placed, run.warmup),
    to: run.endedAt === null ? planned : endsByItself(store, run) ? run.endedAt : Math.min(run.endedAt, planned),
    ...(first && { errorMs: Math.max(...known.map(({ errorMs }) => errorMs)) }),
    ...(parallel !== undefined && name !== undefined && { parallel: name }),
  };
}

/** Whether its step has a limit instead of a duration, or neither: it lasts as long as it took. */
export const endsByItself = (store: Store, { sessionId, step }: RunRow): boolean =>
  store.sessions.get(sessionId)?.steps[step]?.metric === TOOK;

/** Second 0 of a generator's tool, and the pace of its clock: in an hour it may be off by fractions of a second. */
function placeOf(
  store: Store,
  { sessionId }: RunRow,
  { host, zero }: RunJob,
  position: number,
  seconds: number,
): { at: number; errorMs: number; pace?: number } | undefined {
  if (!zero) return undefined;
  const source = store.sources
    .ofSession(sessionId)
    .find((each) => each.kind === 'generator' && each.name === host && each.position === position);
  const clocks = source ? store.sources.clocks(source.id) : [];
  const begun = zero.hostMs / 1000;
  const offset = clockOffset(clocks, begun);
  // Readings of another run are excluded: the clock may have been set between the two.
  const own = clocks.filter(
    (reading) => reading.t >= begun && reading.t <= begun + seconds && !wasSet({ t: begun, ...offset }, reading),
  );
  const last = own.at(-1);
  const seen = last ? last.t - begun : 0;
  const gained = last && seen > 0 ? last.offsetMs - offset.offsetMs : 0;
  const errorMs = offset.errorMs + (last?.errorMs ?? 0);
  const known = { at: zero.hostMs + offset.offsetMs, errorMs: zero.errorMs + offset.errorMs };
  // A gain below the error of the readings counts as none.
  if (Math.abs(gained) <= errorMs) return known;
  // Beyond the last reading, the error grows as the pace is extrapolated.
  const carried = (errorMs * Math.max(0, seconds - seen)) / seen;
  return { ...known, errorMs: known.errorMs + carried, pace: 1 + gained / (1000 * seen) };
}

/** Usual levels, and the seconds before a stall at the very start, are searched in this time before second 0. */
const BEFORE_MS = 30_000;

/** Stored values that are read at once: this many take some milliseconds. */
const READ_AT_ONCE = 300_000;

interface KnownSeries {
  readonly series: WatchedSeries;
  /** Digits shown. */
  readonly digits?: number;
}

/** A source around a run. */
interface SourceInRun {
  /** On the run's seconds: the same for all its series. */
  readonly t: Float64Array;
  /** Gaps without samples while it was being monitored. */
  readonly gaps: MonitorGap[];
  /** Series with damaged stored samples, among those read so far. */
  readonly damaged: string[];
  /** Its series, some at a time: those of all sources of a long run would not fit into memory. */
  readonly pieces: Iterable<KnownSeries[]>;
}

function sourceIn(
  store: Store,
  source: Source,
  window: RunWindow,
  rulesOf: RulesOf,
  isWanted: (series: MonitoredSeries) => boolean = () => true,
): SourceInRun {
  const { zero, to } = window;
  const clocks = store.sources.clocks(source.id);
  const range = { from: toHostTime(clocks, zero - BEFORE_MS), to: toHostTime(clocks, to) };
  const read = readSeries(store, source, rulesOf, range).filter(({ series }) => isWanted(series));
  const times = store.monitored.columns(source.id, [], range).t;
  const t = toLocalTimes(clocks, times).map((at) => secondOf(window, at));
  const gaps = gapsOf(times, { from: toHostTime(clocks, zero), to: range.to }).map(({ from, to: end }) => ({
    from: toLocalTimes(clocks, Float64Array.of(from))[0] ?? 0,
    to: toLocalTimes(clocks, Float64Array.of(end))[0] ?? 0,
  }));
  const damaged: string[] = [];
  function* pieces(): Generator<KnownSeries[]> {
    for (const some of atATime(read, Math.max(1, READ_AT_ONCE / Math.max(1, t.length)))) {
      const counters = new CounterColumns(store, source.id, range);
      counters.expect(
        some.map(({ reading }) => reading),
        t.length,
      );
      yield some.map(({ series, reading }) => {
        // More may have arrived meanwhile.
        const v = counters.valuesOf(reading).subarray(0, t.length);
        if (counters.damagedOf(reading) > 0) damaged.push(series.id);
        return {
          series: watchedSeries(series, { t, v }),
          ...(series.digits !== undefined && { digits: series.digits }),
        };
      });
    }
  }
  return { t, gaps: gaps.filter((gap) => gap.to > zero && gap.from < to), damaged, pieces: pieces() };
}

/** Groups series in order, with at most this many counters per group. */
function* atATime(read: readonly ReadSeries[], most: number): Generator<ReadSeries[]> {
  let some: ReadSeries[] = [];
  let counters = 0;
  for (const each of read) {
    const { length } = countersOf(each.reading);
    if (some.length > 0 && counters + length > most) {
      yield some;
      [some, counters] = [[], 0];
    }
    some.push(each);
    counters += length;
  }
  if (some.length > 0) yield some;
}

/** Some series of a source around a run, on the run's seconds. */
export const seriesIn = (
  store: Store,
  source: Source,
  window: RunWindow,
  rulesOf: RulesOf,
  isWanted: (series: MonitoredSeries) => boolean,
): KnownSeries[] => [...sourceIn(store, source, window, rulesOf, isWanted).pieces].flat();

/** Processing of series while they are read. */
interface Reader {
  /** Called with every series, second by second. */
  readonly seen: (source: string, series: WatchedSeries) => void;
  /** For a long run, only the means of these are kept. */
  readonly segments: Segments | undefined;
  /** Selects series; absent: all. */
  readonly isWanted?: (series: MonitoredSeries) => boolean;
}

/** The stretches of a long run, the same for all its sources. */
export const segmentsIn = (window: RunWindow): Segments | undefined =>
  segmentsOf(measuredWindow(window), -BEFORE_MS / 1000);

/** Reads all series of a source in a run, and its gaps, step by step: the caller can do other work between two steps. */
export function* readSource(
  store: Store,
  source: Source,
  window: RunWindow,
  rulesOf: RulesOf,
  { seen, segments, isWanted }: Reader,
): Generator<void, { series: WatchedSeries[]; gaps: MonitorGap[]; damaged: string[] }> {
  const { t, gaps, damaged, pieces } = sourceIn(store, source, window, rulesOf, isWanted);
  const condense = segments && condenserOf(t, segments);
  const all: WatchedSeries[] = [];
  for (const piece of pieces) {
    for (const { series } of piece) {
      all.push(condense ? { ...series, ...condense(series.v) } : series);
      seen(source.name, series);
    }
    yield;
  }
  return { series: all, gaps, damaged };
}

/**
 * One series on the seconds of a run, or the growth per second of a counter without a series of its own (for a gauge its values). NaN is a gap.
 * Undefined if the source has neither.
 */
export function pointsIn(
  store: Store,
  source: Source,
  window: RunWindow,
  id: string,
  rulesOf: RulesOf,
): Points | undefined {
  const clocks = store.sources.clocks(source.id);
  const range = { from: toHostTime(clocks, window.zero - BEFORE_MS), to: toHostTime(clocks, window.to) };
  const found = readSeries(store, source, rulesOf, range).find(({ series }) => series.id === id);
  const reading = found?.reading ?? counterReading(store, source, id, rulesOf);
  if (!reading) return undefined;
  const counters = new CounterColumns(store, source.id, range);
  const v = counters.valuesOf(reading);
  return { t: toLocalTimes(clocks, counters.t).map((at) => secondOf(window, at)), v };
}

function counterReading(store: Store, source: Source, name: string, rulesOf: RulesOf): Reading | undefined {
  if (!store.monitored.names(source.id).includes(name)) return undefined;
  const isGauge = rulesOf(source).some(
    ({ reading }) =>
      (reading.kind === 'gauge' || reading.kind === 'part') &&
      countersOf(reading).some((pattern) => instanceIn(pattern, name) !== undefined),
  );
  return { kind: isGauge ? 'gauge' : 'rate', of: [name] };
}

/** The time after the end of a run explains a stretch without samples that lasts up to it: whether the counters continued, or restarted. */
const AFTER_MS = 60_000;

/** One series on the seconds of a run and a minute after it, each value the mean since the previous one. Undefined if the source has none. */
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
  const range = { from: toHostTime(clocks, window.zero - BEFORE_MS), to: toHostTime(clocks, window.to + AFTER_MS) };
  const { t, columns, damaged } = store.monitored.columns(source.id, countersOf(found.reading), range);
  const times = toLocalTimes(clocks, t).map((at) => secondOf(window, at));
  const v = deriveAcross(found.reading, t, columns);
  takeOutDamaged(found.reading, v, damaged);
  return { t: times, v };
}
