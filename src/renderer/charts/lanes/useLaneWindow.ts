import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Span } from '../../../shared/chart-models/index.ts';
import { LaneWindow } from './lane-window.ts';

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
