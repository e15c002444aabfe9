export { derive, gapSeconds, gapsOf } from './derive.ts';
export { countersOf, instanceIn, type ReadSeries, readingOf, seriesOf } from './instances.ts';
