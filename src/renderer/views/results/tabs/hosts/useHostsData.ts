import { useMemo } from 'react';
import { groupsOf, painterOf } from '../../../../../shared/chart-models/index.ts';
import type { MonitoredLimits, MonitoredSource, RunWindow } from '../../../../../shared/model/monitored.ts';
import type { StepResult } from '../../../../../shared/model/result.ts';
import type { Run, TimelineEvent } from '../../../../../shared/model/session.ts';
import { useCall } from '../../../../client/index.ts';
import { LANE_EVENTS, withLimits } from '../../../../domain/lanes/lane-marks.ts';
import { axisOf, sceneOf } from './scene.ts';

const NO_SOURCES: readonly MonitoredSource[] = [];
const NO_WINDOWS: readonly RunWindow[] = [];
const NO_LIMITS: readonly MonitoredLimits[] = [];
const NO_RUNS: readonly Run[] = [];
const NO_EVENTS: readonly TimelineEvent[] = [];
const MOST_EVENTS = 2000;

/** Data for the lanes of a session, without their values. */
export function useHostsData(sessionId: number, result: Pick<StepResult, 'factors'>, warmup: number | undefined) {
  const sources = useCall('monitors.sources', { sessionId });
  const windows = useCall('monitors.windows', { sessionId });
  // Values come first: limits are added to existing lanes.
  const isPlaced = sources.data !== undefined && windows.data !== undefined;
  const limits = useCall('monitors.limits', { sessionId }, { enabled: isPlaced });
  const runs = useCall('sessions.runs', { id: sessionId });
  const events = useCall('sessions.events', { id: sessionId, kinds: [...LANE_EVENTS], limit: MOST_EVENTS });
  // Without them the lanes only lack marks of stalls and dips: the error is shown with the judgements.
  const judged = useCall('results.judgements', { sessionId, ...(warmup === undefined ? {} : { warmup }) });
  const { factors } = result;
  const known = useMemo(() => {
    const all = sources.data ?? NO_SOURCES;
    const axis = axisOf(all, windows.data ?? NO_WINDOWS);
    const zero = axis?.zero ?? 0;
    return {
      groups: withLimits(groupsOf(all), limits.data ?? NO_LIMITS, windows.data ?? NO_WINDOWS, zero),
      windows: windows.data ?? NO_WINDOWS,
      axis,
      scene: sceneOf(
        runs.data ?? NO_RUNS,
        windows.data ?? NO_WINDOWS,
        events.data ?? NO_EVENTS,
        painterOf(factors),
        zero,
        judged.data,
      ),
    };
  }, [sources.data, windows.data, limits.data, runs.data, events.data, judged.data, factors]);
  return {
    ...known,
    runs: runs.data ?? NO_RUNS,
    problem: (sources.error ?? windows.error ?? runs.error)?.problem,
    asked: isPlaced && runs.data !== undefined,
  };
}

export type HostsData = ReturnType<typeof useHostsData>;
