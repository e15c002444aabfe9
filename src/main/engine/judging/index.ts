export { readEvidence } from './evidence.ts';
export type { EvidenceFacts } from './evidence-facts.ts';
export { monitoredLimits } from './host-limits.ts';
export { boundOfCell, JUDGEMENT_VERSION, judging, storedJudgement } from './judgement.ts';
export { momentComparisons } from './moments.ts';
export { LONG_SECONDS, Precomputation, type PrecomputeTasks, precomputeMonitored } from './precompute.ts';
