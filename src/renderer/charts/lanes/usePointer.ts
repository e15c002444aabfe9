import { type RefObject, useEffect } from 'react';
import type { LaneWindow } from './lane-window.ts';

/** Minimum pixels of a drag that selects a range. */
const DRAG = 4;
/** Zoom per unit of the wheel. */
const WHEEL = 0.0018;

/**
 * The pointer over all lanes: it moves the cursor, a drag selects a range to zoom to, with Shift it pans, Ctrl and the wheel zoom (without
 * Ctrl the wheel scrolls the page), a double click shows the whole again.
 */
export function usePointer(surface: RefObject<HTMLDivElement | null>, shared: LaneWindow): void {
  useEffect(() => {
    const element = surface.current;
    if (!element) return;
    const line = element.querySelector<HTMLElement>('.kp-lanes-line');
    const range = element.querySelector<HTMLElement>('.kp-lanes-range');
    const secondAt = (x: number): number => {
      const { left, width } = element.getBoundingClientRect();
      const share = width > 0 ? Math.min(1, Math.max(0, (x - left) / width)) : 0;
      return shared.view.from + share * (shared.view.to - shared.view.from);
    };
    const stop = shared.onFrame(() => {
      if (line) placeLine(line, shared, element.clientWidth);
      if (range) placeRange(range, shared, element.clientWidth);
    });
    const away = listen(element, shared, secondAt);
    return () => {
      stop();
      away();
    };
  }, [surface, shared]);
}

const pixelOf = ({ view }: LaneWindow, at: number, width: number): number =>
  ((at - view.from) / (view.to - view.from)) * width;

function placeLine(line: HTMLElement, shared: LaneWindow, width: number): void {
  const x = shared.cursor === undefined ? -1 : Math.round(pixelOf(shared, shared.cursor, width));
  line.style.visibility = x >= 0 && x <= width ? 'visible' : 'hidden';
  line.style.transform = `translateX(${x}px)`;
}

function placeRange(range: HTMLElement, shared: LaneWindow, width: number): void {
  const { chosen } = shared;
  range.style.visibility = chosen ? 'visible' : 'hidden';
  if (!chosen) return;
  const [from, to] = [pixelOf(shared, chosen.from, width), pixelOf(shared, chosen.to, width)];
  range.style.left = `${from}px`;
  range.style.width = `${to - from}px`;
}

function listen(element: HTMLElement, shared: LaneWindow, secondAt: (x: number) => number): () => void {
  let pressed: { x: number; at: number; view: { from: number; to: number }; isPan: boolean } | undefined;
  const events: Partial<{ [K in keyof HTMLElementEventMap]: (event: HTMLElementEventMap[K]) => void }> = {
    pointerdown: (event) => {
      if (event.button > 1) return;
      element.setPointerCapture(event.pointerId);
      pressed = {
        x: event.clientX,
        at: secondAt(event.clientX),
        view: shared.view,
        isPan: event.shiftKey || event.button === 1,
      };
    },
    pointermove: (event) => {
      if (pressed?.isPan) {
        const { from, to } = pressed.view;
        const by = ((pressed.x - event.clientX) / Math.max(1, element.clientWidth)) * (to - from);
        shared.show({ from: from + by, to: to + by });
        return;
      }
      const at = secondAt(event.clientX);
      shared.point(at);
      if (pressed && Math.abs(event.clientX - pressed.x) >= DRAG)
        shared.choose({ from: Math.min(at, pressed.at), to: Math.max(at, pressed.at) });
    },
    pointerup: () => {
      const { chosen } = shared;
      pressed = undefined;
      shared.choose(undefined);
      if (chosen) shared.show(chosen);
    },
    pointercancel: () => {
      pressed = undefined;
      shared.choose(undefined);
    },
    pointerleave: () => {
      if (!pressed) shared.point(undefined);
    },
    dblclick: () => shared.reset(),
  };
  const wheel = (event: WheelEvent): void => {
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      shared.zoom(secondAt(event.clientX), Math.exp(event.deltaY * WHEEL));
      return;
    }
    const across = event.shiftKey ? event.deltaY : Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : 0;
    if (across === 0) return;
    event.preventDefault();
    shared.pan((across / Math.max(1, element.clientWidth)) * (shared.view.to - shared.view.from));
  };
  const named = Object.entries(events) as [string, (event: Event) => void][];
  for (const [name, listener] of named) element.addEventListener(name, listener);
  element.addEventListener('wheel', wheel, { passive: false });
  return () => {
    for (const [name, listener] of named) element.removeEventListener(name, listener);
    element.removeEventListener('wheel', wheel);
  };
}
