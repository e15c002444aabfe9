import { type LaneGroup, withRunLimits } from '../../../shared/chart-models/index.ts';
import type { MonitoredLimits, RunWindow } from '../../../shared/model/monitored.ts';

/** Lanes with the limits that each run had. `zero`: epoch milliseconds of second 0 of the axis. */
export const withLimits = (
  groups: readonly LaneGroup[],
  limits: readonly MonitoredLimits[],
  windows: readonly RunWindow[],
  zero: number,
): LaneGroup[] =>
  groups.map((group) => ({
    ...group,
    lanes: group.lanes.map((lane) => withRunLimits(lane, limits, windows, zero)),
  }));
