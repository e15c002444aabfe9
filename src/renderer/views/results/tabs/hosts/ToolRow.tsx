import { useMemo } from 'react';
import type { LaneHead, LaneScene, LaneTrial, Span } from '../../../../../shared/chart-models/index.ts';
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

/** Values of a lane: as many seconds are asked for as they are, more are thinned. */
const MOST_VALUES = 20_000;
const LEAST_POINTS = 10;
const MOST_RUNS = 500;

/** Call for a metric of the runs that are seen, and their neighbours. */
export function toolQuery(metric: string, trials: readonly LaneTrial[], { from, to }: Span) {
  const around = (to - from) / 2;
  const seen = trials.filter((trial) => trial.to >= from - around && trial.from <= to + around).slice(0, MOST_RUNS);
  const seconds = seen.reduce((sum, trial) => sum + trial.to - trial.from, 0);
  return {
    runIds: seen.map(({ runId }) => runId),
    metrics: [metric],
    ...(seconds > MOST_VALUES && { points: Math.max(LEAST_POINTS, Math.floor(MOST_VALUES / 4 / seen.length)) }),
  };
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
