import type { DamagedSamples, Reading } from '../../../shared/model/monitored.ts';
import { countersOf, deriving, drained, takeOutDamaged } from '../../../shared/monitoring/index.ts';
import type { Store } from '../store/store.ts';

/** Values of counters that are held at once, 32 MB. Ten hours of all cores of a large host would take ten times as much. */
const MOST_VALUES = 4_000_000;

type Columns = ReadonlyMap<string, Float64Array>;

/** Series of a source for one answer, from its stored counters. Several series read the same counters, so the most recently read ones are held. */
export class CounterColumns {
  readonly #store: Store;
  readonly #source: number;
  readonly #range: { from?: number; to?: number };
  /** The most recently used one is last. */
  readonly #held = new Map<string, Float64Array>();
  #times: Float64Array | undefined;
  readonly #damaged = new Map<string, DamagedSamples>();

  constructor(store: Store, sourceId: number, range: { from?: number; to?: number } = {}) {
    this.#store = store;
    this.#source = sourceId;
    this.#range = range;
  }

  /** Times of the samples, by the clock of the source. */
  get t(): Float64Array {
    if (!this.#times) this.#read([]);
    return this.#times ?? new Float64Array();
  }

  /** Reads the counters of these series together if they fit: that is faster than one after the other. `samples`: their number, if known. */
  expect(readings: readonly Reading[], samples = this.t.length): void {
    const names = new Set(readings.flatMap((reading) => (reading.kind === 'highest' ? [] : countersOf(reading))));
    if (names.size * samples <= MOST_VALUES) this.#take([...names]);
  }

  valuesOf(reading: Reading): Float64Array {
    return drained(this.working(reading));
  }

  /** Number of values of a series that are missing because stored samples are damaged, as far as it was read. */
  damagedOf(reading: Reading): number {
    return takeOutDamaged(reading, new Float64Array(this.t.length), [...this.#damaged.values()]);
  }

  /** Like `valuesOf`, in steps if a value combines many instances. */
  *working(reading: Reading): Generator<void, Float64Array> {
    // Counters of many instances are not held: each is needed once.
    const values = yield* deriving(reading, this.t, (names) =>
      reading.kind === 'highest' ? this.#read(names) : this.#take(names),
    );
    takeOutDamaged(reading, values, [...this.#damaged.values()]);
    return values;
  }

  #read(names: readonly string[]): Columns {
    const { t, columns, damaged } = this.#store.monitored.columns(this.#source, [...new Set(names)], this.#range);
    for (const each of damaged) this.#damaged.set(`${each.name ?? ''} ${each.first}`, each);
    this.#times ??= t;
    return columns;
  }

  #take(names: readonly string[]): Columns {
    const missing = names.filter((name) => !this.#held.has(name));
    const found = missing.length > 0 ? this.#read(missing) : undefined;
    const columns = new Map(names.flatMap((name) => this.#entry(name, found)));
    for (const [name, column] of columns) {
      this.#held.delete(name);
      this.#held.set(name, column);
    }
    for (const name of this.#held.keys()) {
      if (this.#held.size * this.t.length <= MOST_VALUES || columns.has(name)) break;
      this.#held.delete(name);
    }
    return columns;
  }

  #entry(name: string, found: Columns | undefined): [string, Float64Array][] {
    const column = this.#held.get(name) ?? found?.get(name);
    return column ? [[name, column]] : [];
  }
}
