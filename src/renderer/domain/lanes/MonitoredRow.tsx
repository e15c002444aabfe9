import { useMemo } from 'react';
import {
  gapsOnAxis,
  type LaneScene,
  linesOf,
  type MonitoredLane,
  type Span,
} from '../../../shared/chart-models/index.ts';
import type { MonitoredSource } from '../../../shared/model/monitored.ts';
import { LaneRow, type LaneWindow, useSettledView } from '../../charts/index.ts';
import { useCall } from '../../client/index.ts';
import { askedRange, pointsFor } from './asked-range.ts';

export interface MonitoredRowProperties {
  sessionId: number;
  lane: MonitoredLane;
  source: MonitoredSource;
  shared: LaneWindow;
  scene: LaneScene;
  /** Epoch milliseconds of second 0 of the axis. */
  zero: number;
}

/** Call for the values of a lane in a range of the axis; with `points` they are thinned. */
export function seriesQuery(
  sessionId: number,
  { sourceId, series }: Pick<MonitoredLane, 'sourceId' | 'series'>,
  { from, to }: Partial<Span>,
  zero: number,
  points?: number,
) {
  return {
    sessionId,
    wanted: [{ sourceId, ids: series.map(({ id }) => id) }],
    ...(from !== undefined && { from: zero + from * 1000 }),
    ...(to !== undefined && { to: zero + to * 1000 }),
    ...(points !== undefined && { points }),
  };
}

/** From its first sample to its last, on the axis. */
const thereOf = ({ from, to }: MonitoredSource, zero: number, bounds: Span): Span => ({
  from: from === undefined ? bounds.from : (from - zero) / 1000,
  to: to === undefined ? bounds.to : (to - zero) / 1000,
});

/** A lane of a host or server, with its values of what is seen. */
export function MonitoredRow({ sessionId, lane, source, shared, scene, zero }: MonitoredRowProperties) {
  const view = useSettledView(shared);
  const range = askedRange(view, shared.bounds);
  const points = pointsFor(view, range, thereOf(source, zero, shared.bounds));
  const { data, error } = useCall('monitors.series', seriesQuery(sessionId, lane, range, zero, points), {
    placeholderData: (before) => before,
  });
  const gaps = useMemo(() => gapsOnAxis(source, zero), [source, zero]);
  const lines = useMemo(() => data && linesOf(lane, data, gaps, zero), [data, lane, gaps, zero]);
  return <LaneRow {...{ lane, lines, gaps, scene }} problem={error?.problem.message} />;
}
