import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Span } from '../../../shared/chart-models/index.ts';

/** Minimum visible seconds. */
const LEAST = 4;

/** A span within `bounds`, and at least the readable minimum. */
function within(span: Span, bounds: Span): Span {
  const whole = bounds.to - bounds.from;
  const length = Math.min(whole, Math.max(LEAST, span.to - span.from));
  const middle = (span.from + span.to) / 2;
  const from = Math.min(bounds.to - length, Math.max(bounds.from, middle - length / 2));
  return { from, to: from + length };
}

const isSame = (one: Span, other: Span): boolean => one.from === other.from && one.to === other.to;

/**
 * The shared view of all lanes: a span of their axis, a cursor and a range that is being selected. It changes with every move of the
 * pointer, so lanes draw these changes without being rendered again. `onFrame` is called before the next paint, once for all changes since
 * the last one; `onSettle` when nothing has changed for a moment.
 */
export class LaneWindow {
  bounds: Span;
  home: Span;
  view: Span;
  /** Second under the cursor. */
  cursor: number | undefined;
  chosen: Span | undefined;
  readonly #frames = new Set<() => void>();
  readonly #settled = new Set<() => void>();
  #frame: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(home: Span, bounds: Span) {
    this.bounds = bounds;
    this.home = within(home, bounds);
    this.view = this.home;
  }

  get isZoomed(): boolean {
    return !isSame(this.view, this.home);
  }

  onFrame(listener: () => void): () => void {
    this.#frames.add(listener);
    return () => this.#frames.delete(listener);
  }

  onSettle(listener: () => void): () => void {
    this.#settled.add(listener);
    return () => this.#settled.delete(listener);
  }

  /** Sets another run, or more of a running one: shows the whole if it was shown before, and keeps a zoom. */
  place(home: Span, bounds: Span): void {
    const wasHome = !this.isZoomed;
    this.bounds = bounds;
    this.home = within(home, bounds);
    this.show(wasHome ? this.home : this.view);
  }

  show(span: Span): void {
    const next = within(span, this.bounds);
    if (isSame(next, this.view)) return;
    this.view = next;
    this.#settleLater();
    this.changed();
  }

  reset(): void {
    this.show(this.home);
  }

  /** A `factor` below 1 zooms in; the second `around` keeps its position. */
  zoom(around: number, factor: number): void {
    const { from, to } = this.view;
    const length = Math.min(this.bounds.to - this.bounds.from, Math.max(LEAST, (to - from) * factor));
    const share = (around - from) / (to - from);
    const start = around - share * length;
    this.show({ from: start, to: start + length });
  }

  /** Moves the view by seconds. */
  pan(by: number): void {
    const { from, to } = this.view;
    this.show({ from: from + by, to: to + by });
  }

  point(cursor: number | undefined): void {
    if (cursor === this.cursor) return;
    this.cursor = cursor;
    this.#settleLater();
    this.changed();
  }

  choose(chosen: Span | undefined): void {
    this.chosen = chosen;
    this.changed();
  }

  /** Schedules all drawing before the next paint. */
  changed(): void {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      for (const listener of [...this.#frames]) listener();
    });
  }

  #settleLater(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      for (const listener of [...this.#settled]) listener();
    }, SETTLED_MS);
  }

  close(): void {
    clearTimeout(this.#timer);
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#frame = undefined;
  }
}

const SETTLED_MS = 150;

/** One window for all lanes of a place, or the one they share with others; it follows `home` and `bounds`. */
export function useLaneWindow(home: Span, bounds: Span, given?: LaneWindow): LaneWindow {
  const [own] = useState(() => given ?? new LaneWindow(home, bounds));
  const shared = given ?? own;
  useEffect(() => {
    shared.place({ from: home.from, to: home.to }, { from: bounds.from, to: bounds.to });
  }, [shared, home.from, home.to, bounds.from, bounds.to]);
  useEffect(() => () => shared.close(), [shared]);
  return shared;
}

/** The visible part once it has settled: for requests to the engine, not for drawing. */
export const useSettledView = (shared: LaneWindow): Span =>
  useSyncExternalStore(
    (listener) => shared.onSettle(listener),
    () => shared.view,
  );
