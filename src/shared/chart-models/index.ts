export { canaryChart } from './canary-chart.ts';
export {
  alongProgress,
  cellsDrawn,
  chartText,
  chosenChart,
  chosenHeight,
  chosenTitle,
  curveOver,
  metricDrawn,
  progressAsked,
  secondsAsked,
} from './chosen-chart.ts';
export { costBars } from './cost-bars.ts';
export { costLines } from './cost-lines.ts';
export { countPatterns, countsOf, type FinalRun, NUMBER_HERE } from './counts.ts';
export { cpuBarsHeight } from './cpu-axes.ts';
export { cpuBars } from './cpu-bars.ts';
export { type CpuGrouping, cpuOfCells, cpuPanels } from './cpu-panels.ts';
export type { CurveAxis } from './curve-lines.ts';
export { latencyCurve, loadFactor, scalingCurve } from './efficiency.ts';
export { eventMarks, MARKED_KINDS, type Mark, steadyMarks } from './event-marks.ts';
export { expectedPicture, expectedWords } from './expected-chart.ts';
export { type HeatFigure, heatMap } from './heat-map.ts';
export {
  type Box,
  type ChartLane,
  type Choosable,
  clockWords,
  collapsed,
  colourOfLine,
  DAY,
  drawHead,
  drawLane,
  drawPicture,
  FoldedAxis,
  firstFrom,
  GUTTER,
  gapsOnAxis,
  groupsOf,
  HEAD_HEIGHT,
  hatchLines,
  heatStep,
  heightOf,
  idleSpans,
  isShown,
  LANE_WORDS,
  LaneChoice,
  type LaneClock,
  type LaneGroup,
  type LaneHead,
  type LaneLimit,
  type LaneLine,
  type LaneMark,
  type LanePicture,
  type LaneScene,
  type LaneTrial,
  laneSummary,
  laneTable,
  linesOf,
  MARK_SIGNS,
  type MonitoredLane,
  momentOnClock,
  moved,
  NAMES_WIDTH,
  NOTHING_CHOSEN,
  type Pen,
  pictureHeight,
  reachOf,
  type Span,
  type Stroke,
  SvgPen,
  shownLanes,
  spansOf,
  switched,
  titleOfLane,
  valueAt,
  type Words,
  withLanes,
  withRunLimits,
} from './lanes/index.ts';
export { byLevels, distinctLevels, type FactorLevels, inOrder, isVaried, nameOfCell } from './levels.ts';
export { type ChartModel, type ChartTable, tableToCsv, titleOf } from './model.ts';
export { legendHeight, optionAt } from './names.ts';
export {
  baselineBars,
  comparisonBars,
  comparisonCurve,
  comparisonTitle,
  curveTitle,
  hasWhiskers,
  ladderFactor,
  lawWords,
  lineSlots,
  lineWords,
  type Painter,
  painterOf,
  partsOf,
  scalingSentences,
  sessionBoxes,
  sessionCurve,
  spreadOfRepeats,
  WHISKER_WORDS,
  whiskerWords,
} from './of-session.ts';
export { panels, panelsHeight } from './panels.ts';
export { spansDecades, TIME_AXIS, timeTicks } from './parts.ts';
export { percentileCurves, type Seconds } from './percentile-curve.ts';
export { type Pivot, pivotOf, placesIn, ratioTiles, type Tile, valueTiles } from './pivot.ts';
export { ALL_PLACES, placeFigures, placesAmong, placesText } from './places.ts';
export { frontier, priceScatter } from './price-scatter.ts';
export { type SessionTrend, sessionTrend, trendPicture } from './session-trend.ts';
export { shareBars } from './share-bars.ts';
export { sparklinePath, sparklines } from './sparkline.ts';
export { earlierRatioText, factorsOfLines, type GroupLine, linesInGroups, ratioText, stepsText } from './steps-text.ts';
export { type ChartTheme, chartTheme, colourOf, type Paint } from './theme.ts';
export { along, areMediansFarApart, type TimelineLine, timeline } from './timeline.ts';
