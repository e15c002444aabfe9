export { shareBars } from './bars.ts';
export { type ChartModel, tableToCsv, titleOf } from './model.ts';
export {
  comparisonBars,
  comparisonCurve,
  ladderFactor,
  lineSlots,
  SPREAD_WORDS,
  sessionBoxes,
  sessionCurve,
} from './of-session.ts';
export { sparklinePath } from './sparkline.ts';
export { type ChartTheme, chartTheme, colourOf } from './theme.ts';
export { type TimelineLine, timeline } from './timeline.ts';
