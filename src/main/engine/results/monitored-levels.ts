import { countersOf, type ReadSeries } from '../../../shared/monitoring/index.ts';
import type { Stamp, Store, Summary } from '../store/store.ts';
import { CounterColumns } from './counter-columns.ts';
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

/** Stamps are made from the blocks themselves: of so many counters of ten hours in some milliseconds. */
const STAMPS_AT_ONCE = 20;

type SummaryPlace = Omit<Summary, 'value'>;

const countersOnce = (reading: ReadSeries['reading']): string[] => [...new Set(countersOf(reading))];

/** In place of a counter: the times alone. */
const TIMES = '';

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
  readonly #counters: CounterColumns;

  constructor(store: Store, sourceId: number, made: (summary: Summary) => void) {
    this.#store = store;
    this.#source = sourceId;
    this.#made = made;
    this.#counters = new CounterColumns(store, sourceId);
  }

  /** These series, or undefined where so little is asked for that the samples themselves answer. */
  of(read: readonly ReadSeries[], asked: LevelAsked): LevelValues[] | undefined {
    const times = this.#levelTimes();
    const range = rangeOf(times, asked, asked.points);
    if (!range) return undefined;
    const t = middlesOf(times, range);
    this.#take(read.flatMap(({ reading }) => countersOf(reading)));
    return read.map((each) => this.#seriesOf(each, range, t));
  }

  /** As that of `CounterColumns`: what is kept is of whole samples. */
  damagedOf({ reading }: ReadSeries): number {
    return this.#counters.damagedOf(reading);
  }

  /** Works out what is kept of a series, where it is not kept yet: in steps, as one of many instances takes seconds. */
  *workingOut({ reading }: ReadSeries): Generator<void> {
    this.#levelTimes();
    const counters = countersOnce(reading);
    for (let at = 0; at < counters.length; at += STAMPS_AT_ONCE) {
      this.#take(counters.slice(at, at + STAMPS_AT_ONCE));
      yield;
    }
    const place = this.#placeOf(['level', reading], counters);
    if (!place || this.#store.summaries.find(place) !== undefined) return;
    this.#made({ ...place, value: levelOf(yield* this.#counters.working(reading)) });
  }

  #levelTimes(): LevelTimes {
    return this.#kept<LevelTimes>(['times'], [], () => timesOf(this.#counters.t));
  }

  #seriesOf(read: ReadSeries, { first, end, each }: LevelRange, t: Float64Array): LevelValues {
    const { mean: v, low, high } = coarser(this.#levelOf(read), each, first, end);
    return { t, v, low, high };
  }

  #levelOf({ reading }: ReadSeries): Level {
    return this.#kept<Level>(['level', reading], countersOnce(reading), () =>
      levelOf(this.#counters.valuesOf(reading)),
    );
  }

  #kept<T>(what: readonly unknown[], counters: readonly string[], work: () => T): T {
    const place = this.#placeOf(what, counters);
    if (!place) return work();
    const known = this.#store.summaries.find(place);
    if (known !== undefined) return known as T;
    const value = work();
    this.#made({ ...place, value });
    return value;
  }

  /** Where it is kept; undefined: it cannot be, as more samples may come. */
  #placeOf(what: readonly unknown[], counters: readonly string[]): SummaryPlace | undefined {
    this.#take(counters);
    const stamps = [TIMES, ...counters].map((counter) => this.#stamps.get(counter));
    const feed = stamps[0]?.feed;
    if (feed === undefined || stamps.some((stamp) => !stamp)) return undefined;
    return { feed, key: JSON.stringify([LEVELS, ...what]), stamp: stamps.map((stamp) => stamp?.stamp).join(' ') };
  }

  /** Takes the stamps of counters: of several together, as the times are read for all of them then. */
  #take(counters: readonly string[]): void {
    const missing = [...new Set([TIMES, ...counters])].filter((counter) => !this.#stamps.has(counter));
    if (missing.length === 0) return;
    const metrics = missing.map((counter) => (counter === TIMES ? [] : [counter]));
    const stamps = this.#store.summaries.stamps({ sources: [this.#source], metrics });
    for (const [index, counter] of missing.entries()) this.#stamps.set(counter, stamps[index]);
  }
}
