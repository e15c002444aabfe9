export { contextOf, type RunsContext, type TargetAccess } from './context.ts';
export { preflight, requirePreflight } from './preflight.ts';
export { Sessions } from './sessions.ts';
