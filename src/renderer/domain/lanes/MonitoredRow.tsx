import { useMemo } from 'react';
import {
  type FoldedAxis,
  gapsOnAxis,
  type LaneScene,
  linesOf,
  type MonitoredLane,
  type Span,
} from '../../../shared/chart-models/index.ts';
import type { MonitoredSource } from '../../../shared/model/monitored.ts';
import { LaneRow, type LaneWindow, useSettledView } from '../../charts/index.ts';
import { useCall } from '../../client/index.ts';

export interface MonitoredRowProperties {
  sessionId: number;
  lane: MonitoredLane;
  source: MonitoredSource;
  shared: LaneWindow;
  scene: LaneScene;
  /** Epoch milliseconds of second 0 of the axis. */
  zero: number;
  /** The axis without idle time, if it omits any. */
  folded?: FoldedAxis | undefined;
}

/** Query for the values of a lane in a range of the axis; with `points` they are thinned. */
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
const monitoredSpan = ({ from, to }: MonitoredSource, zero: number, bounds: Span): Span => ({
  from: from === undefined ? bounds.from : (from - zero) / 1000,
  to: to === undefined ? bounds.to : (to - zero) / 1000,
});

/** A lane of a host or server, with its values of the visible part. */
export function MonitoredRow({ sessionId, lane, source, shared, scene, zero, folded }: MonitoredRowProperties) {
  const seen = useSettledView(shared);
  const [view, bounds] = folded ? [folded.realSpan(seen), folded.realSpan(shared.bounds)] : [seen, shared.bounds];
  const range = askedRange(view, bounds);
  const points = pointsFor(view, range, monitoredSpan(source, zero, bounds));
  const { data, error } = useCall('monitors.series', seriesQuery(sessionId, lane, range, zero, points), {
    placeholderData: (before) => before,
  });
  const gaps = useMemo(() => gapsOnAxis(source, zero), [source, zero]);
  const lines = useMemo(() => {
    const all = data && linesOf(lane, data, gaps, zero);
    return folded ? all?.map((line) => folded.line(line)) : all;
  }, [data, lane, gaps, zero, folded]);
  const shownGaps = useMemo(() => (folded ? gaps.map((gap) => folded.span(gap)) : gaps), [gaps, folded]);
  return <LaneRow {...{ lane, lines, scene }} gaps={shownGaps} problem={error?.problem.message} />;
}

/** Maximum values of a line: up to four per pixel of the visible part, as more than that part is requested. */
export const POINTS = 4000;
/** If there is hardly any data beyond the visible part: one per pixel, with the smallest and largest value of its segment. */
const POINTS_OF_ALL = 1000;
/** Share of the requested and existing range that is visible in that case. */
const NEARLY_ALL = 0.8;

/**
 * Range to request from the engine when `view` is visible: wider on both sides, between round moments, so that a small move requests
 * nothing new. `undefined` at an end: to the end of the data. With few enough samples everything is requested once.
 */
export function askedRange(view: Span, bounds: Span): { from?: number; to?: number } {
  const whole = bounds.to - bounds.from;
  if (whole <= POINTS) return {};
  const step = 2 ** Math.ceil(Math.log2(Math.max(1, view.to - view.from)));
  const from = Math.floor((view.from - step / 2) / step) * step;
  const to = Math.ceil((view.to + step / 2) / step) * step;
  return { ...(from > bounds.from && { from }), ...(to < bounds.to && { to }) };
}

/** Number of values of a line to request in `asked` when `view` is visible, for a source that has samples in `there`. */
export function pointsFor(view: Span, asked: Partial<Span>, there: Span): number {
  const span = Math.min(asked.to ?? there.to, there.to) - Math.max(asked.from ?? there.from, there.from);
  return span > POINTS && view.to - view.from >= NEARLY_ALL * span ? POINTS_OF_ALL : POINTS;
}
