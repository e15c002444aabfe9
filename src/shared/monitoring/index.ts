export { clockOffset, momentOf, secondOf, toHostTime, toLocalTimes, wasSet } from './clock.ts';
export { derive, deriveAcross, deriving, drained, gapsOf, takeOutDamaged, thinned } from './derive.ts';
export { countersOf, instanceIn, type ReadSeries, seriesOf } from './instances.ts';
