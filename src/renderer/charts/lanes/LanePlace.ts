import { createContext, useContext } from 'react';
import { type ChartLane, GUTTER, type LaneHead } from '../../../shared/chart-models/index.ts';
import { LaneWindow } from './lane-window.ts';

/** Surroundings of a lane. */
export interface LanePlace {
  shared: LaneWindow;
  /** Width of a lane's picture with its ticks, and of the ticks alone, pixels. */
  width: number;
  gutter: number;
  /** Registers a lane with its values; returns a function that removes it. */
  load: (lane: ChartLane) => () => void;
  /** Whether a lane is visible now, and not only soon. */
  isSeen: (lane: string) => boolean;
  onMove?: ((lane: LaneHead, by: number) => void) | undefined;
  onHide?: ((lane: LaneHead) => void) | undefined;
  /** Returns a function that makes a lane a figure of each cell; undefined if it cannot be one, or already is. */
  measureOf?: ((lane: LaneHead) => (() => void) | undefined) | undefined;
}

const NOWHERE = { from: 0, to: 1 };

export const PlaceContext = createContext<LanePlace>({
  shared: new LaneWindow(NOWHERE, NOWHERE),
  width: 0,
  gutter: GUTTER,
  load: () => () => undefined,
  isSeen: () => true,
});

export const usePlace = (): LanePlace => useContext(PlaceContext);
