export { checkingText, checkText } from './check-text.ts';
export { completePlan } from './planned.ts';
export { preflight, requirePreflight } from './preflight.ts';
export { scriptOf } from './script.ts';
export { type CheckedStart, isFresh, type PreflightContext } from './state.ts';
export { inServerWords } from './target-checks.ts';
