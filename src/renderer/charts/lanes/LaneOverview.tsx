import { type PointerEvent, useEffect, useRef } from 'react';
import {
  type ChartTheme,
  colourOf,
  drawHead,
  HEAD_HEIGHT,
  type LaneClock,
  type LaneScene,
  type Span,
} from '../../../shared/chart-models/index.ts';
import { useChartTheme } from '../useChartTheme.ts';
import { type CanvasPen, penFor } from './canvas-pen.ts';
import { RIGHT } from './LaneRow.tsx';
import type { LaneWindow } from './lane-window.ts';

interface AxisProperties {
  shared: LaneWindow;
  scene: LaneScene;
  clock: LaneClock;
  /** Width of a lane's picture with its ticks, and of the ticks alone, pixels. */
  width: number;
  gutter: number;
}

const HEIGHT = 14;

/** The whole axis as a thin bar with the visible part in it: a press or a drag moves it. */
export function LaneOverview({ shared, scene, width, gutter }: AxisProperties) {
  const theme = useChartTheme();
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const draw = (): void => {
      const pen = canvas.current && penFor(canvas.current, width, HEIGHT, theme.font);
      if (pen && width > gutter + RIGHT) drawBar(pen, { shared, scene, width, gutter, theme });
    };
    draw();
    let seen = '';
    return shared.onFrame(() => {
      const now = `${shared.view.from} ${shared.view.to} ${shared.bounds.from} ${shared.bounds.to}`;
      if (now !== seen) draw();
      seen = now;
    });
  }, [shared, scene, width, gutter, theme]);
  const follow = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.buttons !== 1) return;
    if (event.type === 'pointerdown') event.currentTarget.setPointerCapture(event.pointerId);
    const { bounds, view } = shared;
    const { left } = event.currentTarget.getBoundingClientRect();
    const share = (event.clientX - left - gutter) / Math.max(1, width - gutter - RIGHT);
    const middle = bounds.from + share * (bounds.to - bounds.from);
    shared.pan(middle - (view.from + view.to) / 2);
  };
  return (
    <div
      className="kp-lanes-overview"
      style={{ height: HEIGHT }}
      title="The whole time range; drag to move the visible part"
      aria-hidden="true"
      onPointerDown={follow}
      onPointerMove={follow}
      onDoubleClick={() => shared.show(shared.bounds)}
    >
      <canvas ref={canvas} />
    </div>
  );
}

interface Bar {
  shared: LaneWindow;
  scene: LaneScene;
  width: number;
  gutter: number;
  theme: ChartTheme;
}

function drawBar(pen: CanvasPen, { shared, scene, width, gutter, theme }: Bar): void {
  const { bounds, view } = shared;
  const room = width - gutter - RIGHT;
  const x = (at: number): number => gutter + ((at - bounds.from) / (bounds.to - bounds.from)) * room;
  const bar = ({ from, to }: Span, y: number, height: number) => ({
    ...{ x: x(from), y },
    ...{ width: Math.max(2, x(to) - x(from)), height },
  });
  pen.rect({ x: gutter, y: 3, width: room, height: 8 }, { colour: theme.shade });
  for (const trial of scene.trials)
    pen.rect(bar(trial, 3, 8), { colour: colourOf(trial, theme.scheme), opacity: 0.45 });
  const seen = bar(view, 0.5, HEIGHT - 1);
  pen.rect(seen, { colour: theme.accent, opacity: 0.16 });
  const { x: left, width: length } = seen;
  const frame = [left, 0.5, left + length, 0.5, left + length, HEIGHT - 0.5, left, HEIGHT - 0.5, left, 0.5];
  pen.line(Float64Array.from(frame), 5, { colour: theme.accent, width: 1 });
}

/** Trials, marks, and the time, above all lanes. */
export function LaneAxis({ shared, scene, clock, width, gutter }: AxisProperties) {
  const theme = useChartTheme();
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const draw = (): void => {
      const pen = canvas.current && penFor(canvas.current, width, HEAD_HEIGHT, theme.font);
      if (!pen || width <= gutter + RIGHT) return;
      const box = { x: gutter, y: 0, width: width - gutter - RIGHT, height: HEAD_HEIGHT };
      drawHead(pen, scene, clock, { box, view: shared.view, theme });
    };
    let seen = shared.view;
    draw();
    return shared.onFrame(() => {
      if (shared.view !== seen) draw();
      seen = shared.view;
    });
  }, [shared, scene, clock, width, gutter, theme]);
  return (
    <div className="kp-lanes-axis" aria-hidden="true" style={{ height: HEAD_HEIGHT }}>
      <canvas ref={canvas} />
    </div>
  );
}
