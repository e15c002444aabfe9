export { type Asked, answerOf, askedOf } from './answer.ts';
export { ratiosOf } from './baselines.ts';
export { compareLevels, compareSessions, warningFindings } from './compare.ts';
export { changedSinceStart, nodeFindings } from './differences.ts';
export { factFindings, foundInCell, warning } from './found.ts';
export type { ComparedSession } from './pairs.ts';
