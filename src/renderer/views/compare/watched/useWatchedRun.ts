import { useMemo } from 'react';
import type { LaneMark } from '../../../../shared/chart-models/index.ts';
import type { MonitoredLimits, MonitoredSource, RunWindow } from '../../../../shared/model/monitored.ts';
import type { TimelineEvent } from '../../../../shared/model/session.ts';
import { useCall } from '../../../client/index.ts';
import { LANE_EVENTS, markOf } from '../../../domain/lanes/index.ts';
import type { WatchedSide } from './overlay-lanes.ts';

export interface RunOfSide {
  sessionId: number;
  runId: number;
}

/** A run that is laid over another one: `slot` is the colour of everything of its own. */
export interface WatchedRun extends RunOfSide, WatchedSide {
  name: string;
  slot: number;
  window: RunWindow | undefined;
  marks: readonly LaneMark[];
}

const NO_SOURCES: readonly MonitoredSource[] = [];
const NO_LIMITS: MonitoredLimits['limits'] = [];
const NO_EVENTS: readonly TimelineEvent[] = [];
const MOST_EVENTS = 1000;
/** Without states of the session: these are not part of the run. */
const MARKED = LANE_EVENTS.filter((kind) => kind !== 'state');

export function useWatchedRun({ sessionId, runId }: RunOfSide, name: string, slot: number): WatchedRun {
  const window = useCall('monitors.windows', { sessionId }).data?.find((each) => each.runId === runId);
  const sources = useCall('monitors.sources', { sessionId }).data ?? NO_SOURCES;
  const known = useCall('monitors.limits', { sessionId }, { enabled: window !== undefined }).data;
  const query = { id: sessionId, kinds: [...MARKED], runIds: [runId], limit: MOST_EVENTS };
  const events = useCall('sessions.events', query).data ?? NO_EVENTS;
  return useMemo(
    () => ({
      ...{ sessionId, runId, name, slot, window, sources },
      seconds: window ? (window.to - window.zero) / 1000 : 0,
      limits: known?.find((each) => each.runId === runId)?.limits ?? NO_LIMITS,
      marks: window ? marksIn(events, window, { name, slot }) : [],
    }),
    [sessionId, runId, name, slot, window, sources, known, events],
  );
}

/** Events of the run, in its own seconds. */
function marksIn(
  events: readonly TimelineEvent[],
  window: RunWindow,
  { name, slot }: Pick<WatchedRun, 'name' | 'slot'>,
): LaneMark[] {
  const windows = new Map([[window.runId, window]]);
  const length = (window.to - window.zero) / 1000;
  return events
    .filter(({ runId }) => runId === undefined || runId === window.runId)
    .flatMap((event) => markOf(event, windows, window.zero))
    .filter(({ at }) => at >= 0 && at <= length)
    .map((mark) => ({ ...mark, label: `${name}: ${mark.label}`, paint: { slot } }));
}
