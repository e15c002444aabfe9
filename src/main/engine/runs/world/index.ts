export { type ChangedEntry, changedNow } from './entries.ts';
export { type ChangeContext, putBack } from './put-back.ts';
export { putSessionBack, restoredWords } from './put-session-back.ts';
export { isOfChange, reachWorld } from './reach.ts';
