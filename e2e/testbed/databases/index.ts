export { ACCOUNT } from './account.ts';
export { sweep } from './folders.ts';
export { startMariaDb } from './mariadb.ts';
export { startMySql8 } from './mysql8.ts';
export { startPostgres } from './postgres.ts';
export { type DatabaseOptions, type DatabaseServer, freePort } from './server.ts';
