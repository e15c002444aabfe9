export { contextOf, type RunsContext, type TargetAccess } from './context.ts';
export { dataSetsOf, isBrokenOff } from './data-sets.ts';
export { countDataSet, removeDataSet } from './data-work.ts';
export { databaseKey } from './occupied.ts';
export { preflight, requirePreflight } from './preflight.ts';
export { Sessions } from './sessions.ts';
