export { LANE_EVENTS, markOf } from './lane-marks.ts';
export { withLimits } from './limits.ts';
export { MonitoredRow, seriesQuery } from './MonitoredRow.tsx';
export { sourceName, sourceNotes } from './source-words.ts';
export { metricOfLane, TOOL_GROUP, toolLanes, toolLines } from './tool-lanes.ts';
export { type ChoosableGroup, useChosenLanes } from './useChosenLanes.tsx';
