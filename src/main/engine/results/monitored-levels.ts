import { countersOf, derive, type ReadSeries } from '../../../shared/monitoring/index.ts';
import type { Stamp, Store, Summary } from '../store/store.ts';
import {
  coarser,
  type Level,
  type LevelRange,
  type LevelTimes,
  levelOf,
  middlesOf,
  rangeOf,
  timesOf,
} from './levels.ts';

/** Raised with each change of what is kept, or of how a series is worked out from its counters. */
const LEVELS = 2;

export interface LevelAsked {
  /** By the clock of the source, seconds; absent: all. */
  readonly from?: number;
  readonly to?: number;
  readonly points: number;
}

/** A series in stretches: times by the clock of the source. */
export interface LevelValues {
  readonly t: Float64Array;
  readonly v: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/**
 * Hours of a source in stretches, for one answer. They are kept of a source that is sealed; else worked out each time, by the same way. Summaries
 * are handed to `made`.
 */
export class MonitoredLevels {
  readonly #store: Store;
  readonly #source: number;
  readonly #made: (summary: Summary) => void;
  readonly #stamps = new Map<string, Stamp | undefined>();
  #times: Float64Array | undefined;
  /** Several series read the same counter. */
  readonly #columns = new Map<string, Float64Array>();

  constructor(store: Store, sourceId: number, made: (summary: Summary) => void) {
    this.#store = store;
    this.#source = sourceId;
    this.#made = made;
  }

  /** These series, or undefined where so little is asked for that the samples themselves answer. */
  of(read: readonly ReadSeries[], asked: LevelAsked): LevelValues[] | undefined {
    const times = this.#kept<LevelTimes>(['times'], [], () => timesOf(this.#allTimes()));
    const range = rangeOf(times, asked, asked.points);
    if (!range) return undefined;
    const t = middlesOf(times, range);
    return read.map((each) => this.#seriesOf(each, range, t));
  }

  #seriesOf({ reading }: ReadSeries, { first, end, each }: LevelRange, t: Float64Array): LevelValues {
    const counters = [...new Set(countersOf(reading))];
    const level = this.#kept<Level>(['level', reading], counters, () =>
      levelOf(derive(reading, this.#allTimes(), this.#columnsOf(counters))),
    );
    const { mean: v, low, high } = coarser(level, each, first, end);
    return { t, v, low, high };
  }

  #allTimes(): Float64Array {
    this.#times ??= this.#store.monitored.columns(this.#source, []).t;
    return this.#times;
  }

  #columnsOf(counters: readonly string[]): ReadonlyMap<string, Float64Array> {
    const missing = counters.filter((counter) => !this.#columns.has(counter));
    if (missing.length > 0)
      for (const [name, column] of this.#store.monitored.columns(this.#source, missing).columns)
        this.#columns.set(name, column);
    return this.#columns;
  }

  #kept<T>(what: readonly unknown[], counters: readonly string[], work: () => T): T {
    const stamps = ['', ...counters].map((counter) => this.#stampOf(counter));
    const feed = stamps[0]?.feed;
    if (feed === undefined || stamps.some((stamp) => !stamp)) return work();
    const place = {
      feed,
      key: JSON.stringify([LEVELS, ...what]),
      stamp: stamps.map((stamp) => stamp?.stamp).join(' '),
    };
    const known = this.#store.summaries.find(place);
    if (known !== undefined) return known as T;
    const value = work();
    this.#made({ ...place, value });
    return value;
  }

  /** Of the times alone, where no counter is named. */
  #stampOf(counter: string): Stamp | undefined {
    if (!this.#stamps.has(counter))
      this.#stamps.set(
        counter,
        this.#store.summaries.stamp({ sources: [this.#source], metrics: counter === '' ? [] : [counter] }),
      );
    return this.#stamps.get(counter);
  }
}
