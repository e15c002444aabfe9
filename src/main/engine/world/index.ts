export { atPlace, placeOf, placeWords, whilePlaceReachable } from './at.ts';
export { claimedElsewhere, claimsLeft, releaseLeft } from './claims.ts';
export type { WorldContext } from './context.ts';
export { type ChangedEntry, changedNow, grouped } from './entries.ts';
export { isSameMachine, machineIdentity } from './identity.ts';
export { afterDown, beforeDown, changeInRun, isDown, putEventsBack } from './in-run.ts';
export { changerNamed, putBack, putSessionBack, restoredWords, valueWords } from './put-back.ts';
export { isOfChange, reachWorld, readBack, type Stage } from './reach.ts';
export {
  type JobOwner,
  keepForAWhile,
  noteSecrets,
  removeOldJobs,
  removeSecretsLeft,
  secretsGone,
  secretsLeft,
} from './secrets-left.ts';
