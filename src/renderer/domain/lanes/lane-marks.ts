import { type LaneGroup, type LaneMark, withRunLimits } from '../../../shared/chart-models/index.ts';
import type { MonitoredLimits, MonitoredSource, RunWindow } from '../../../shared/model/monitored.ts';
import { shortEvent } from '../../../shared/model/scenario.ts';
import type { EventKind, TimelineEvent } from '../../../shared/model/session.ts';
import { momentOf } from '../../../shared/monitoring/index.ts';
import { formatCount, formatDuration, formatFigure } from '../../../shared/util/format.ts';

/** Kinds of events shown above the lanes. The end of a warm-up is already drawn in the lanes. */
export const LANE_EVENTS = [
  'note',
  'alert',
  'checkpoint',
  'scenario',
  'mark',
  'state',
] as const satisfies readonly EventKind[];

/** An event as a mark on the axis; empty if its kind is not shown there. */
export function markOf(event: TimelineEvent, byRun: ReadonlyMap<number, RunWindow>, zero: number): LaneMark[] {
  const kind = LANE_EVENTS.find((each) => each === event.kind);
  // Only states of the session: trials have their own row.
  if (!kind || (kind === 'state' && event.runId !== undefined)) return [];
  const window = event.runId === undefined ? undefined : byRun.get(event.runId);
  const at = window && event.t !== undefined ? momentOf(window, event.t) : event.at;
  const short = kind === 'scenario' ? shortEvent(event.message) : undefined;
  return [{ at: (at - zero) / 1000, kind, label: event.message, ...(short !== undefined && { short }) }];
}

/** Lanes with the limits of each run. `zero`: epoch milliseconds of second 0 of the axis. */
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

const ROLE_WORDS = { generator: 'generator', proxy: 'proxy’s host', server: 'server’s host', other: 'host' } as const;
const KIND_WORDS = { host: 'host', server: 'server', own: 'custom series' } as const;

/** `db1, server’s host`. */
export function sourceName({ kind, name, roles }: Pick<MonitoredSource, 'kind' | 'name' | 'roles'>): string {
  const what =
    kind === 'host' && roles.length > 0 ? roles.map((role) => ROLE_WORDS[role]).join(' and ') : KIND_WORDS[kind];
  return `${name}, ${what}`;
}

/** Notes on how a server is read, the uncertainty of its clock, the cost of monitoring it, and missing samples. */
export function sourceNotes({ kind, host, clockErrorMs, costPercent, gaps, samples }: MonitoredSource): string[] {
  const missing = gaps.reduce((sum, { from, to }) => sum + (to - from) / 1000, 0);
  const way = host === undefined ? 'read over Kneepoint’s own connection' : `read on ${host} by the server’s client`;
  return [
    ...(kind === 'server' ? [way] : []),
    ...(clockErrorMs === undefined ? [] : [`clock ±${formatDuration(clockErrorMs / 1000)}`]),
    ...(costPercent === undefined ? [] : [`monitoring used ${formatFigure(costPercent, 2)} % of one core`]),
    ...(gaps.length === 0 ? [] : [`${formatCount(gaps.length, 'gap')}, ${formatDuration(missing)} in all`]),
    ...(samples === 0 ? ['no samples'] : []),
  ];
}
