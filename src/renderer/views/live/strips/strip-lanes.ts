import { groupsOf, type LaneGroup, type MonitoredLane } from '../../../../shared/chart-models/index.ts';
import type { MonitoredChoice, MonitoredSource } from '../../../../shared/model/monitored.ts';

/** Of hosts: whether a processor, a disk or a card is at its limit. */
const LANES: readonly MonitoredLane['lane'][] = ['cpu', 'disk', 'network'];
const DISK_UNITS = ['%', 'MiB/s'];
const MEANINGS = ['running', 'lock-waiters', 'statements', 'transactions'] as const;

const means = (source: MonitoredSource, lane: MonitoredLane): boolean => {
  const known = new Set(lane.series.map(({ id }) => id));
  return source.series.some((series) => known.has(series.id) && MEANINGS.some((word) => word === series.means));
};

/** The few that are worth a strip while a trial runs. A heat map takes a series of each core, and is there when it is chosen. */
function isStrip(source: MonitoredSource, lane: MonitoredLane): boolean {
  if (!lane.isMain || lane.shape === 'heat') return false;
  if (source.kind === 'host')
    return LANES.includes(lane.lane) && (lane.lane !== 'disk' || DISK_UNITS.includes(lane.unit));
  return source.kind !== 'server' || means(source, lane);
}

/** Every lane of what is watched; at first processors, disks and cards of hosts are shown, and what servers do now. */
export const stripGroups = (sources: readonly MonitoredSource[]): LaneGroup[] =>
  groupsOf(sources).map((group) => ({
    ...group,
    lanes: group.lanes.map((lane) => ({ ...lane, isMain: isStrip(group.source, lane) })),
  }));

/** Series of a source that are asked for in one part. */
const MOST_IDS = 500;

/** What has to be sent for the lanes that are shown and not collapsed. */
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
