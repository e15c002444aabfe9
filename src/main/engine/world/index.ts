export { atPlace, placeOf, placeWords, whilePlaceReachable } from './at.ts';
export { claimedElsewhere, leftoverClaims, releaseLeftoverClaims } from './claims.ts';
export type { WorldContext } from './context.ts';
export { type ChangedEntry, changedNow, grouped } from './entries.ts';
export { isSameMachine, machineIdentity } from './identity.ts';
export { afterDown, beforeDown, changeInRun, isDown, restoreEvents } from './in-run.ts';
export {
  hasLeftoverSecrets,
  type JobOwner,
  keepForAWhile,
  noteSecrets,
  removeLeftoverSecrets,
  removeOldJobs,
  secretsGone,
} from './leftover-secrets.ts';
export { isOfChange, reachWorld, readBack, type Stage } from './reach.ts';
export { changerNamed, restoreChanges, restoredWords, restoreSession, valueWords } from './restore.ts';
