import { type KeyboardEvent, type PointerEvent, useEffect, useState } from 'react';
import { formatDuration } from '../../shared/util/format.ts';
import type { Instance } from './engine.ts';

/** A movable moment on the x axis. */
export interface Cut {
  /** Name for screen readers: "Warm-up cut". */
  label: string;
  at: number;
  most: number;
  onChange: (at: number) => void;
}

interface Place {
  left: number;
  top: number;
  height: number;
}

/** From this many seconds on, they are formatted in minutes and hours. */
const LONG = 600;
/** Seconds by which Page Up, Page Down or Shift with an arrow key move it. */
const PAGE = 10;

/** A line across the chart with a grip: dragged with the pointer, or moved with the arrow keys. */
export function CutHandle({ cut, instance }: { cut: Cut; instance: Instance }) {
  const [moving, setMoving] = useState<number>();
  const [place, setPlace] = useState<Place>();
  const at = moving ?? cut.at;
  const within = (value: number): number => Math.min(cut.most, Math.max(0, Math.round(value)));

  useEffect(() => {
    const measure = (): void => {
      if (!instance.isDisposed()) setPlace((before) => settled(before, placeOf(instance, at)));
    };
    measure();
    instance.on('finished', measure);
    return () => {
      if (!instance.isDisposed()) instance.off('finished', measure);
    };
  }, [instance, at]);

  const drag = (event: PointerEvent): void => {
    if (moving === undefined) return;
    const left = instance.getDom().getBoundingClientRect().left;
    setMoving(within(Number(instance.convertFromPixel({ xAxisIndex: 0 }, event.clientX - left))));
  };
  const drop = (): void => {
    if (moving !== undefined && moving !== cut.at) cut.onChange(moving);
    setMoving(undefined);
  };
  const step = (event: KeyboardEvent): void => {
    const to = keyed(event, cut);
    if (to === undefined) return;
    event.preventDefault();
    cut.onChange(within(to));
  };
  if (!place) return null;
  return (
    <div
      className="kp-cut"
      style={place}
      role="slider"
      tabIndex={0}
      aria-label={cut.label}
      aria-valuemin={0}
      aria-valuemax={cut.most}
      aria-valuenow={at}
      aria-valuetext={at < LONG ? `${at} s` : formatDuration(at)}
      data-moving={moving !== undefined || undefined}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setMoving(cut.at);
      }}
      onPointerMove={drag}
      onPointerUp={drop}
      onPointerCancel={() => setMoving(undefined)}
      onKeyDown={step}
    >
      <span className="kp-cut-words">{at < LONG ? `${at} s` : formatDuration(at)}</span>
    </div>
  );
}

function keyed(event: KeyboardEvent, { at, most }: Cut): number | undefined {
  const by = event.shiftKey ? PAGE : 1;
  switch (event.key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return at - by;
    case 'ArrowRight':
    case 'ArrowUp':
      return at + by;
    case 'PageDown':
      return at - PAGE;
    case 'PageUp':
      return at + PAGE;
    case 'Home':
      return 0;
    case 'End':
      return most;
    default:
      return undefined;
  }
}

/** Position of the moment in pixels of the chart; undefined while it is outside the zoomed axis. */
function placeOf(instance: Instance, at: number): Place | undefined {
  const drawn: unknown = instance.getOption();
  if (!drawn) return undefined;
  const left = Number(instance.convertToPixel({ xAxisIndex: 0 }, at));
  const foot = Number(instance.convertToPixel({ yAxisIndex: 0 }, lowerEnd(instance)));
  const top = gridTop(instance);
  if (!Number.isFinite(left) || !Number.isFinite(foot) || !instance.containPixel('grid', [left, foot - 1])) return;
  return { left: Math.round(left), top, height: Math.max(0, Math.round(foot) - top) };
}

/** Lower end of the vertical axis; a logarithmic one has no zero. */
function lowerEnd(instance: Instance): number {
  const { yAxis } = instance.getOption() as { yAxis?: readonly { type?: string; min?: unknown }[] };
  const axis = yAxis?.[0];
  return axis?.type === 'log' && typeof axis.min === 'number' ? axis.min : 0;
}

function gridTop(instance: Instance): number {
  const { grid } = instance.getOption() as { grid?: readonly { top?: unknown }[] };
  return Number(grid?.[0]?.top) || 0;
}

const settled = (before: Place | undefined, now: Place | undefined): Place | undefined =>
  before && now && before.left === now.left && before.top === now.top && before.height === now.height ? before : now;
