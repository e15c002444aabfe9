export { clockWords, DAY, drawHead, HEAD_HEIGHT, type LaneClock, momentOnClock } from './draw-head.ts';
export { drawLane, heatStep } from './draw-lane.ts';
export { withRunLimits } from './draw-limits.ts';
export { FoldedAxis, idleSpans } from './folded-axis.ts';
export {
  type ChartLane,
  colourOfLine,
  firstFrom,
  heightOf,
  type LaneHead,
  type LaneLimit,
  type LaneLine,
  type LaneMark,
  type LaneScene,
  type LaneTrial,
  MARK_SIGNS,
  reachOf,
  type Span,
  valueAt,
} from './lane.ts';
export {
  type Choosable,
  collapsed,
  isShown,
  LaneChoice,
  moved,
  NOTHING_CHOSEN,
  shownLanes,
  switched,
  withLanes,
} from './lane-choice.ts';
export {
  drawPicture,
  GUTTER,
  type LanePicture,
  laneSummary,
  laneTable,
  NAMES_WIDTH,
  pictureHeight,
  titleOfLane,
} from './lane-picture.ts';
export { groupsOf, LANE_WORDS, type LaneGroup, type MonitoredLane } from './lanes-of-sources.ts';
export { gapsOnAxis, linesOf } from './monitored-lines.ts';
export type { Box, Pen, Stroke, Words } from './pen.ts';
export { hatchLines, SvgPen, spansOf } from './svg-pen.ts';
