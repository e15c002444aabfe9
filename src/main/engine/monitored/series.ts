import type { MonitoredSource, MonitoredValues, SeriesRule } from '../../../shared/model/monitored.ts';
import {
  clockOffset,
  countersOf,
  derive,
  gapsOf,
  instanceIn,
  type ReadSeries,
  seriesOf,
  takeOutDamaged,
  thinned,
  toHostTime,
  toLocalTimes,
} from '../../../shared/monitoring/index.ts';
import type { Source, Store, Summary } from '../store/store.ts';
import { CounterColumns } from './counter-columns.ts';
import { MonitoredLevels } from './levels.ts';

/** Rules that turn the counters of a source into series. */
export type RulesOf = (source: Source) => readonly SeriesRule[];

/** Series whose newest value is the cost of reading a source, percent of one core. */
const COST = 'collector.cpu';
const ORDER = ['host', 'server', 'own'] as const;
type Watched = (typeof ORDER)[number];
const isWatched = (kind: Source['kind']): kind is Watched => ORDER.some((each) => each === kind);

export const watchedOf = (store: Store, sessionId: number): (Source & { kind: Watched })[] =>
  store.sources
    .ofSession(sessionId)
    .filter((source): source is Source & { kind: Watched } => isWatched(source.kind))
    .sort((one, other) => ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind) || one.position - other.position);

/** Seconds of the source's own clock. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** Every series of a source, with how it is read. Stored limits are the newest ones, up to the end of `range` if one was reported by then. */
export function readSeries(store: Store, source: Source, rulesOf: RulesOf, range?: Range): ReadSeries[] {
  const names = store.monitored.names(source.id);
  const rules = rulesOf(source);
  const limits = limitNames(rules, names);
  const then = range ? limitsIn(store, source.id, limits, range) : undefined;
  const newest = new NewestValues(store, source.id, limits);
  return seriesOf(rules, names, (name) => then?.get(name) ?? newest.of(name));
}

/** Monitored sources of a session. */
export function monitoredSources(store: Store, sessionId: number, rulesOf: RulesOf): MonitoredSource[] {
  return watchedOf(store, sessionId).map((source) => sourceOf(store, source, rulesOf));
}

function sourceOf(store: Store, source: Source & { kind: Watched }, rulesOf: RulesOf): MonitoredSource {
  const { id, kind, name, about, problem } = source;
  const { samples, from, to } = store.monitored.extent(id);
  const clocks = store.sources.clocks(id);
  const read = readSeries(store, source, rulesOf);
  const reader = read.find(({ series }) => series.id === COST);
  const { gaps, cost } = watchedSoFar(store, id, samples, reader);
  const ours = (second: number): number => second * 1000 + clockOffset(clocks, second).offsetMs;
  return {
    id,
    kind,
    name,
    roles: about?.roles ?? [],
    ...(about?.host !== undefined && { host: about.host }),
    ...(from !== undefined && to !== undefined && { from: ours(from), to: ours(to) }),
    samples,
    ...(clocks.length > 0 && { clockErrorMs: Math.max(...clocks.map(({ errorMs }) => errorMs)) }),
    series: read.map(({ series }) => series),
    gaps: gaps.map((gap) => ({ from: ours(gap.from), to: ours(gap.to) })),
    ...(cost !== undefined && { costPercent: cost }),
    ...(problem !== undefined && { problem }),
  };
}

export interface SeriesQuery {
  sessionId: number;
  wanted: readonly { sourceId: number; ids: readonly string[] }[];
  /** Epoch milliseconds of our clock; absent: all. */
  from?: number | undefined;
  to?: number | undefined;
  points?: number | undefined;
}

/** Values of series, in the order of the query. */
export function monitoredSeries(store: Store, query: SeriesQuery, rulesOf: RulesOf): MonitoredValues[] {
  const made: Summary[] = [];
  const answer = store.reading(() => {
    const sources = new Map(watchedOf(store, query.sessionId).map((source) => [source.id, source]));
    return query.wanted.flatMap(({ sourceId, ids }) => {
      const source = sources.get(sourceId);
      return source ? ofSource(store, source, ids, query, { rulesOf, made: (summary) => made.push(summary) }) : [];
    });
  });
  store.summaries.keep(made);
  return answer;
}

function ofSource(
  store: Store,
  source: Source,
  ids: readonly string[],
  { from, to, points }: SeriesQuery,
  { rulesOf, made }: { rulesOf: RulesOf; made: (summary: Summary) => void },
): MonitoredValues[] {
  const known = new Map(readSeries(store, source, rulesOf).map((read) => [read.series.id, read]));
  const read = ids.flatMap((id) => known.get(id) ?? []);
  if (read.length === 0) return [];
  const clocks = store.sources.clocks(source.id);
  const range = {
    ...(from !== undefined && { from: toHostTime(clocks, from) }),
    ...(to !== undefined && { to: toHostTime(clocks, to) }),
  };
  const leveled = points ? new MonitoredLevels(store, source.id, made) : undefined;
  const levels = points && leveled?.of(read, { ...range, points });
  if (leveled && levels) {
    const t = toLocalTimes(clocks, levels[0]?.t ?? new Float64Array(0));
    return read.flatMap((each, index) => {
      const level = levels[index];
      return level
        ? [{ sourceId: source.id, id: each.series.id, ...level, t, ...missing(leveled.damagedOf(each)) }]
        : [];
    });
  }
  const counters = new CounterColumns(store, source.id, range);
  counters.expect(read.map(({ reading }) => reading));
  const times = toLocalTimes(clocks, counters.t);
  // The sample before the range serves the growth of the first one in it.
  const skip = from !== undefined && (times[0] ?? 0) < from ? 1 : 0;
  return read.map(({ series, reading }) => {
    const values = counters.valuesOf(reading);
    const [ours, v] = [times.subarray(skip), values.subarray(skip)];
    return {
      sourceId: source.id,
      id: series.id,
      ...(points === undefined ? { t: ours, v } : thinned(ours, v, points)),
      ...missing(counters.damagedOf(reading)),
    };
  });
}

const missing = (damaged: number): Pick<MonitoredValues, 'damaged'> => (damaged > 0 ? { damaged } : {});

/** Counters that are a limit, a page size, or a mark that another series counts the same. */
const limitNames = (rules: readonly SeriesRule[], names: readonly string[]): string[] => {
  const patterns = new Set(
    rules.flatMap(({ limit, elsewhere, reading }) => [
      ...[limit?.of ?? [], elsewhere ?? []].flat(),
      ...(reading.kind === 'rate' && reading.times ? [reading.times.of] : []),
    ]),
  );
  return names.filter((name) => [...patterns].some((pattern) => instanceIn(pattern, name) !== undefined));
};

/** Rarely changing values are reported once a minute; a sample may be lost. */
const REPORTED_WITHIN = 150;

/** Newest values up to the end of a range, unless last reported long before it. */
function limitsIn(store: Store, sourceId: number, names: readonly string[], { from, to }: Range): Map<string, number> {
  const { columns } = store.monitored.columns(sourceId, names, { from: from - REPORTED_WITHIN, to });
  const found = new Map<string, number>();
  for (const [name, values] of columns) {
    const newest = values.findLast((value) => !Number.isNaN(value));
    if (newest !== undefined) found.set(name, newest);
  }
  return found;
}

/** Values are nearly always in the newest samples, or within the time in which each is reported once. */
const NEWEST = [10, REPORTED_WITHIN];

/** Newest values of some counters of a source: searched together, as a source has tens of limits. */
class NewestValues {
  readonly #store: Store;
  readonly #source: number;
  readonly #found = new Map<string, number | undefined>();
  #names: readonly string[];
  #ranges = NEWEST;

  constructor(store: Store, sourceId: number, names: readonly string[]) {
    this.#store = store;
    this.#source = sourceId;
    this.#names = names;
  }

  /** Undefined if it is none of them, or has no value. */
  of(name: string): number | undefined {
    while (!this.#found.has(name) && this.#names.includes(name)) this.#searchFurther();
    return this.#found.get(name);
  }

  /** Searches all that are not found yet, further back than before; finally in all samples. */
  #searchFurther(): void {
    const [rows, ...rest] = this.#ranges;
    this.#ranges = rest;
    const { monitored } = this.#store;
    const first = rows === undefined ? 0 : monitored.extent(this.#source).samples - rows;
    const { columns } = monitored.since(this.#source, this.#names, first);
    for (const name of this.#names) {
      const newest = columns.get(name)?.findLast((value) => !Number.isNaN(value));
      if (newest !== undefined || rows === undefined) this.#found.set(name, newest);
    }
    this.#names = this.#names.filter((name) => !this.#found.has(name));
  }
}

/** Gaps of a source, by its own clock, and the mean cost of reading it. */
interface SoFar {
  readonly gaps: readonly { from: number; to: number }[];
  /** In the unit of its series; undefined if unknown. */
  readonly cost: number | undefined;
}

interface Kept {
  /** Samples included, and their number at the last complete pass. */
  samples: number;
  whole: number;
  gaps: { from: number; to: number }[];
  sum: number;
  known: number;
}

/** The usual interval of a source is determined again each time its samples have grown by this factor. */
const REBUILD_FACTOR = 2;
const kept = new WeakMap<Store, Map<number, Kept>>();

/** A page that watches a session of hours asks for it repeatedly: only new samples are read. */
export function watchedSoFar(store: Store, sourceId: number, samples: number, cost: ReadSeries | undefined): SoFar {
  const ofStore = kept.get(store) ?? new Map<number, Kept>();
  kept.set(store, ofStore);
  const known = ofStore.get(sourceId);
  const continues = known !== undefined && known.samples <= samples && samples < REBUILD_FACTOR * known.whole;
  const now = continues ? known : { samples: 0, whole: samples, gaps: [], sum: 0, known: 0 };
  if (now.samples < samples) add(store, sourceId, now, cost);
  ofStore.set(sourceId, now);
  return { gaps: now.gaps, cost: now.known > 0 ? now.sum / now.known : undefined };
}

/** Enough samples to find the usual interval of a source: with two, any interval would be usual. */
const BEFORE = 500;

function add(store: Store, sourceId: number, now: Kept, cost: ReadSeries | undefined): void {
  const counters = cost ? countersOf(cost.reading) : [];
  const first = Math.max(0, now.samples - BEFORE);
  const { t, columns, damaged } = store.monitored.since(sourceId, counters, first);
  const fresh = now.samples - first;
  const last = fresh > 0 ? (t[fresh - 1] ?? 0) : Number.NEGATIVE_INFINITY;
  now.gaps.push(...gapsOf(t).filter(({ from }) => from >= last));
  if (cost) {
    const values = derive(cost.reading, t, columns);
    takeOutDamaged(cost.reading, values, damaged);
    for (const value of values.subarray(fresh)) {
      if (Number.isNaN(value)) continue;
      now.sum += value;
      now.known += 1;
    }
  }
  now.samples = first + t.length;
}
