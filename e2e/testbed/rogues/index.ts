export { startRogueMongo } from './mongodb.ts';
export { ROGUE_MYSQL, startRogueMySql } from './mysql.ts';
export { startRoguePostgres } from './postgres.ts';
export type { Rogue } from './rogue.ts';
