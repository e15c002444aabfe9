export { requireLevels } from './added-levels.ts';
export { Sessions } from './sessions.ts';
