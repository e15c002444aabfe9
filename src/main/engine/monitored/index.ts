export { LEVEL_ROWS, MonitoredLevels } from './levels.ts';
export { MonitoredNews } from './news.ts';
export { monitoredSeries, monitoredSources, type RulesOf, readSeries, watchedOf } from './series.ts';
export {
  endsByItself,
  knownAcross,
  pointsIn,
  readSource,
  runWindows,
  seriesIn,
  stretchesIn,
  windowOf,
} from './series-in.ts';
