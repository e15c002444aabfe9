export { type ClockReading, clockOffset, onItsClock, onOurClock } from './clock.ts';
export { derive, gapSeconds, gapsOf } from './derive.ts';
export { countersOf, instanceIn, type ReadSeries, readingOf, seriesOf } from './instances.ts';
export { thinned } from './thinned.ts';
