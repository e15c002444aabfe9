import type { MonitoredValues } from '../../../../shared/model/monitored.ts';

/** Newest values that are held of a series: an hour. */
export const HELD = 3600;

const keyOf = ({ sourceId, id }: Pick<MonitoredValues, 'sourceId' | 'id'>): string => `${sourceId} ${id}`;

/** What the stream of watched hosts and servers has told. What is told twice is held once. */
export class StripStore {
  #values: ReadonlyMap<string, MonitoredValues> = new Map();
  #isNew = false;
  readonly #listeners = new Set<() => void>();

  readonly onChanged = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Another object after each change. */
  readonly values = (): ReadonlyMap<string, MonitoredValues> => this.#values;

  of(sourceId: number, id: string): MonitoredValues | undefined {
    return this.#values.get(keyOf({ sourceId, id }));
  }

  /** What comes next is told from the start: what is held stays until then, so that nothing vanishes in between. */
  renew(): void {
    this.#isNew = true;
  }

  apply(news: readonly MonitoredValues[]): void {
    const next = new Map(this.#isNew ? [] : this.#values);
    this.#isNew = false;
    for (const one of news) next.set(keyOf(one), joined(next.get(keyOf(one)), one));
    this.#put(next);
  }

  #put(values: ReadonlyMap<string, MonitoredValues>): void {
    this.#values = values;
    for (const listener of this.#listeners) listener();
  }
}

/** The newer account wins from its first moment on. */
function joined(before: MonitoredValues | undefined, news: MonitoredValues): MonitoredValues {
  const { sourceId, id } = news;
  const from = news.t[0];
  if (!before || from === undefined) return before ?? { sourceId, id, t: news.t, v: news.v };
  const known = before.t.findIndex((at) => at >= from);
  const head = known < 0 ? before.t.length : known;
  const skip = Math.max(0, head + news.t.length - HELD);
  const join = (one: Float64Array, other: Float64Array): Float64Array => {
    const all = new Float64Array(head + other.length);
    all.set(one.subarray(0, head));
    all.set(other, head);
    return all.slice(skip);
  };
  return { sourceId, id, t: join(before.t, news.t), v: join(before.v, news.v) };
}
