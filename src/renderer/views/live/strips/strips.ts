import { groupsOf, type LaneGroup, type MonitoredLane } from '../../../../shared/chart-models/index.ts';
import type { MonitoredChoice, MonitoredSource, MonitoredValues } from '../../../../shared/model/monitored.ts';

/** Maximum stored values of a series: an hour. */
export const MOST_SECONDS = 3600;

const keyOf = ({ sourceId, id }: Pick<MonitoredValues, 'sourceId' | 'id'>): string => `${sourceId} ${id}`;

/** Values received from the stream of watched hosts and servers. Repeated values are stored once. */
export class StripStore {
  #values: ReadonlyMap<string, MonitoredValues> = new Map();
  #isNew = false;
  readonly #listeners = new Set<() => void>();

  readonly onChanged = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** A new object after each change. */
  readonly values = (): ReadonlyMap<string, MonitoredValues> => this.#values;

  of(sourceId: number, id: string): MonitoredValues | undefined {
    return this.#values.get(keyOf({ sourceId, id }));
  }

  /** The stream starts over: stored values are kept until then, so that nothing vanishes in between. */
  renew(): void {
    this.#isNew = true;
  }

  apply(updates: readonly MonitoredValues[]): void {
    const next = new Map(this.#isNew ? [] : this.#values);
    this.#isNew = false;
    for (const one of updates) next.set(keyOf(one), joined(next.get(keyOf(one)), one));
    this.#set(next);
  }

  #set(values: ReadonlyMap<string, MonitoredValues>): void {
    this.#values = values;
    for (const listener of this.#listeners) listener();
  }
}

/** The newer values replace the older ones from their first moment on. */
function joined(before: MonitoredValues | undefined, updates: MonitoredValues): MonitoredValues {
  const { sourceId, id } = updates;
  const from = updates.t[0];
  if (!before || from === undefined) return before ?? { sourceId, id, t: updates.t, v: updates.v };
  const known = before.t.findIndex((at) => at >= from);
  const head = known < 0 ? before.t.length : known;
  const skip = Math.max(0, head + updates.t.length - MOST_SECONDS);
  const join = (one: Float64Array, other: Float64Array): Float64Array => {
    const all = new Float64Array(head + other.length);
    all.set(one.subarray(0, head));
    all.set(other, head);
    return all.slice(skip);
  };
  return { sourceId, id, t: join(before.t, updates.t), v: join(before.v, updates.v) };
}

/** Shows for hosts whether a CPU, a disk or a network card is at its limit. */
const LANES: readonly MonitoredLane['lane'][] = ['cpu', 'disk', 'network'];
const DISK_UNITS = ['%', 'MiB/s'];
const MEANINGS = ['running', 'lock-waiters', 'statements', 'transactions'] as const;

const means = (source: MonitoredSource, lane: MonitoredLane): boolean => {
  const known = new Set(lane.series.map(({ id }) => id));
  return source.series.some((series) => known.has(series.id) && MEANINGS.some((word) => word === series.means));
};

/** The few series worth a strip while a trial runs. A heat map needs a series of each core, and is only shown when selected. */
function isStrip(source: MonitoredSource, lane: MonitoredLane): boolean {
  if (!lane.isMain || lane.shape === 'heat') return false;
  if (source.kind === 'host')
    return LANES.includes(lane.lane) && (lane.lane !== 'disk' || DISK_UNITS.includes(lane.unit));
  return source.kind !== 'server' || means(source, lane);
}

/** All lanes of the watched sources; by default CPUs, disks and network cards of hosts are shown, and current activity of servers. */
export const stripGroups = (sources: readonly MonitoredSource[]): LaneGroup[] =>
  groupsOf(sources).map((group) => ({
    ...group,
    lanes: group.lanes.map((lane) => ({ ...lane, isMain: isStrip(group.source, lane) })),
  }));

/** Maximum series of a source in one request. */
const MOST_IDS = 500;

/** Series required for the lanes that are shown and not collapsed. */
export function wantedSeries(
  groups: readonly LaneGroup[],
  shown: readonly { id: string; lanes: readonly { id: string }[] }[],
  collapsed: ReadonlySet<string>,
): MonitoredChoice['wanted'] {
  return groups.flatMap(({ id, source, lanes }) => {
    if (collapsed.has(id)) return [];
    const own = new Set(shown.find((group) => group.id === id)?.lanes.map((lane) => lane.id));
    const ids = [...new Set(lanes.flatMap((lane) => (own.has(lane.id) ? lane.series.map((each) => each.id) : [])))];
    return Array.from({ length: Math.ceil(ids.length / MOST_IDS) }, (_, part) => ({
      sourceId: source.id,
      ids: ids.slice(part * MOST_IDS, (part + 1) * MOST_IDS),
    }));
  });
}
