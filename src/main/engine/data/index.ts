export { hasFiles } from './files.ts';
export type { DataContext, KnownPreparation, Need } from './kind.ts';
export { ALL_KINDS, kindOf, needOf } from './kinds.ts';
export { preparationsOf } from './needs.ts';
export { afterDataStep, beforeTrial, prepareData } from './prepare.ts';
export { inspect, type Seen, wrongWords } from './seen.ts';
export { covers, type DataFit, dataSetsAt, fitOf, isBrokenOff, isWhole, setsIn, writingWords } from './sets.ts';
export { inspectDataSet, removeDataSet, requireNoDataWork } from './work.ts';
