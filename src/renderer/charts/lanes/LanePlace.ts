import { createContext, useContext } from 'react';
import { type ChartLane, GUTTER, type LaneHead } from '../../../shared/chart-models/index.ts';
import { LaneWindow } from './lane-window.ts';

/** What a lane knows of the place that it stands in. */
export interface LanePlace {
  shared: LaneWindow;
  /** Pixels of a lane's picture with its ticks, and of these alone. */
  width: number;
  gutter: number;
  /** A lane has its values; gives what takes it away again. */
  load: (lane: ChartLane) => () => void;
  /** Whether a lane is seen now, and not only about to be. */
  isSeen: (lane: string) => boolean;
  onMove?: ((lane: LaneHead, by: number) => void) | undefined;
  onHide?: ((lane: LaneHead) => void) | undefined;
  /** Returns what makes a lane a figure of each cell; undefined: it cannot be one, or is one. */
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
