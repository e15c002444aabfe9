export { checkText } from './check-text.ts';
export { completePlan } from './planned.ts';
export { preflight, requirePreflight } from './preflight.ts';
export { scriptOf } from './script.ts';
export { isFresh, type PreflightContext, type StartKnowledge } from './state.ts';
export { inServerWords } from './target-checks.ts';
