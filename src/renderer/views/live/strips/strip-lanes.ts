import { groupsOf, type LaneGroup, type MonitoredLane } from '../../../../shared/chart-models/index.ts';
import type { MonitoredSource } from '../../../../shared/model/monitored.ts';

/** Of hosts: whether a processor, a disk or a card is at its limit. */
const LANES: readonly MonitoredLane['lane'][] = ['cpu', 'disk', 'network'];
const DISK_UNITS = ['%', 'MiB/s'];
const MEANINGS = ['running', 'lock-waiters', 'statements', 'transactions'] as const;

const means = (source: MonitoredSource, lane: MonitoredLane): boolean => {
  const known = new Set(lane.series.map(({ id }) => id));
  return source.series.some((series) => known.has(series.id) && MEANINGS.some((word) => word === series.means));
};

/** Of hosts processors, disks and cards, of servers what they do now: the few series that the stream brings and that are worth a strip. */
export const stripGroups = (sources: readonly MonitoredSource[]): LaneGroup[] =>
  groupsOf(sources.map((source) => ({ ...source, series: source.series.filter(({ main }) => main) })))
    .map((group) => ({
      ...group,
      lanes: group.lanes.filter((lane) =>
        group.source.kind === 'host'
          ? LANES.includes(lane.lane) && (lane.lane !== 'disk' || DISK_UNITS.includes(lane.unit))
          : group.source.kind !== 'server' || means(group.source, lane),
      ),
    }))
    .filter(({ lanes }) => lanes.length > 0);
