import { useEffect, useRef } from 'react';
import { drawHead, HEAD_HEIGHT, type LaneClock, type LaneScene } from '../../../shared/chart-models/index.ts';
import { useChartTheme } from '../useChartTheme.ts';
import { penFor } from './canvas-pen.ts';
import { RIGHT } from './LaneRow.tsx';
import type { LaneWindow } from './lane-window.ts';

interface AxisProperties {
  shared: LaneWindow;
  scene: LaneScene;
  clock: LaneClock;
  /** Pixels of a lane's picture with its ticks, and of these alone. */
  width: number;
  gutter: number;
}

/** Trials, what happened, and the time, above all lanes. */
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
