export type { SessionContext } from './activity.ts';
export { requireLevels } from './added-levels.ts';
export { Sessions } from './sessions.ts';
