import type { LaneMark } from '../../../shared/chart-models/index.ts';
import type { RunWindow } from '../../../shared/model/monitored.ts';
import type { EventKind, TimelineEvent } from '../../../shared/model/session.ts';
import { momentOf } from '../../../shared/monitoring/index.ts';

/** Kinds of events that stand above the lanes. That a warm-up ended is seen where it is drawn. */
export const LANE_EVENTS = ['note', 'alert', 'checkpoint', 'scenario', 'state'] as const satisfies readonly EventKind[];

/** An event on the axis; none where it is of a kind that does not stand there. */
export function markOf(event: TimelineEvent, byRun: ReadonlyMap<number, RunWindow>, zero: number): LaneMark[] {
  const kind = LANE_EVENTS.find((each) => each === event.kind);
  // Of states those of the session: a trial has a place of its own.
  if (!kind || (kind === 'state' && event.runId !== undefined)) return [];
  const window = event.runId === undefined ? undefined : byRun.get(event.runId);
  const at = window && event.t !== undefined ? momentOf(window, event.t) : event.at;
  return [{ at: (at - zero) / 1000, kind, label: event.message }];
}
