import type { MonitoredChoice, MonitoredValues } from '../../../shared/model/monitored.ts';
import {
  countersOf,
  derive,
  type ReadSeries,
  takeOutDamaged,
  toHostTime,
  toLocalTimes,
} from '../../../shared/monitoring/index.ts';
import type { Source, Store } from '../store/store.ts';
import { type RulesOf, readSeries } from './series.ts';

/** The part of a source that a page has received. */
interface SentPart {
  /** Samples of it, from the first stored one on. */
  samples: number;
  /** Number of its counters. More counters mean more series. */
  counters: number;
  series: readonly ReadSeries[];
}

/** Series by source; undefined: the main series of every source. */
type WantedSeries = MonitoredChoice['wanted'] | undefined;

/**
 * Sends a page the series that it shows, and then their new values. The cost does not grow with the length of the session: only samples that the page
 * does not have are read.
 */
export class MonitoredUpdates {
  readonly #store: Store;
  readonly #sessionId: number;
  readonly #rulesOf: RulesOf;
  readonly #wanted: ReadonlyMap<number, ReadonlySet<string>> | undefined;
  readonly #sent = new Map<number, SentPart>();

  constructor(store: Store, sessionId: number, rulesOf: RulesOf, wanted?: WantedSeries) {
    this.#store = store;
    this.#sessionId = sessionId;
    this.#rulesOf = rulesOf;
    this.#wanted = wanted && bySource(wanted);
  }

  /** `since`: start for a source of which nothing was sent yet, epoch milliseconds of our clock. */
  next(since: number): MonitoredValues[] {
    return this.#store.sources
      .ofSession(this.#sessionId)
      .filter(({ id, kind }) => kind !== 'generator' && this.#wanted?.has(id) !== false)
      .flatMap((source) => this.#ofSource(source, since));
  }

  #ofSource(source: Source, since: number): MonitoredValues[] {
    const { monitored, sources } = this.#store;
    const sent = this.#sent.get(source.id);
    const clocks = sources.clocks(source.id);
    const first = sent?.samples ?? monitored.before(source.id, toHostTime(clocks, since));
    const counters = monitored.names(source.id).length;
    const series = sent?.counters === counters ? sent.series : this.#shown(source);
    // Includes the sample before, from which growth is counted.
    const skip = Math.min(first, 1);
    const names = [...new Set(series.flatMap(({ reading }) => countersOf(reading)))];
    const { t, columns, damaged } = monitored.since(source.id, names, first - skip);
    const fresh = Math.max(0, t.length - skip);
    this.#sent.set(source.id, { samples: first + fresh, counters, series });
    if (fresh === 0) return [];
    const times = toLocalTimes(clocks, t).subarray(skip);
    return series.map(({ series: { id }, reading }) => {
      const values = derive(reading, t, columns);
      takeOutDamaged(reading, values, damaged);
      return { sourceId: source.id, id, t: times, v: values.subarray(skip) };
    });
  }

  #shown(source: Source): ReadSeries[] {
    const wanted = this.#wanted?.get(source.id);
    return readSeries(this.#store, source, this.#rulesOf).filter(({ series }) =>
      wanted ? wanted.has(series.id) : series.main,
    );
  }
}

/** A source with many series may have several parts. */
function bySource(wanted: NonNullable<WantedSeries>): ReadonlyMap<number, ReadonlySet<string>> {
  const found = new Map<number, Set<string>>();
  for (const { sourceId, ids } of wanted) {
    const known = found.get(sourceId) ?? new Set();
    for (const id of ids) known.add(id);
    found.set(sourceId, known);
  }
  return found;
}
