import { heightOf, type LaneHead } from '../../../shared/chart-models/index.ts';

/** Lanes of a host, a server or the tool, one below the other. */
export interface ShownGroup {
  id: string;
  name: string;
  /** Uncertainty of its clock, cost of monitoring it, and problems. */
  notes: readonly string[];
  problem?: string | undefined;
  lanes: readonly LaneHead[];
}

/** A row at a height: the head of a group, or a lane. */
export type Row =
  | { kind: 'group'; key: string; group: ShownGroup; top: number; height: number }
  | { kind: 'lane'; key: string; lane: LaneHead; group: ShownGroup; top: number; height: number };

const GROUP_HEIGHT = 32;
/** Space above and below a lane's picture, and its line. */
const LANE_ROOM = 9;

export function rowsOf(groups: readonly ShownGroup[], collapsed: ReadonlySet<string>): { rows: Row[]; height: number } {
  const rows: Row[] = [];
  let top = 0;
  for (const group of groups) {
    rows.push({ kind: 'group', key: group.id, group, top, height: GROUP_HEIGHT });
    top += GROUP_HEIGHT;
    if (collapsed.has(group.id)) continue;
    for (const lane of group.lanes) {
      const height = heightOf(lane) + LANE_ROOM;
      rows.push({ kind: 'lane', key: lane.id, lane, group, top, height });
      top += height;
    }
  }
  return { rows, height: top };
}

/** Rows that are visible between two heights. */
export const rowsBetween = (rows: readonly Row[], from: number, to: number): Row[] =>
  rows.filter(({ top, height }) => top + height > from && top < to);
