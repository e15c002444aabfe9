export { requireLevels } from './added-levels.ts';
export { mayBeAtWork } from './at-work.ts';
export { checkText } from './check-text.ts';
export type { RunsContext, TargetAccess } from './context.ts';
export { dataSetsAt, isBrokenOff } from './data/sets.ts';
export { lookAtDataSet, removeDataSet } from './data/work.ts';
export { canBeJudged, type JudgedRun, judgeNow } from './monitors/judged.ts';
export { monitorsLeft } from './monitors/left.ts';
export { OneByOne } from './monitors/one-by-one.ts';
export { databaseKey } from './occupied.ts';
export { preflight, requirePreflight } from './preflight/preflight.ts';
export { Sessions } from './sessions.ts';
export { Lags } from './trial/lags.ts';
export { hasOutput, reingest } from './trial/reingest.ts';
export {
  type ChangedEntry,
  changedNow,
  claimedElsewhere,
  claimsLeft,
  isSameMachine,
  machineIdentity,
  putBack,
  releaseLeft,
} from './world/index.ts';
