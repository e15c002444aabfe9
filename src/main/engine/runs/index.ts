export { checkText } from './check-text.ts';
export type { RunsContext, TargetAccess } from './context.ts';
export { dataSetsAt, isBrokenOff } from './data/sets.ts';
export { lookAtDataSet, removeDataSet } from './data/work.ts';
export { databaseKey } from './occupied.ts';
export { preflight, requirePreflight } from './preflight/preflight.ts';
export { Sessions } from './sessions.ts';
export { Lags } from './trial/lags.ts';
export { hasOutput, reingest } from './trial/reingest.ts';
