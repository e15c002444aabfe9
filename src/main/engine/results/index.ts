export { changedSinceStart } from './changed-since.ts';
export { runSeries } from './combine.ts';
export { compareLevels, compareSessions } from './compare.ts';
export { figureOfRun, Overviews } from './overview.ts';
export type { ComparedSession } from './pair-cells.ts';
export { runQuantiles } from './quantiles.ts';
export { sessionResult, type ToolFigures } from './session-result.ts';
export { runStretches } from './stretches.ts';
export { thin } from './thin.ts';
