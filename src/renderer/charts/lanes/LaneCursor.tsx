import { type KeyboardEvent, useEffect, useRef } from 'react';
import {
  clockWords,
  DAY,
  type LaneClock,
  type LaneScene,
  MARK_SIGNS,
  momentOnClock,
} from '../../../shared/chart-models/index.ts';
import { formatDay, formatDuration, formatTimeOfDay } from '../../../shared/util/format.ts';
import type { LaneWindow } from './lane-window.ts';

interface CursorProperties {
  shared: LaneWindow;
  clock: LaneClock;
  scene: LaneScene;
}

/** Maximum number of marks named next to the cursor. */
const MOST_MARKS = 2;
/** Seconds by which Shift with an arrow moves the cursor; share of the visible part by which a page does. */
const LEAP = 10;
const PAGE = 0.8;
const CLOSER = 0.5;

/** Position of the cursor in words; also its keyboard control. */
export function LaneCursor({ shared, clock, scene }: CursorProperties) {
  const slider = useRef<HTMLDivElement>(null);
  const moment = useRef<HTMLElement>(null);
  const below = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const update = (): void => {
      const { cursor, view } = shared;
      // With several days, the time of day would be ambiguous.
      const day =
        cursor !== undefined &&
        clock.from === undefined &&
        momentOnClock(view.to, clock) - momentOnClock(view.from, clock) > 1000 * DAY
          ? `${formatDay(momentOnClock(cursor, clock))}, `
          : '';
      const head = cursor === undefined ? 'Mean of visible range' : `At ${day}${clockWords(cursor, clock)}`;
      const foot =
        cursor === undefined
          ? `${formatDuration(Math.round(view.to - view.from))} visible`
          : wordsAt(cursor, shared, { clock, scene });
      if (moment.current) moment.current.textContent = head;
      if (below.current) below.current.textContent = foot;
      const element = slider.current;
      element?.setAttribute('aria-valuemin', String(Math.round(view.from)));
      element?.setAttribute('aria-valuemax', String(Math.round(view.to)));
      element?.setAttribute('aria-valuenow', String(Math.round(cursor ?? view.from)));
      element?.setAttribute('aria-valuetext', `${head}. ${foot}`);
    };
    update();
    return shared.onFrame(update);
  }, [shared, clock, scene]);
  const keyed = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || !moved(event.key, event.shiftKey, shared, clock.from)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      ref={slider}
      className="kp-lanes-cursor"
      role="slider"
      tabIndex={0}
      aria-label="Cursor through all lanes"
      aria-valuenow={0}
      title="Arrow keys move the cursor, + and − zoom in and out, Page Up and Page Down scroll, 0 resets the range"
      onKeyDown={keyed}
    >
      <b ref={moment} />
      <div ref={below} className="kp-small" />
    </div>
  );
}

function wordsAt(
  cursor: number,
  shared: LaneWindow,
  { clock, scene }: Pick<CursorProperties, 'clock' | 'scene'>,
): string {
  const reach = Math.max(1, (shared.view.to - shared.view.from) / 150);
  const trial = scene.trials.find(({ from, to }) => from <= cursor && cursor <= to);
  const marks = scene.marks.filter(({ at }) => Math.abs(at - cursor) <= reach).slice(0, MOST_MARKS);
  return [
    ...(clock.from === undefined ? [] : [formatTimeOfDay(clock.zero + cursor * 1000)]),
    ...(trial ? [trial.label] : scene.trials.length > 0 ? ['between trials'] : []),
    ...marks.map(({ kind, label }) => `${MARK_SIGNS[kind]} ${label}`),
  ].join(' · ');
}

/** Handles a key; returns whether it did. `start`: second of the axis from which its clock counts. */
function moved(key: string, isLeap: boolean, shared: LaneWindow, start = 0): boolean {
  const point = (second: number, whole = Math.round): void => pointAt(whole(second - start) + start, shared);
  const { from, to } = shared.view;
  const length = to - from;
  const at = shared.cursor ?? from + length / 2;
  // At least a pixel of a wide screen, so that each key has a visible effect.
  const step = Math.max(1, Math.round(length / 500)) * (isLeap ? LEAP : 1);
  switch (key) {
    case 'ArrowLeft':
      point(at - step);
      return true;
    case 'ArrowRight':
      point(at + step);
      return true;
    case 'Home':
      point(from, Math.ceil);
      return true;
    case 'End':
      point(to, Math.floor);
      return true;
    case 'PageUp':
      shared.pan(-PAGE * length);
      return true;
    case 'PageDown':
      shared.pan(PAGE * length);
      return true;
    case '+':
    case '=':
      shared.zoom(at, CLOSER);
      return true;
    case '-':
      shared.zoom(at, 1 / CLOSER);
      return true;
    case '0':
      shared.reset();
      return true;
    default:
      return false;
  }
}

/** Moves the cursor, and the visible part if the cursor leaves it. */
function pointAt(second: number, shared: LaneWindow): void {
  const { bounds, view } = shared;
  const next = Math.min(bounds.to, Math.max(bounds.from, second));
  if (next < view.from) shared.pan(next - view.from);
  else if (next > view.to) shared.pan(next - view.to);
  shared.point(next);
}
