import { useCallback, useEffect, useRef } from 'react';
import type { Instance } from './engine.ts';
import type { LaneWindow } from './lanes/lane-window.ts';

/** Lanes below a chart, on the same time axis. */
export interface Below {
  /** Cursor and visible part of both. */
  shared: LaneWindow;
  /** Called with the position of the plot, and again when it changes. */
  onPlot: (edges: PlotEdges | undefined) => void;
}

/**
 * Gives a time chart and the lanes below it one cursor and one zoom, and reports the position of its plot to the lanes. Returns a function
 * to call after each change of size or option: the chart also draws for each move of its tooltip, and reading the position of the plot
 * copies everything drawn.
 */
export function useBelow(instance: Instance | undefined, below: Below | undefined): () => void {
  const { shared, onPlot } = below ?? {};
  const isDue = useRef(true);
  const changed = useCallback(() => {
    isDue.current = true;
  }, []);
  useEffect(() => {
    if (!instance || !onPlot) return;
    let reported: PlotEdges | undefined;
    const report = (): void => {
      if (!isDue.current) return;
      const edges = instance.isDisposed() ? undefined : edgesOf(instance);
      // If there is no plot yet, it is still to be drawn.
      isDue.current = edges === undefined;
      if (isSamePlot(reported, edges)) return;
      reported = edges;
      onPlot(edges);
    };
    changed();
    report();
    instance.on('finished', report);
    instance.on('datazoom', changed);
    return () => {
      if (!instance.isDisposed()) instance.off('finished', report).off('datazoom', changed);
      onPlot(undefined);
    };
  }, [instance, onPlot, changed]);
  useEffect(() => {
    if (!instance || !shared) return;
    const stops = [shareCursor(instance, shared), shareZoom(instance, shared)];
    return () => {
      for (const stop of stops) stop();
    };
  }, [instance, shared]);
  return changed;
}

interface Drawn {
  xAxis?: readonly { max?: unknown }[];
  dataZoom?: readonly { start?: number; end?: number }[];
}

/** Seconds at the two ends of the visible part of the axis, and of the whole axis; undefined before it exists. */
function seenOf(instance: Instance): { from: number; to: number; whole: number } | undefined {
  const { xAxis, dataZoom } = (instance.getOption() ?? {}) as Drawn;
  const whole = xAxis?.[0]?.max;
  if (typeof whole !== 'number') return undefined;
  const { start = 0, end = 100 } = dataZoom?.[0] ?? {};
  return { from: (start * whole) / 100, to: (end * whole) / 100, whole };
}

function edgesOf(instance: Instance): PlotEdges | undefined {
  const seen = seenOf(instance);
  if (!seen) return undefined;
  const [from, to] = [seen.from, seen.to].map((at) => Number(instance.convertToPixel({ xAxisIndex: 0 }, at)));
  if (from === undefined || to === undefined || !(to > from)) return undefined;
  return { left: instance.getDom().getBoundingClientRect().left + from, width: Math.round(to - from) };
}

function shareCursor(instance: Instance, shared: LaneWindow): () => void {
  const surface = instance.getZr();
  let isHere = false;
  // Queried only until it is true: the result is a copy of everything drawn.
  let isDrawn = false;
  const isReady = (): boolean => {
    isDrawn ||= !instance.isDisposed() && Boolean(instance.getOption());
    return isDrawn && !instance.isDisposed();
  };
  let shown: number | undefined;
  const move = ({ offsetX, offsetY }: { offsetX: number; offsetY: number }): void => {
    isHere = isReady() && instance.containPixel('grid', [offsetX, offsetY]);
    shared.point(isHere ? Number(instance.convertFromPixel({ xAxisIndex: 0 }, offsetX)) : undefined);
  };
  const onLeave = (): void => {
    if (isHere) shared.point(undefined);
    isHere = false;
  };
  const follow = (): void => {
    const { cursor } = shared;
    if (isHere || cursor === shown || !isReady()) return;
    shown = cursor;
    if (cursor === undefined) instance.dispatchAction({ type: 'hideTip' });
    else instance.dispatchAction({ type: 'showTip', ...middleAt(instance, cursor) });
  };
  surface.on('mousemove', move);
  surface.on('globalout', onLeave);
  const stop = shared.onFrame(follow);
  return () => {
    stop();
    if (instance.isDisposed()) return;
    surface.off('mousemove', move);
    surface.off('globalout', onLeave);
  };
}

const middleAt = (instance: Instance, second: number): { x: number; y: number } => ({
  x: Number(instance.convertToPixel({ xAxisIndex: 0 }, second)),
  y: instance.getHeight() / 2,
});

/** Percent of the visible part: smaller differences are ignored. */
const SAME = 0.01;

/** The library returns an action as an event with all of its fields. */
const OF_LANES = 'ofLanes';
const isOfLanes = (event: unknown): boolean => typeof event === 'object' && event !== null && OF_LANES in event;

function shareZoom(instance: Instance, shared: LaneWindow): () => void {
  const zoomed = (event: unknown): void => {
    // The chart ends with the trial, the lanes may not: its version of their view does not apply to them.
    if (isOfLanes(event)) return;
    const seen = seenOf(instance);
    if (seen) shared.show(seen);
  };
  let followed: LaneWindow['view'] | undefined;
  const follow = (): void => {
    // Reading the chart copies everything it draws: not done with every move of the cursor.
    if (shared.view === followed || instance.isDisposed()) return;
    followed = shared.view;
    const seen = seenOf(instance);
    if (!seen) return;
    const [start, end] = [shared.view.from, shared.view.to].map((at) =>
      Math.min(100, Math.max(0, (100 * at) / seen.whole)),
    ) as [number, number];
    const [from, to] = [(100 * seen.from) / seen.whole, (100 * seen.to) / seen.whole];
    if (Math.abs(start - from) < SAME && Math.abs(end - to) < SAME) return;
    instance.dispatchAction({ type: 'dataZoom', start, end, [OF_LANES]: true });
  };
  instance.on('datazoom', zoomed);
  const stop = shared.onFrame(follow);
  return () => {
    stop();
    if (!instance.isDisposed()) instance.off('datazoom', zoomed);
  };
}

/** Left edge and width of a plot, in pixels of the page. */
export interface PlotEdges {
  left: number;
  width: number;
}

const isSamePlot = (one: PlotEdges | undefined, other: PlotEdges | undefined): boolean =>
  one?.left === other?.left && one?.width === other?.width;
