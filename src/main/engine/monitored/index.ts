export { LEVEL_ROWS, MonitoredLevels } from './levels.ts';
export { monitoredSeries, monitoredSources, type RulesOf, readSeries, watchedOf } from './series.ts';
export {
  endsByItself,
  knownAcross,
  pointsIn,
  readSource,
  runWindows,
  segmentsIn,
  seriesIn,
  windowOf,
} from './series-in.ts';
export { MonitoredUpdates } from './updates.ts';
