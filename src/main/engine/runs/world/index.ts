export { atPlace, placeOf, placeWords, whilePlaceReachable } from './at.ts';
export { claimedElsewhere, claimsLeft, releaseLeft } from './claims.ts';
export { afterDown, beforeDown, isDown } from './down.ts';
export { type ChangedEntry, changedNow, grouped } from './entries.ts';
export { isSameMachine, machineIdentity, strangeMachine } from './identity.ts';
export { changeInRun, putEventsBack } from './in-run.ts';
export { changerNamed, putBack } from './put-back.ts';
export { putSessionBack, restoredWords } from './put-session-back.ts';
export { isOfChange, reachWorld, readBack, type Stage } from './reach.ts';
