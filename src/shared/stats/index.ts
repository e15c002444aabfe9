export { bestSentence } from './best.ts';
export { eventsOf, type Histogram, mergeHistograms, percentileOf } from './histogram.ts';
export { meanInterval, ratioInterval } from './interval.ts';
export { percentile, spreadOf } from './spread.ts';
export { studentQuantile } from './student.ts';
export { alignedSeconds, type Points, wholeOf } from './whole.ts';
