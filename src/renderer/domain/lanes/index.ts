export { LANE_EVENTS, markOf, sourceName, sourceNotes, withLimits } from './lane-marks.ts';
export { MonitoredRow, seriesQuery } from './MonitoredRow.tsx';
export { metricOfLane, TOOL_GROUP, toolLanes, toolLines } from './tool-lanes.ts';
export { type ChoosableGroup, useChosenLanes } from './useChosenLanes.tsx';
