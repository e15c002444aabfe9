export { along } from './along.ts';
export { cellBands } from './cell-bands.ts';
export { costBars } from './cost-bars.ts';
export { latencyCurve, loadFactor, scalingCurve } from './efficiency.ts';
export { eventMarks, MARKED_KINDS } from './event-marks.ts';
export { type ChartModel, tableToCsv, titleOf } from './model.ts';
export {
  comparisonBars,
  comparisonCurve,
  ladderFactor,
  lawWords,
  lineSlots,
  lineWords,
  type Painter,
  painterOf,
  scalingSentences,
  sessionBoxes,
  sessionCurve,
  whiskerWords,
} from './of-session.ts';
export { percentileCurves, type Seconds } from './percentile-curve.ts';
export { frontier, priceScatter } from './price-scatter.ts';
export { shareBars } from './share-bars.ts';
export { sparklinePath } from './sparkline.ts';
export { steadyMarks } from './steady-marks.ts';
export { type ChartTheme, chartTheme, colourOf, type Paint } from './theme.ts';
export { type TimelineLine, timeline } from './timeline.ts';
