export { ACCOUNT } from './account.ts';
export { buildFerretDb, lacksGo, startFerretDb } from './ferretdb.ts';
export { sweep } from './folders.ts';
export { startMariaDb } from './mariadb.ts';
export { startMySql8 } from './mysql8.ts';
export { type Pooler, startPgBouncer } from './pgbouncer.ts';
export { startPostgres, startPostgresVersion } from './postgres.ts';
export { type DatabaseOptions, type DatabaseServer, freePort } from './server.ts';
export { runSql } from './sql.ts';
