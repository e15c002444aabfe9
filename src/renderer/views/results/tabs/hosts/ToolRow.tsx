import { useMemo } from 'react';
import type { LaneHead, LaneScene, LaneTrial, Span } from '../../../../../shared/chart-models/index.ts';
import { lanePoints, MOST_LANE_RUNS } from '../../../../../shared/metrics/first-look.ts';
import type { RunWindow } from '../../../../../shared/model/monitored.ts';
import { LaneRow, type LaneWindow, useSettledView } from '../../../../charts/index.ts';
import { useCall } from '../../../../client/index.ts';
import { toolLines } from '../../../../domain/lanes/index.ts';

interface ToolRowProperties {
  lane: LaneHead;
  metric: string;
  shared: LaneWindow;
  scene: LaneScene;
  windows: readonly RunWindow[];
  /** Epoch milliseconds of second 0 of the axis. */
  zero: number;
}

/** Call for a metric of the runs that are seen, and their neighbours. */
export function toolQuery(metric: string, trials: readonly LaneTrial[], { from, to }: Span) {
  const around = (to - from) / 2;
  const seen = trials
    .filter((trial) => trial.to >= from - around && trial.from <= to + around)
    .slice(0, MOST_LANE_RUNS);
  const seconds = seen.reduce((sum, trial) => sum + trial.to - trial.from, 0);
  const points = lanePoints(seen.length, seconds);
  return { runIds: seen.map(({ runId }) => runId), metrics: [metric], ...(points !== undefined && { points }) };
}

/** A lane of the tool, with its values of what is seen. */
export function ToolRow({ lane, metric, shared, scene, windows, zero }: ToolRowProperties) {
  const view = useSettledView(shared);
  const query = toolQuery(metric, scene.trials, view);
  const { data, error } = useCall('results.series', query, {
    enabled: query.runIds.length > 0,
    placeholderData: (before) => before,
  });
  const lines = useMemo(() => data && toolLines(data, windows, zero), [data, windows, zero]);
  return <LaneRow {...{ lane, lines, scene }} problem={error?.problem.message} />;
}
