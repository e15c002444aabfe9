export { contextOf, type RunsContext, type TargetAccess } from './context.ts';
export { dataSetsOf, isBrokenOff } from './data/data-sets.ts';
export { countDataSet, removeDataSet } from './data/data-work.ts';
export { fileSetsOf, isFileSetBrokenOff } from './files/file-sets.ts';
export { checkFileSet, removeFileSet } from './files/file-work.ts';
export { databaseKey } from './occupied.ts';
export { preflight, requirePreflight } from './preflight/preflight.ts';
export { Sessions } from './sessions.ts';
