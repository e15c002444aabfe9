import { countersOf, type ReadSeries } from '../../../shared/monitoring/index.ts';
import type { Stamp, Store, Summary } from '../store/store.ts';
import { CounterColumns } from './counter-columns.ts';

/**
 * Rows of a stretch of the finest stored level. Ten hours at one per second are 1,125 stretches: as many as a line has pixels. A closer view is read
 * from the samples.
 */
export const LEVEL_ROWS = 32;

/** For each stretch of rows: the number of known values, their mean, the smallest and the largest; NaN if there are none. */
export interface Level {
  readonly known: Float64Array;
  readonly mean: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
}

const emptyLevel = (count: number): Level => ({
  known: new Float64Array(count),
  mean: new Float64Array(count).fill(Number.NaN),
  low: new Float64Array(count).fill(Number.NaN),
  high: new Float64Array(count).fill(Number.NaN),
});

/**
 * The finest level of a series, `rows` values per stretch, whatever the times between them. Its figures have the seven digits of a 32-bit float: they
 * are drawn, and take half the space.
 */
export function levelOf(v: Float64Array, rows: number = LEVEL_ROWS): Level {
  const level = emptyLevel(Math.ceil(v.length / rows));
  for (let segment = 0; segment < level.known.length; segment += 1) {
    let [sum, known, low, high] = [0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    const end = Math.min(v.length, (segment + 1) * rows);
    for (let index = segment * rows; index < end; index += 1) {
      const value = v[index] as number;
      if (Number.isNaN(value)) continue;
      sum += value;
      known += 1;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    if (known > 0) put(level, segment, { known, mean: sum / known, low, high });
  }
  return level;
}

/** Combines `each` stretches of a level, from stretch `first` up to but excluding `end`. */
export function coarser(level: Level, each: number, first = 0, end = level.known.length): Level {
  const result = emptyLevel(Math.ceil(Math.max(0, end - first) / each));
  for (let segment = 0; segment < result.known.length; segment += 1) {
    let [sum, known, low, high] = [0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    const last = Math.min(end, first + (segment + 1) * each);
    for (let index = first + segment * each; index < last; index += 1) {
      const count = level.known[index] as number;
      if (count === 0) continue;
      sum += (level.mean[index] as number) * count;
      known += count;
      low = Math.min(low, level.low[index] as number);
      high = Math.max(high, level.high[index] as number);
    }
    if (known > 0) put(result, segment, { known, mean: sum / known, low, high });
  }
  return result;
}

function put(level: Level, at: number, figures: { known: number; mean: number; low: number; high: number }): void {
  level.known[at] = figures.known;
  level.mean[at] = Math.fround(figures.mean);
  level.low[at] = Math.fround(figures.low);
  level.high[at] = Math.fround(figures.high);
}

/** First and last time of each stretch of a level. */
export interface LevelTimes {
  readonly from: Float64Array;
  readonly to: Float64Array;
}

export function timesOf(t: Float64Array, rows: number = LEVEL_ROWS): LevelTimes {
  const count = Math.ceil(t.length / rows);
  const at = (row: number): number => t[Math.min(t.length - 1, row)] as number;
  return {
    from: Float64Array.from({ length: count }, (_, segment) => at(segment * rows)),
    to: Float64Array.from({ length: count }, (_, segment) => at((segment + 1) * rows - 1)),
  };
}

/** Stretches that answer a query, `each` of them combined. */
export interface LevelRange {
  readonly first: number;
  readonly end: number;
  readonly each: number;
}

/**
 * The stretches between two times, combined to about `points`; those at the edges extend beyond them. Undefined if they are too coarse for that: such
 * a close view is read from the samples.
 */
export function rangeOf(
  { from, to }: LevelTimes,
  { from: since = Number.NEGATIVE_INFINITY, to: until = Number.POSITIVE_INFINITY }: { from?: number; to?: number },
  points: number,
): LevelRange | undefined {
  const first = to.findIndex((second) => second >= since);
  const behind = from.findIndex((second) => second > until);
  const end = behind < 0 ? from.length : behind;
  const rows = first < 0 ? 0 : (end - first) * LEVEL_ROWS;
  const each = Math.ceil(rows / points);
  return each < LEVEL_ROWS ? undefined : { first, end, each: Math.max(1, Math.round(each / LEVEL_ROWS)) };
}

/** Middle of each stretch of a range. */
export const middlesOf = ({ from, to }: LevelTimes, { first, end, each }: LevelRange): Float64Array =>
  Float64Array.from({ length: Math.ceil((end - first) / each) }, (_, segment) => {
    const start = first + segment * each;
    return ((from[start] as number) + (to[Math.min(end, start + each) - 1] as number)) / 2;
  });

/** Raised with each change of the stored format, or of how a series is calculated from its counters. */
const LEVELS = 2;

/** Stamps are made from the blocks themselves: for this many counters of ten hours that takes some milliseconds. */
const STAMPS_AT_ONCE = 20;

type SummaryPlace = Omit<Summary, 'value'>;

const distinctCounters = (reading: ReadSeries['reading']): string[] => [...new Set(countersOf(reading))];

/** Used in place of a counter: the times alone. */
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
 * Hours of a source in stretches, for one answer. They are stored for a sealed source; otherwise calculated each time, in the same way. New summaries
 * are passed to `made`.
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

  /** Returns these series. Undefined if the query is so small that it is answered from the samples. */
  of(read: readonly ReadSeries[], asked: LevelAsked): LevelValues[] | undefined {
    const times = this.#levelTimes();
    const range = rangeOf(times, asked, asked.points);
    if (!range) return undefined;
    const t = middlesOf(times, range);
    this.#take(read.flatMap(({ reading }) => countersOf(reading)));
    return read.map((each) => this.#seriesOf(each, range, t));
  }

  /** As `CounterColumns.damagedOf`: summaries cover whole samples. */
  damagedOf({ reading }: ReadSeries): number {
    return this.#counters.damagedOf(reading);
  }

  /** Calculates the summary of a series, if it is not stored yet: in steps, as a series of many instances takes seconds. */
  *calculating({ reading }: ReadSeries): Generator<void> {
    this.#levelTimes();
    const counters = distinctCounters(reading);
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
    return this.#kept<Level>(['level', reading], distinctCounters(reading), () =>
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

  /** Place of a stored summary. Undefined if it cannot be stored, as more samples may come. */
  #placeOf(what: readonly unknown[], counters: readonly string[]): SummaryPlace | undefined {
    this.#take(counters);
    const stamps = [TIMES, ...counters].map((counter) => this.#stamps.get(counter));
    const feed = stamps[0]?.feed;
    if (feed === undefined || stamps.some((stamp) => !stamp)) return undefined;
    return { feed, key: JSON.stringify([LEVELS, ...what]), stamp: stamps.map((stamp) => stamp?.stamp).join(' ') };
  }

  /** Reads the stamps of several counters together, as the times are then read once for all. */
  #take(counters: readonly string[]): void {
    const missing = [...new Set([TIMES, ...counters])].filter((counter) => !this.#stamps.has(counter));
    if (missing.length === 0) return;
    const metrics = missing.map((counter) => (counter === TIMES ? [] : [counter]));
    const stamps = this.#store.summaries.stamps({ sources: [this.#source], metrics });
    for (const [index, counter] of missing.entries()) this.#stamps.set(counter, stamps[index]);
  }
}
