export { type AheadWork, LONG_SECONDS, monitoredAhead, WorkAhead } from './ahead.ts';
export { readEvidence } from './evidence.ts';
export type { EvidenceFacts } from './evidence-facts.ts';
export { monitoredLimits } from './host-limits.ts';
export { boundOfCell, JUDGEMENT_VERSION, judging, storedJudgement } from './judgement.ts';
export { momentComparisons } from './moments.ts';
