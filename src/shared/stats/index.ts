export { meanInterval, ratioInterval } from './interval.ts';
export { percentile, spreadOf } from './spread.ts';
export { studentQuantile } from './student.ts';
